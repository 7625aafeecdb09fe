import type { CSINode, PersistentVolume, Volume } from '../kube/types';

/** A volume as its CSI driver knows it. */
export interface CsiVolume {
  readonly driver: string;
  readonly handle: string;
}

/** In-tree plugins whose volumes CSI drivers serve. Upstream: csi-translation-lib, and isCSIMigrationOn. */
const DRIVERS: ReadonlyMap<string, string> = new Map([
  ['kubernetes.io/aws-ebs', 'ebs.csi.aws.com'],
  ['kubernetes.io/gce-pd', 'pd.csi.storage.gke.io'],
  ['kubernetes.io/azure-disk', 'disk.csi.azure.com'],
  ['kubernetes.io/cinder', 'cinder.csi.openstack.org'],
  ['kubernetes.io/portworx-volume', 'pxd.portworx.com'],
]);

const OTHER_MIGRATED = new Set(['kubernetes.io/azure-file', 'kubernetes.io/vsphere-volume']);

/** The driver of volumes that a class provisions; undefined when the in-tree plugin is not migrated on the node. */
export function driverOfProvisioner(provisioner: string, csiNode: CSINode | undefined): string | undefined {
  if (!DRIVERS.has(provisioner) && !OTHER_MIGRATED.has(provisioner)) return provisioner;
  return csiNode ? DRIVERS.get(provisioner) : undefined;
}

/** An in-tree volume that its CSI driver cannot serve. */
export interface NotTranslated {
  readonly error: string;
}

/** What a Pod's inline in-tree volume is to its CSI driver; undefined for all that is not migrated. */
export function migratedInline(volume: Volume): CsiVolume | NotTranslated | undefined {
  const disk = volume.gcePersistentDisk;
  if (disk) return csi('kubernetes.io/gce-pd', zonalDisk('UNSPECIFIED', disk.pdName ?? ''));
  const { awsElasticBlockStore: ebs, azureDisk, cinder, portworxVolume } = volume;
  if (ebs) return ebsVolume(ebs.volumeID ?? '');
  if (azureDisk) return azureVolume(azureDisk);
  if (cinder) return csi('kubernetes.io/cinder', cinder.volumeID ?? '');
  return portworxVolume && csi('kubernetes.io/portworx-volume', portworxVolume.volumeID ?? '');
}

/** The same for a PersistentVolume. */
export function migratedVolume({ metadata, spec }: PersistentVolume): CsiVolume | NotTranslated | undefined {
  const disk = spec?.gcePersistentDisk;
  if (!disk) return migratedInline((spec ?? {}) as Volume);
  const labels = metadata?.labels ?? {};
  const zones = labels['failure-domain.beta.kubernetes.io/zone'] || labels['topology.kubernetes.io/zone'] || '';
  const names = zones.split('__');
  if (names.length < 2) return csi('kubernetes.io/gce-pd', zonalDisk(zones || 'UNSPECIFIED', disk.pdName ?? ''));
  const region = (names[0] ?? '').replace(/-[^-]*$/, '');
  return csi('kubernetes.io/gce-pd', `projects/UNSPECIFIED/regions/${region}/disks/${disk.pdName ?? ''}`);
}

function csi(plugin: string, handle: string): CsiVolume {
  return { driver: DRIVERS.get(plugin) ?? '', handle };
}

function zonalDisk(zone: string, name: string): string {
  return `projects/UNSPECIFIED/zones/${zone}/disks/${name}`;
}

/** `aws://ZONE/vol-1` names the volume `vol-1`. Upstream: KubernetesVolumeIDToEBSVolumeID. */
function ebsVolume(id: string): CsiVolume | NotTranslated {
  const handle = id.startsWith('aws://') ? id.slice('aws://'.length).replace(/^[^/]*\/*|\/+$/g, '') : id;
  if (id.startsWith('aws://') && !/^vol-[^/]*$/.test(handle)) {
    return { error: `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})` };
  }
  return csi('kubernetes.io/aws-ebs', handle);
}

/** The API server's default kind is Shared, which the driver does not know. */
function azureVolume({ kind = 'Shared', diskURI = '' }: NonNullable<Volume['azureDisk']>): CsiVolume | NotTranslated {
  if (kind.toLowerCase() !== 'managed') return { error: `kind(${kind}) is not supported in csi migration` };
  return csi('kubernetes.io/azure-disk', diskURI);
}
