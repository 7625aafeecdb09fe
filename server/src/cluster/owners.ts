import type { UnknownObject } from '../base/json';
import { listOf } from '../base/multiMap';
import type { ObjectMeta, OwnerReference, Pod } from '../kube/types';
import type { ClusterModel } from './clusterModel';
import type { PodModel } from './pods/podModel';

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

type Finder<T> = (pod: Pick<PodModel, 'source'>) => T;

/** The owners of a Pod, nearest first: for a Deployment's Pod its ReplicaSet, then the Deployment. */
export const ownersOf = (pod: Pick<PodModel, 'source'>, cluster: ClusterModel): readonly Owner[] =>
  ownersBy(it => controllerIn(it, cluster))(pod);

/** The same for many Pods of one cluster. */
export function ownersIn(cluster: ClusterModel): Finder<readonly Owner[]> {
  const find = ownersBy(controllersIn(cluster));
  // The Pods of a workload share the reference to it.
  const known = new Map<unknown, { readonly namespace: string | undefined; readonly owners: readonly Owner[] }>();
  return pod => {
    const { metadata } = pod.source;
    const reference = controllerReference(metadata);
    const found = known.get(reference);
    if (found && found.namespace === metadata?.namespace) return found.owners;
    const owners = find(pod);
    known.set(reference, { namespace: metadata?.namespace, owners });
    return owners;
  };
}

/** Names what makes Pods, as the key of a map. */
export const makerKey = (kind: string, namespace = 'default', name = ''): string => `${kind} ${namespace}/${name}`;

/** Pods by the key of each of their owners, in their order. */
export function podsByMaker<T extends Pick<PodModel, 'source'>>(
  pods: Iterable<T>,
  ownersOf: Finder<readonly Owner[]>,
): ReadonlyMap<string, readonly T[]> {
  const made = new Map<string, T[]>();
  // The Pods of a workload have one list of owners, whose keys are made once.
  const known = new Map<readonly Owner[], readonly T[][]>();
  const listsFor = (pod: T, owners: readonly Owner[]): readonly T[][] =>
    owners.map(({ kind, name }) => listOf(made, makerKey(kind, pod.source.metadata?.namespace, name)));
  for (const pod of pods) {
    const owners = ownersOf(pod);
    const lists = known.get(owners) ?? listsFor(pod, owners);
    known.set(owners, lists);
    for (const it of lists) it.push(pod);
  }
  return made;
}

const ownersBy =
  (controller: Finder<UnknownObject | undefined>): Finder<readonly Owner[]> =>
  ({ source }) => {
    const own = controllerOf(source.metadata);
    if (!own) return [];
    const above = controllerOf((controller({ source }) as Pod | undefined)?.metadata);
    return above ? [own, above] : [own];
  };

/** The controller of a Pod among the cluster's objects; undefined for a Pod without one, or when it is missing. */
export function controllerIn({ source }: Pick<PodModel, 'source'>, cluster: ClusterModel): UnknownObject | undefined {
  const own = controllerOf(source.metadata);
  const namespace = source.metadata?.namespace ?? 'default';
  if (!own) return undefined;
  return (cluster.objects.get(own.kind) ?? []).find(
    ({ metadata }: Pod) => metadata?.name === own.name && (metadata?.namespace ?? 'default') === namespace,
  );
}

/** The same for many Pods of one cluster. */
export function controllersIn({ objects }: ClusterModel): Finder<UnknownObject | undefined> {
  const byKind = new Map<string, ReadonlyMap<string, UnknownObject>>();
  return ({ source: { metadata } }) => {
    const own = controllerOf(metadata);
    if (!own) return undefined;
    const byOwnName = byKind.get(own.kind) ?? byName(objects.get(own.kind) ?? []);
    byKind.set(own.kind, byOwnName);
    return byOwnName.get(`${metadata?.namespace ?? 'default'}/${own.name}`);
  };
}

/** The first of several objects with one name. */
function byName(objects: readonly UnknownObject[]): ReadonlyMap<string, UnknownObject> {
  return new Map(
    objects.toReversed().map(it => {
      const { metadata } = it as Pod;
      return [`${metadata?.namespace ?? 'default'}/${metadata?.name}`, it];
    }),
  );
}

/** Whether a controller has made it, so that a server has processed it. */
export const isControlled = (object: UnknownObject): boolean => controllerOf((object as Pod).metadata) !== undefined;

function controllerReference(metadata: ObjectMeta | undefined): OwnerReference | undefined {
  const references = metadata?.ownerReferences;
  // Nearly always the only one: to search makes a closure, for each of thousands of Pods.
  return references?.[0]?.controller === true ? references[0] : references?.find(it => it.controller === true);
}

function controllerOf(metadata: ObjectMeta | undefined): Owner | undefined {
  const owner = controllerReference(metadata);
  return owner?.kind !== undefined && owner.name !== undefined ? { kind: owner.kind, name: owner.name } : undefined;
}
