import type { UnknownObject } from '../base/json';
import { printed } from '../base/printed';
import { runToEnd, type Steps } from '../base/steps';
import { podTemplatePath } from '../kube/podTemplates';

/** A change of a cluster, or of what is deployed on it. */
export type ClusterChange =
  /** Removes the node, and the Pods on it. */
  | { readonly do: 'nodeDown'; readonly node: string }
  /** Removes every node whose label `topology.kubernetes.io/zone` has this value. */
  | { readonly do: 'zoneDown'; readonly zone: string }
  /** Cordons the node and evicts its Pods, except those of DaemonSets and static ones. */
  | { readonly do: 'drain'; readonly node: string }
  | { readonly do: 'cordon'; readonly node: string }
  /** Sets the replicas of a workload, or multiplies them. */
  | { readonly do: 'scale'; readonly object: ObjectName; readonly replicas: number }
  | { readonly do: 'scaleBy'; readonly factor: number; readonly object?: ObjectName }
  | { readonly do: 'remove'; readonly object: ObjectName }
  /** Adds objects, or replaces those of the same kind and name. */
  | { readonly do: 'apply'; readonly objects: readonly UnknownObject[] };

/** `Deployment/web`, `prod/Deployment/web`; the namespace is compared where it is given. */
export interface ObjectName {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface Changed {
  readonly objects: readonly UnknownObject[];
  /** NAMESPACE/NAME of removed Pods without a controller, which are not made again. */
  readonly lost: readonly string[];
  /** Changes that were not possible, a clause each. */
  readonly problems: readonly string[];
}

const ZONE = 'topology.kubernetes.io/zone';

/** The objects after some changes, applied in order. Pods that lost their node are pending again. */
export function withChanges(objects: readonly UnknownObject[], changes: readonly ClusterChange[]): Changed {
  return runToEnd(changeSteps(objects, changes));
}

/** The same, a change a step. */
export function* changeSteps(objects: readonly UnknownObject[], changes: readonly ClusterChange[]): Steps<Changed> {
  let after = objects;
  const lost: (readonly string[])[] = [];
  const problems: (readonly string[])[] = [];
  for (const it of changes) {
    const changed = withChange(after, it);
    after = changed.objects;
    lost.push(changed.lost);
    problems.push(changed.problems);
    yield;
  }
  return { objects: after, lost: lost.flat(), problems: problems.flat() };
}

function withChange(objects: readonly UnknownObject[], change: ClusterChange): Changed {
  switch (change.do) {
    case 'nodeDown':
      return withoutNodes(objects, it => nameOf(it) === change.node, `there is no Node "${change.node}"`);
    case 'zoneDown':
      return withoutNodes(objects, it => labelOf(it, ZONE) === change.zone, `no Node is in the zone "${change.zone}"`);
    case 'cordon':
      return onNode(objects, change.node, cordoned);
    case 'drain': {
      const { objects: kept, problems } = onNode(objects, change.node, cordoned);
      return { ...withMovedPods(kept, it => nodeOf(it) === change.node && isEvicted(it)), problems };
    }
    case 'scale':
      return onObjects(objects, change.object, it => withReplicas(it, () => change.replicas));
    case 'scaleBy':
      return change.object === undefined
        ? unchangedPods(objects.map(it => (hasReplicas(it) ? withReplicas(it, scaled(change.factor)) : it)))
        : onObjects(objects, change.object, it => withReplicas(it, scaled(change.factor)));
    case 'remove':
      return onObjects(objects, change.object, () => undefined);
    case 'apply':
      return unchangedPods(withObjects(objects, change.objects));
  }
}

const unchangedPods = (objects: readonly UnknownObject[]): Changed => ({ objects, lost: [], problems: [] });

const scaled =
  (factor: number) =>
  (replicas: number): number =>
    Math.max(0, Math.round(replicas * factor));

function withoutNodes(
  objects: readonly UnknownObject[],
  isGone: (node: UnknownObject) => boolean,
  problem: string,
): Changed {
  const gone = new Set(objects.filter(it => isNode(it) && isGone(it)).map(nameOf));
  if (gone.size === 0) return { objects, lost: [], problems: [problem] };
  const left = objects.filter(it => !(isNode(it) && gone.has(nameOf(it))));
  return withMovedPods(left, it => gone.has(nodeOf(it)));
}

/** The objects without the given Pods (NAMESPACE/NAME), running or failed; controllers make them again. */
export function withoutPods(objects: readonly UnknownObject[], gone: ReadonlySet<string>): Changed {
  return withMovedPods(objects, it => gone.has(`${namespaceOf(it)}/${nameOf(it)}`));
}

/**
 * Pods whose controller is among the objects are left to it; those of other controllers become pending under their own
 * name.
 */
function withMovedPods(objects: readonly UnknownObject[], isMoved: (pod: UnknownObject) => boolean): Changed {
  const lost: string[] = [];
  const makers = new Set(objects.filter(isController).map(keyOf));
  const left = objects.flatMap((it): readonly UnknownObject[] => {
    if (it.kind !== 'Pod' || nodeOf(it) === '' || !isMoved(it)) return [it];
    const owner = controllerOf(it);
    if (owner === undefined) {
      lost.push(`${namespaceOf(it)}/${nameOf(it)}`);
      return [];
    }
    const isMade = makers.has(`${owner.kind}/${namespaceOf(it)}/${owner.name}`);
    return isMade || owner.kind === 'DaemonSet' || owner.kind === 'Node' ? [] : [asNew(it)];
  });
  return { objects: left, lost, problems: [] };
}

/** The Pod as its controller would create it: without node and status. */
function asNew(pod: UnknownObject): UnknownObject {
  const { status: _, ...rest } = pod;
  const { nodeName: __, ...spec } = objectAt(pod, 'spec');
  const { deletionTimestamp: ___, ...metadata } = objectAt(pod, 'metadata');
  return { ...rest, metadata, spec };
}

function isEvicted(pod: UnknownObject): boolean {
  const isStatic = Object.hasOwn(objectAt(objectAt(pod, 'metadata'), 'annotations'), 'kubernetes.io/config.mirror');
  return controllerOf(pod)?.kind !== 'DaemonSet' && !isStatic;
}

function cordoned(node: UnknownObject): UnknownObject {
  return { ...node, spec: { ...objectAt(node, 'spec'), unschedulable: true } };
}

function onNode(
  objects: readonly UnknownObject[],
  name: string,
  change: (node: UnknownObject) => UnknownObject,
): Changed {
  const isThere = objects.some(it => isNode(it) && nameOf(it) === name);
  if (!isThere) return { objects, lost: [], problems: [`there is no Node "${name}"`] };
  return unchangedPods(objects.map(it => (isNode(it) && nameOf(it) === name ? change(it) : it)));
}

function onObjects(
  objects: readonly UnknownObject[],
  wanted: ObjectName,
  change: (object: UnknownObject) => UnknownObject | undefined,
): Changed {
  const isWanted = (it: UnknownObject): boolean =>
    it.kind === wanted.kind &&
    nameOf(it) === wanted.name &&
    (wanted.namespace === undefined || namespaceOf(it) === wanted.namespace);
  if (!objects.some(isWanted)) {
    return { objects, lost: [], problems: [`there is no ${wanted.kind} "${wanted.name}"`] };
  }
  return unchangedPods(
    objects.flatMap((it): readonly UnknownObject[] => {
      const changed = isWanted(it) ? change(it) : it;
      return changed === undefined ? [] : [changed];
    }),
  );
}

function withReplicas(workload: UnknownObject, count: (replicas: number) => number): UnknownObject {
  const spec = objectAt(workload, 'spec');
  const field = workload.kind === 'Job' ? 'parallelism' : 'replicas';
  const now = typeof spec[field] === 'number' ? spec[field] : 1;
  const replicas = count(now);
  const completions = typeof spec.completions === 'number' ? Math.max(spec.completions, replicas) : undefined;
  return { ...workload, spec: { ...spec, [field]: replicas, ...(completions !== undefined && { completions }) } };
}

const REPLICATED: readonly unknown[] = ['Deployment', 'StatefulSet', 'ReplicaSet', 'ReplicationController', 'Job'];

/** Whether objects of a kind can be scaled. */
export const isReplicated = (kind: string): boolean => REPLICATED.includes(kind);

const hasReplicas = (it: UnknownObject): boolean => isReplicated(printed(it.kind));

function withObjects(objects: readonly UnknownObject[], given: readonly UnknownObject[]): readonly UnknownObject[] {
  const replaced = new Map(given.map(it => [keyOf(it), it]));
  const kept = objects.map(it => replaced.get(keyOf(it)) ?? it);
  const existing = new Set(objects.map(keyOf));
  return [...kept, ...given.filter(it => !existing.has(keyOf(it)))];
}

const isNode = (it: UnknownObject): boolean => it.kind === 'Node' && it.apiVersion === 'v1';

const isController = (it: UnknownObject): boolean =>
  it.kind !== 'Pod' && podTemplatePath(printed(it.kind)) !== undefined;

function controllerOf(pod: UnknownObject): { readonly kind: string; readonly name: string } | undefined {
  const { ownerReferences } = objectAt(pod, 'metadata');
  const owners: readonly unknown[] = Array.isArray(ownerReferences) ? ownerReferences : [];
  const owner = owners.map(recordOf).find(it => it.controller === true);
  return owner && { kind: printed(owner.kind), name: printed(owner.name) };
}

function nodeOf(pod: UnknownObject): string {
  const { nodeName } = objectAt(pod, 'spec');
  return typeof nodeName === 'string' ? nodeName : '';
}

function labelOf(object: UnknownObject, label: string): unknown {
  return objectAt(objectAt(object, 'metadata'), 'labels')[label];
}

function nameOf(object: UnknownObject): string {
  const { name } = objectAt(object, 'metadata');
  return typeof name === 'string' ? name : '';
}

function namespaceOf(object: UnknownObject): string {
  const { namespace } = objectAt(object, 'metadata');
  return typeof namespace === 'string' ? namespace : 'default';
}

const keyOf = (it: UnknownObject): string => `${printed(it.kind)}/${namespaceOf(it)}/${nameOf(it)}`;

const objectAt = (object: UnknownObject, field: string): UnknownObject => recordOf(object[field]);

/** Anything but an object counts as an empty one; building the cluster reports it. */
function recordOf(value: unknown): UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UnknownObject) : {};
}
