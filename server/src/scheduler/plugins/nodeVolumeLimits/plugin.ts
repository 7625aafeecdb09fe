import type { PodModel } from '../../../cluster/pods/podModel';
import { driverOfProvisioner, migratedInline, migratedVolume } from '../../../cluster/storage/migration';
import { claimNameOf, type StorageModel, type VolumeClaimModel } from '../../../cluster/storage/volumes';
import type { CSINode } from '../../../kube/types';
import type { PluginFactory, Refusal } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { signNoVolumes } from '../../framework/signatures';
import { failure, skip, success, unresolvable, unschedulable } from '../../framework/status';
import { whyNotOwn } from '../volumeBinding/binder';

/** Unique name of a volume → its driver. */
type Attachable = Map<string, string>;

/** Upstream: pkg/scheduler/framework/plugins/nodevolumelimits. */
export const nodeVolumeLimits: PluginFactory = ({ gates }) =>
  definePlugin({
    name: 'NodeVolumeLimits',
    shares: { dependsOn: 'node', sign: signNoVolumes },
    preFilter(pod) {
      const counts = (pod.spec.volumes ?? []).some(
        it => claimNameOf(pod.name, it) !== undefined || migratedInline(it) || it.azureFile || it.vsphereVolume,
      );
      return { status: counts ? success : skip };
    },
    filter(_, pod, node, { cluster: { storage } }) {
      const csiNode = storage.csiNodes.get(node.name);
      const fresh: Attachable = new Map();
      const trouble = collect(pod, storage, csiNode, fresh);
      if (trouble) return trouble;
      if (fresh.size === 0) return success;
      for (const driver of gates.volumeLimitScaling ? fresh.values() : []) {
        if (!mayUse(driver, csiNode, storage)) {
          return unschedulable(`${driver} CSI driver is not installed on the node`);
        }
      }
      const limits = limitsOf(csiNode);
      if (limits.size === 0) return success;

      const attached: Attachable = new Map();
      for (const other of node.pods) {
        const trouble = collect(other, storage, csiNode, attached);
        if (trouble?.code === 'Error') return trouble;
      }
      for (const name of attached.keys()) fresh.delete(name);
      for (const [name, driver] of attachmentsOf(node.name, storage)) attached.set(name, attached.get(name) ?? driver);
      const used = countsOf(attached);
      for (const [driver, count] of countsOf(fresh)) {
        const limit = limits.get(driver);
        if (limit !== undefined && (used.get(driver) ?? 0) + count > limit) {
          return unschedulable('node(s) exceed max volume count');
        }
      }
      return success;
    },
  });

/**
 * Adds the Pod's volumes. The first unreadable volume is reported; a missing claim is an error for a new Pod only.
 * Upstream: filterAttachableVolumes.
 */
function collect(
  pod: PodModel,
  storage: StorageModel,
  csiNode: CSINode | undefined,
  target: Attachable,
): Refusal | undefined {
  let missing: Refusal | undefined;
  for (const volume of pod.spec.volumes ?? []) {
    const name = claimNameOf(pod.name, volume);
    if (name === undefined) {
      const inline = csiNode && migratedInline(volume);
      if (inline && 'error' in inline) {
        return missing ?? failure(`converting volume(${volume.name ?? ''}) from inline to csi: ${inline.error}`);
      }
      if (inline) target.set(`${inline.driver}/${inline.handle}`, inline.driver);
      continue;
    }
    if (name === '') return missing ?? failure('PersistentVolumeClaim had no name');
    const claim = storage.claims.get(`${pod.namespace}/${name}`);
    if (!claim) {
      missing ??= unresolvable(`looking up PVC ${pod.namespace}/${name}: persistentvolumeclaim "${name}" not found`);
      continue;
    }
    const foreign = volume.ephemeral && whyNotOwn(claim, pod);
    if (foreign !== undefined) return missing ?? failure(foreign);
    const found = csiVolumeOf(claim, storage, csiNode);
    if (found?.driver && found.handle) target.set(`${found.driver}/${found.handle}`, found.driver);
  }
  return missing;
}

/** Upstream: getCSIDriverInfo. A claim without a volume counts for the driver of its class. */
function csiVolumeOf(
  claim: VolumeClaimModel,
  storage: StorageModel,
  csiNode: CSINode | undefined,
): { readonly driver: string; readonly handle: string } | undefined {
  const volume = claim.volumeName === '' ? undefined : storage.volumes.get(claim.volumeName);
  if (volume) {
    const csi = volume.source.spec?.csi;
    if (csi) return { driver: csi.driver ?? '', handle: csi.volumeHandle ?? '' };
    const migrated = csiNode && migratedVolume(volume.source);
    return migrated && 'driver' in migrated ? migrated : undefined;
  }
  const found = storage.classes.get(claim.className);
  const driver = found && driverOfProvisioner(found.provisioner ?? '', csiNode);
  return driver === undefined ? undefined : { driver, handle: `of claim ${claim.id}` };
}

/** Upstream: checkCSIDriverOnNode. Only drivers that require it must be on the node. */
function mayUse(driver: string, csiNode: CSINode | undefined, { csiDrivers }: StorageModel): boolean {
  if (csiDrivers.get(driver)?.spec?.preventPodSchedulingIfMissing !== true) return true;
  return (csiNode?.spec?.drivers ?? []).some(it => it.name === driver);
}

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const res = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec?.drivers ?? []) {
    if (typeof allocatable?.count === 'number') res.set(name ?? '', allocatable.count);
  }
  return res;
}

/** Upstream: getNodeVolumeAttachmentInfo. */
function attachmentsOf(node: string, storage: StorageModel): Attachable {
  const res: Attachable = new Map();
  for (const { spec } of storage.attachments.get(node) ?? []) {
    const csi = storage.volumes.get(spec?.source?.persistentVolumeName ?? '')?.source.spec?.csi;
    if (spec?.attacher && csi) res.set(`${spec.attacher}/${csi.volumeHandle ?? ''}`, spec.attacher);
  }
  return res;
}

function countsOf(volumes: Attachable): ReadonlyMap<string, number> {
  const res = new Map<string, number>();
  for (const driver of volumes.values()) res.set(driver, (res.get(driver) ?? 0) + 1);
  return res;
}
