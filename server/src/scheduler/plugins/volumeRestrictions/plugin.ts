import type { PodModel } from '../../../cluster/pods/podModel';
import type { Volume } from '../../../kube/types';
import type { NodeInfo } from '../../framework/nodeInfo';
import { definePlugin } from '../../framework/plugin';
import { signNoVolumes } from '../../framework/signatures';
import { skip, success, unresolvable, unschedulable } from '../../framework/status';

interface State {
  /** Claims of the Pod that allow a single Pod only. */
  readonly exclusive: ReadonlySet<string>;
  /** How often other Pods use them. */
  readonly conflicts: number;
}

/** Upstream: pkg/scheduler/framework/plugins/volumerestrictions. */
export const volumeRestrictions = () =>
  definePlugin<State>({
    name: 'VolumeRestrictions',
    shares: { dependsOn: 'node', sign: signNoVolumes },
    preFilter(pod, { cluster, nodes }) {
      const exclusive = new Set<string>();
      for (const volume of pod.spec.volumes ?? []) {
        if (!volume.persistentVolumeClaim) continue;
        const name = volume.persistentVolumeClaim.claimName ?? '';
        const claim = cluster.storage.claims.get(`${pod.namespace}/${name}`);
        if (!claim) return { status: unresolvable(`persistentvolumeclaim "${name}" not found`) };
        if (claim.accessModes.includes('ReadWriteOncePod')) exclusive.add(name);
      }
      const conflicts = exclusive.size === 0 ? 0 : claimsInUse(exclusive, pod.namespace, nodes);
      if (conflicts === 0 && !(pod.spec.volumes ?? []).some(isSingleDisk)) return { status: skip };
      return { status: success, state: { exclusive, conflicts } };
    },
    addPod: (state, _pod, added) => ({ ...state, conflicts: state.conflicts + usesOf(state, added) }),
    removePod: (state, _pod, removed) => ({ ...state, conflicts: state.conflicts - usesOf(state, removed) }),
    filter(state, pod, node) {
      if (hasDiskConflict(pod, node)) return unschedulable('node(s) had no available disk');
      if (!state || state.conflicts <= 0) return success;
      return unschedulable(
        'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod',
      );
    },
  });

/** How many of the claims are in use. Upstream: calPreFilterState. */
function claimsInUse(names: ReadonlySet<string>, namespace: string, nodes: readonly NodeInfo[]): number {
  const used = new Set<string>();
  for (const { pods } of nodes) {
    for (const pod of pods) {
      if (pod.namespace !== namespace) continue;
      for (const name of claimNames(pod)) if (names.has(name)) used.add(name);
    }
  }
  return used.size;
}

/** Upstream compares names only and ignores the namespace of the other Pod. */
function usesOf({ exclusive }: State, other: PodModel): number {
  return claimNames(other).filter(it => exclusive.has(it)).length;
}

function claimNames(pod: PodModel): readonly string[] {
  return (pod.spec.volumes ?? []).flatMap(it =>
    it.persistentVolumeClaim ? [it.persistentVolumeClaim.claimName ?? ''] : [],
  );
}

function isSingleDisk(it: Volume): boolean {
  return Boolean(it.gcePersistentDisk ?? it.awsElasticBlockStore ?? it.rbd ?? it.iscsi);
}

function hasDiskConflict(pod: PodModel, node: NodeInfo): boolean {
  const disks = (pod.spec.volumes ?? []).filter(isSingleDisk);
  if (disks.length === 0) return false;
  return node.pods.some(other => (other.spec.volumes ?? []).some(theirs => disks.some(it => conflicts(it, theirs))));
}

/** Upstream: isVolumeConflict. Two readers may share any of these volumes but an EBS volume. */
function conflicts(a: Volume, b: Volume): boolean {
  const [gce, otherGce] = [a.gcePersistentDisk, b.gcePersistentDisk];
  if (gce && otherGce && gce.pdName === otherGce.pdName && !bothRead(gce, otherGce)) return true;
  const [ebs, otherEbs] = [a.awsElasticBlockStore, b.awsElasticBlockStore];
  if (ebs && otherEbs && ebs.volumeID === otherEbs.volumeID) return true;
  const [iscsi, otherIscsi] = [a.iscsi, b.iscsi];
  if (iscsi && otherIscsi && iscsi.iqn === otherIscsi.iqn && !bothRead(iscsi, otherIscsi)) return true;
  const [rbd, otherRbd] = [a.rbd, b.rbd];
  if (!rbd || !otherRbd || bothRead(rbd, otherRbd)) return false;
  const sharesMonitor = (rbd.monitors ?? []).some(it => (otherRbd.monitors ?? []).includes(it));
  return sharesMonitor && (rbd.pool || 'rbd') === (otherRbd.pool || 'rbd') && rbd.image === otherRbd.image;
}

function bothRead(a: { readonly readOnly?: boolean }, b: { readonly readOnly?: boolean }): boolean {
  return a.readOnly === true && b.readOnly === true;
}
