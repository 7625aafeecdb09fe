import type { ObjectMeta, Pod } from '../kube/types';
import type { ClusterModel, PodModel } from './model';

export interface Owner {
  readonly kind: string;
  readonly name: string;
}

/** The objects that made a Pod, the nearest first: of a Deployment's Pod its ReplicaSet and then the Deployment. */
export function ownersOf({ source }: Pick<PodModel, 'source'>, cluster: ClusterModel): readonly Owner[] {
  const own = controllerOf(source.metadata);
  const namespace = source.metadata?.namespace ?? 'default';
  if (!own) return [];
  const between = (cluster.objects.get(own.kind) ?? []).find(
    ({ metadata }: Pod) => metadata?.name === own.name && (metadata?.namespace ?? 'default') === namespace,
  ) as Pod | undefined;
  const above = controllerOf(between?.metadata);
  return above ? [own, above] : [own];
}

function controllerOf(metadata: ObjectMeta | undefined): Owner | undefined {
  const owner = metadata?.ownerReferences?.find(it => it.controller === true);
  return owner?.kind !== undefined && owner.name !== undefined ? { kind: owner.kind, name: owner.name } : undefined;
}
