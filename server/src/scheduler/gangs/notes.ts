import { asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { printed } from '../../base/printed';
import type { Note } from '../../cluster/pods/note';
import type { Scenario } from '../../cluster/scenario';
import type { PodGroups, SchedulerGates } from '../framework/interface';
import type { Attempt } from '../result';
import { groupIdOf } from './podGroup';

/** The minor whose kube-scheduler is the model for cycles of groups. */
const MODELLED_MINOR = '1.37';

/** Limits of the simulation of groups and explanations for the reader, a sentence each. */
export function gangNotes(scenario: Scenario, groups: PodGroups | undefined, gates: SchedulerGates): readonly Note[] {
  const { pending, cluster } = scenario;
  const named = pending.filter(it => groupIdOf(it) !== undefined);
  const notes: Note[] = [];
  if (named.length > 0 && !groups) {
    notes.push({
      message: t(
        'The gate GenericWorkload is off, so schedulingGroup is dropped and the Pods of a PodGroup are placed one by one.',
      ),
    });
  }
  for (const pod of pending) {
    if (pod.spec.workloadRef) {
      const message = t('workloadRef is not simulated; the Pod is placed as one of no group.');
      notes.push({ pod: pod.id, message });
    }
  }
  if (!groups || named.length === 0) return notes;
  if (gates.minor !== MODELLED_MINOR) {
    const message = t`PodGroups are decided as kube-scheduler ${MODELLED_MINOR} decides them; that of ${gates.minor} may differ.`;
    notes.push({ message });
  }
  const parents = (cluster.objects.get('PodGroup') ?? []).filter(
    it => asText(objectOrEmpty(it.spec).parentCompositePodGroupName) !== undefined,
  );
  if (gates.isOn('CompositePodGroup') && parents.length > 0) {
    notes.push({
      message: t('CompositePodGroups are not simulated: each PodGroup below one is decided as a group of its own.'),
    });
  }
  for (const id of new Set(named.map(it => groupIdOf(it)!))) {
    if (!groups.has(id) && hasWorkload(cluster.objects.get('Workload') ?? [], id)) notes.push({ message: missing(id) });
  }
  return notes;
}

/** Upstream has no message for a Pod that waits only because another Pod of its group is held. */
export function companionNotes(attempts: readonly Attempt[]): readonly Note[] {
  return attempts
    .filter(it => it.status === 'gated' && it.group !== undefined && it.preFilterRejection === undefined)
    .map(({ pod, group }) => ({
      pod,
      message: t`It waits with its group ${group ?? ''}, of which another Pod is held.`,
    }));
}

/** Whether a Workload of the namespace has templates from which such a PodGroup could be made. */
function hasWorkload(workloads: readonly UnknownObject[], id: string): boolean {
  const [namespace] = id.split('/');
  return workloads.some(it => {
    const isNative = printed(it.apiVersion).startsWith('scheduling.k8s.io/');
    return isNative && (asText(objectOrEmpty(it.metadata).namespace) ?? 'default') === namespace;
  });
}

function missing(id: string): string {
  return t`The PodGroup ${id} is not there: a Workload holds templates only, and whoever runs the workload makes PodGroups of them (of Kubernetes' own controllers only that of Jobs, with the gate WorkloadWithJob).`;
}
