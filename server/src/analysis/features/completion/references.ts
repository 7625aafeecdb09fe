import { t } from '../../../base/l10n';
import { defaultServiceAccount, systemPriorityClasses } from '../../../kube/podTemplates';
import type { FieldPath } from '../../../manifest/fieldPath';
import { namesFor } from '../../../workspace/references/definitions';
import { type ObjectTarget, type Target, targetsAt } from '../../../workspace/references/references';
import type { CompletionCandidate, SourceContext } from './source';
import { STAND_IN, type TypedPlace } from './typedPosition';

/** Names of objects that every cluster has, by group and kind. */
const BUILT_IN: Readonly<Record<string, readonly CompletionCandidate[]>> = {
  'scheduling.k8s.io/PriorityClass': Object.entries(systemPriorityClasses).map(([value, it]) => ({
    value,
    detail: String(it),
  })),
  '/ServiceAccount': [{ value: defaultServiceAccount }],
};

type Known = Pick<SourceContext, 'snapshot' | 'cluster'>;

/** Possible names in a reference: objects of the workspace, or names defined in one. */
export function referenceCandidates(place: TypedPlace, path: FieldPath, known: Known): readonly CompletionCandidate[] {
  return targetsAt(place.object, path)
    .flatMap(it => candidatesFor(it, place, known))
    .filter(it => it.value !== STAND_IN && it.value !== '');
}

function candidatesFor(target: Target, place: TypedPlace, known: Known): readonly CompletionCandidate[] {
  switch (target.to) {
    case 'pods':
      return [];
    case 'object':
      return objectCandidates(target, known);
    default:
      return namesFor(known.snapshot, place.object, target).map(({ name, object }) => ({
        value: name,
        detail: target.to === 'local' ? target.what : `${object.kind} ${object.name ?? ''}`,
      }));
  }
}

function objectCandidates({ group, kind, namespace }: ObjectTarget, known: Known): readonly CompletionCandidate[] {
  const { snapshot, cluster } = known;
  const objects = snapshot
    .objectsOf(group, kind)
    .filter(it => it.namespace === undefined || it.namespace === namespace);
  const named = objects.flatMap(it => it.name ?? []).map(value => ({ value, detail: kind }));
  const written = new Set(named.map(it => it.value));
  const inCluster = (cluster?.namesOf(group, kind, namespace) ?? [])
    .filter(it => !written.has(it))
    .map(value => ({ value, detail: t`${kind} of the cluster` }));
  const key = `${group}/${kind}`;
  return [...named, ...inCluster, ...(Object.hasOwn(BUILT_IN, key) ? (BUILT_IN[key] ?? []) : [])];
}
