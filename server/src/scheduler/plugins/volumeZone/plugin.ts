import type { PodModel } from '../../../cluster/pods/podModel';
import type { StorageModel, VolumeModel } from '../../../cluster/storage/volumes';
import type { Refusal } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { signNoVolumes } from '../../framework/signatures';
import { skip, success, unresolvable } from '../../framework/status';

/** A zone or region label of a volume: the node's label must have one of the values. */
interface VolumeTopology {
  readonly key: string;
  readonly values: ReadonlySet<string>;
}

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const TODAYS_KEYS: ReadonlyMap<string, string> = new Map([
  ['failure-domain.beta.kubernetes.io/zone', ZONE],
  ['failure-domain.beta.kubernetes.io/region', REGION],
  [ZONE, ZONE],
  [REGION, REGION],
]);

/** Upstream: pkg/scheduler/framework/plugins/volumezone. */
export const volumeZone = () =>
  definePlugin<readonly VolumeTopology[]>({
    name: 'VolumeZone',
    shares: { dependsOn: 'node', sign: signNoVolumes },
    preFilter(pod, { cluster }) {
      const found = topologiesOf(pod, cluster.storage);
      if ('reasons' in found) return { status: found };
      return found.length === 0 ? { status: skip } : { status: success, state: found };
    },
    filter(topologies, _pod, { node }) {
      if (![...TODAYS_KEYS.keys()].some(it => node.labels[it] !== undefined)) return success;
      const fits = topologies.every(({ key, values }) => {
        const value = node.labels[key] ?? node.labels[TODAYS_KEYS.get(key)!];
        return value !== undefined && values.has(value);
      });
      return fits ? success : unresolvable('node(s) had no available volume zone');
    },
  });

/** Upstream: getPVbyPod. */
function topologiesOf(pod: PodModel, storage: StorageModel): readonly VolumeTopology[] | Refusal {
  const res: VolumeTopology[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    if (!volume.persistentVolumeClaim) continue;
    const name = volume.persistentVolumeClaim.claimName;
    if (!name) return unresolvable('PersistentVolumeClaim had no name');
    const claim = storage.claims.get(`${pod.namespace}/${name}`);
    if (!claim) return unresolvable(`persistentvolumeclaim "${name}" not found`);
    if (claim.volumeName === '') {
      if (claim.className === '') return unresolvable('PersistentVolumeClaim had no pv name and storageClass name');
      const found = storage.classes.get(claim.className);
      if (!found) return unresolvable(`storageclass.storage.k8s.io "${claim.className}" not found`);
      if (found.volumeBindingMode === 'WaitForFirstConsumer') continue;
      return unresolvable('PersistentVolume had no name');
    }
    const bound = storage.volumes.get(claim.volumeName);
    if (!bound) return unresolvable(`persistentvolume "${claim.volumeName}" not found`);
    res.push(...labelsOf(bound));
  }
  return res;
}

/** A label may list several zones: `a__b`. A list with an empty zone is ignored. Upstream: getPVTopologies. */
function labelsOf({ source }: VolumeModel): readonly VolumeTopology[] {
  const labels = source.metadata?.labels ?? {};
  return [...TODAYS_KEYS.keys()].flatMap(key => {
    const zones = labels[key]?.split('__').map(it => it.trim());
    return !zones || zones.includes('') ? [] : [{ key, values: new Set(zones) }];
  });
}
