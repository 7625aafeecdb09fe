import { objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { Scenario } from '../../cluster/scenario';
import { readScenarioSteps } from '../../scheduler/scenario';
import type { ScenarioAnswer } from './answer';
import type { ExploredWorld, WorkloadModel } from './world';

/** The Pods that controllers make once a workload has another revision, in a cluster without Pods. */
export function* nextRevision(
  { kind, name, namespace }: WorkloadModel,
  { objects, run }: ExploredWorld,
): Steps<Scenario> {
  const changed = objects.flatMap(it => {
    if (it.kind === 'Pod' || it.kind === 'ReplicaSet') return [];
    const metadata = objectOrEmpty(it.metadata);
    const isOwn = it.kind === kind && metadata.name === name && (metadata.namespace ?? 'default') === namespace;
    return [isOwn ? restarted(it) : it];
  });
  return yield* readScenarioSteps(changed, { ...run, expandWorkloads: true });
}

/** As `kubectl rollout restart` does. */
function restarted(workload: UnknownObject): UnknownObject {
  const spec = objectOrEmpty(workload.spec);
  const template = objectOrEmpty(spec.template);
  const metadata = objectOrEmpty(template.metadata);
  const annotations = { ...objectOrEmpty(metadata.annotations), 'kubectl.kubernetes.io/restartedAt': 'now' };
  return { ...workload, spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } } };
}

/** What is asked about the next revision of a workload. */
export const askedOf = ({ title }: WorkloadModel): Pick<ScenarioAnswer, 'question' | 'about' | 'claim'> => ({
  question: 'rollout',
  about: title,
  claim: t`every rollout of ${title} ends`,
});
