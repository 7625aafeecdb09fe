import type { ClusterModel, NodeModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { quantityValue } from '../../../kube/quantity';
import type { PluginFactory, Reservation } from '../../framework/interface';
import { mulDiv } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { alongShape, type ShapePoint, shapeFrom } from '../../framework/shape';
import { signNoVolumes } from '../../framework/signatures';
import { failure, skip, success, unresolvable } from '../../framework/status';
import {
  assumeVolumes,
  bindVolumes,
  claimsOf,
  type NodeVolumes,
  type PodClaims,
  volumesOn,
  whyNotBound,
} from './binder';

/** Storage with the lowest utilization is preferred. Upstream: SetDefaults_VolumeBindingArgs. */
const DEFAULT_SHAPE: readonly ShapePoint[] = [
  { utilization: 0, score: 10 },
  { utilization: 100, score: 0 },
];

/** Upstream: pkg/scheduler/framework/plugins/volumebinding. */
export const volumeBinding: PluginFactory = ({ args, gates }) => {
  const written = shapeFrom(args.shape);
  const shape = written.length > 0 ? written : DEFAULT_SHAPE;
  return definePlugin<PodClaims, PodClaims | undefined>({
    name: 'VolumeBinding',
    shares: { dependsOn: 'node', sign: signNoVolumes },
    preFilter(pod, { cluster }) {
      const found = claimsOf(pod, cluster.storage);
      if (!found) return { status: skip };
      if ('unfit' in found) return { status: unresolvable(found.unfit) };
      if (found.immediate.length > 0) {
        return { status: unresolvable('pod has unbound immediate PersistentVolumeClaims') };
      }
      return { status: success, state: found };
    },
    filter(claims, _pod, { node }, { cluster }) {
      const found = volumesOn(node, claims, cluster.storage);
      if ('error' in found) return failure(found.error);
      return 'reasons' in found ? unresolvable(...found.reasons) : success;
    },
    preScore(pod, { cluster }) {
      if (!gates.storageCapacityScoring) return { status: skip };
      const claims = claimsOf(pod, cluster.storage);
      return { status: success, state: claims && 'bound' in claims ? claims : undefined };
    },
    score(claims, _pod, { node }, { cluster }) {
      if (!claims) return 0;
      const found = volumesOn(node, claims, cluster.storage);
      return 'bindings' in found ? scoreOf(found, shape) : 0;
    },
    reserve: (pod, { node }, { cluster, bindsLater }) => taken(pod, node, cluster, bindsLater ? 'assume' : 'bind'),
    bind: (pod, { node }, { cluster }) => taken(pod, node, cluster, 'bind'),
  });
};

function taken(pod: PodModel, node: NodeModel, cluster: ClusterModel, how: 'assume' | 'bind'): Reservation | undefined {
  const claims = claimsOf(pod, cluster.storage);
  if (!claims || 'unfit' in claims) return undefined;
  const found = volumesOn(node, claims, cluster.storage);
  if (!('bindings' in found) || found.bindings.length + found.provisions.length === 0) return undefined;
  const { storage, choices } = bindVolumes(pod, node, found, cluster.storage);
  const reason = whyNotBound(node, found, cluster.storage);
  const failed = reason === undefined ? undefined : failure(reason);
  const after = how === 'bind' ? storage : assumeVolumes(node, found, cluster.storage);
  return { cluster: { ...cluster, storage: after }, volumes: choices, ...(failed && { failed }) };
}

/** The mean over the storage classes of the utilization, mapped through the shape. */
function scoreOf({ bindings, provisions }: NodeVolumes, shape: readonly ShapePoint[]): number {
  const classes = new Map<string, { requested: number; capacity: number }>();
  const of = (name: string): { requested: number; capacity: number } => {
    const found = classes.get(name) ?? { requested: 0, capacity: 0 };
    classes.set(name, found);
    return found;
  };
  for (const { claim, volume } of bindings) {
    const sum = of(volume.source.spec?.storageClassName ?? '');
    sum.requested += claim.request ? quantityValue(claim.request) : 0;
    sum.capacity += quantityValue(volume.capacity);
  }
  for (const { claim, capacity } of bindings.length > 0 ? [] : provisions) {
    if (!capacity) continue;
    const sum = of(claim.className);
    sum.requested += claim.request ? quantityValue(claim.request) : 0;
    sum.capacity = capacity.capacity ? quantityValue(capacity.capacity) : 0;
  }
  if (classes.size === 0) return 0;
  let total = 0;
  for (const { requested, capacity } of classes.values()) {
    total += alongShape(shape, capacity === 0 || requested > capacity ? 100 : mulDiv(requested, 100, capacity));
  }
  return Math.round(total / classes.size);
}
