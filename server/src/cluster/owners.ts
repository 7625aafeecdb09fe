import type { ObjectMeta, Pod } from '../kube/types';
import type { ClusterModel, JsonObject, PodModel } from './model';

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The objects that made a Pod, the nearest first: of a Deployment's Pod its ReplicaSet and then the Deployment. */
export function ownersOf({ source }: Pick<PodModel, 'source'>, cluster: ClusterModel): readonly Owner[] {
  const own = controllerOf(source.metadata);
  if (!own) return [];
  const above = controllerOf((controllerIn({ source }, cluster) as Pod | undefined)?.metadata);
  return above ? [own, above] : [own];
}

/** The object of the cluster that made a Pod; undefined when nothing did, or when that is not there. */
export function controllerIn({ source }: Pick<PodModel, 'source'>, cluster: ClusterModel): JsonObject | undefined {
  const own = controllerOf(source.metadata);
  const namespace = source.metadata?.namespace ?? 'default';
  if (!own) return undefined;
  return (cluster.objects.get(own.kind) ?? []).find(
    ({ metadata }: Pod) => metadata?.name === own.name && (metadata?.namespace ?? 'default') === namespace,
  );
}

function controllerOf(metadata: ObjectMeta | undefined): Owner | undefined {
  const owner = metadata?.ownerReferences?.find(it => it.controller === true);
  return owner?.kind !== undefined && owner.name !== undefined ? { kind: owner.kind, name: owner.name } : undefined;
}
