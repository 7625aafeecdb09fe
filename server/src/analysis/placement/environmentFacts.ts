import type { ComparisonOperators } from '../../cluster/pods/tolerations';
import type { Kube } from '../../kube/kube';
import type { WorkspaceObject } from '../../workspace/object';
import type { EnvironmentPlacement, RefusedSource } from './environmentPlacement';

/** The operators Gt and Lt of tolerations depend on a gate. */
export const comparisonOperators = (kube: Kube): ComparisonOperators =>
  kube.isGateOn('TaintTolerationComparisonOperators') ? 'on' : 'off';

/** Ids of the Pods that an object is or makes, in the order in which they were to be placed. */
export function podsOf(placement: EnvironmentPlacement, object: WorkspaceObject): readonly string[] {
  const namespace = object.namespace ?? 'default';
  if (object.kind === 'Pod') {
    const id = `${namespace}/${object.name ?? ''}`;
    return placement.pods.some(it => it.id === id) || placement.attempts.has(id) ? [id] : [];
  }
  return [...placement.pods, ...placement.rejected]
    .filter(
      it =>
        (it.source.metadata?.namespace ?? 'default') === namespace &&
        placement.ownersOf(it).some(owner => owner.kind === object.kind && owner.name === object.name),
    )
    .map(it => it.id);
}

/** The refusal of an object that the API server does not take. */
export const refusalIn = (
  { refused }: EnvironmentPlacement,
  { manifest }: WorkspaceObject,
): RefusedSource | undefined => refused.find(it => it.object.manifest === manifest);
