import type { CSINode, NodeSelector, PersistentVolume, Volume } from '../../kube/types';

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

/** The driver for volumes of a class; undefined when the in-tree plugin is not migrated on the node. */
export function driverOfProvisioner(provisioner: string, csiNode: CSINode | undefined): string | undefined {
  if (!DRIVERS.has(provisioner) && !OTHER_MIGRATED.has(provisioner)) return provisioner;
  return csiNode ? DRIVERS.get(provisioner) : undefined;
}

/** An in-tree volume that its CSI driver cannot serve. */
export interface NotTranslated {
  readonly error: string;
}

/** A Pod's inline in-tree volume as its CSI driver identifies it; undefined where it is not migrated. */
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
  const zones = labels[BETA_ZONE] || labels[ZONE] || '';
  const names = zones.split('__');
  if (names.length < 2) return csi('kubernetes.io/gce-pd', zonalDisk(zones || 'UNSPECIFIED', disk.pdName ?? ''));
  const region = regionOf(names);
  if (typeof region !== 'string') return region;
  return csi('kubernetes.io/gce-pd', `projects/UNSPECIFIED/regions/${region}/disks/${disk.pdName ?? ''}`);
}

/** Upstream: gceGetRegionFromZones. A zone is LOCALE-REGION-ZONE. */
function regionOf(zones: readonly string[]): string | NotTranslated {
  const malformed = zones.find(it => it.split('-').length !== 3);
  if (malformed !== undefined) {
    const expected = 'zone in unexpected format, expected: {locale}-{region}-{zone}, got:';
    return { error: `failed to get region from zones: ${expected} ${malformed}` };
  }
  const regions = [...new Set(zones.map(it => it.replace(/-[^-]*$/, '')))].sort();
  if (regions.length === 1) return regions[0]!;
  const printed = regions.map(it => `${it}:{}`).join(' ');
  return { error: `failed to get region from zones: multiple or no regions gotten from zones, got: map[${printed}]` };
}

const ZONE = 'topology.kubernetes.io/zone';
const REGION = 'topology.kubernetes.io/region';
const BETA_ZONE = 'failure-domain.beta.kubernetes.io/zone';
const BETA_REGION = 'failure-domain.beta.kubernetes.io/region';

/** In-tree sources, their plugins, and the driver's zone label; absent: the driver has none. */
const IN_TREE_SOURCES = [
  { field: 'awsElasticBlockStore', plugin: 'kubernetes.io/aws-ebs', zoneKey: 'topology.ebs.csi.aws.com/zone' },
  { field: 'gcePersistentDisk', plugin: 'kubernetes.io/gce-pd', zoneKey: 'topology.gke.io/zone' },
  { field: 'cinder', plugin: 'kubernetes.io/cinder', zoneKey: 'topology.cinder.csi.openstack.org/zone' },
  { field: 'azureDisk', plugin: 'kubernetes.io/azure-disk' },
  { field: 'portworxVolume', plugin: 'kubernetes.io/portworx-volume' },
] as const;

/** The topology that an in-tree volume requires of a node where its plugin is migrated. */
export interface MigratedTopology {
  readonly plugin: string;
  /** Absent: no restriction. */
  readonly required?: NodeSelector;
  /** Why the driver cannot serve it. */
  readonly error?: string;
}

/** undefined: not an in-tree volume that is ever migrated. Upstream: TranslateInTreePVToCSI. */
export function migratedTopology(volume: PersistentVolume): MigratedTopology | undefined {
  const source = IN_TREE_SOURCES.find(it => (volume.spec as Readonly<Record<string, unknown>> | undefined)?.[it.field]);
  if (!source) return undefined;
  const { plugin } = source;
  const translated = migratedVolume(volume);
  if (translated && 'error' in translated) return { plugin, error: translated.error };
  const written = volume.spec?.nodeAffinity?.required;
  const required = 'zoneKey' in source ? withZonesAs(source.zoneKey, volume) : written;
  return { plugin, ...(required && { required }) };
}

/** Upstream: isPluginMigratedToCSIOnNode. */
export function isMigratedOn(csiNode: CSINode | undefined, plugin: string): boolean {
  const written = csiNode?.metadata?.annotations?.['storage.alpha.kubernetes.io/migrated-plugins'] ?? '';
  return written.split(',').includes(plugin);
}

/**
 * Zones of the node affinity, otherwise of the labels, under the driver's key. Upstream:
 * translateTopologyFromInTreeToCSI.
 */
function withZonesAs(zoneKey: string, { metadata, spec }: PersistentVolume): NodeSelector | undefined {
  const required = spec?.nodeAffinity?.required;
  const labels = metadata?.labels ?? {};
  const expressions = (required?.nodeSelectorTerms ?? []).flatMap(it => it.matchExpressions ?? []);
  const names = (key: string): boolean => expressions.some(it => it.key === key);
  const isBeta = !names(ZONE) && (names(BETA_ZONE) || (!(ZONE in labels) && BETA_ZONE in labels));
  const ownZone = isBeta ? BETA_ZONE : ZONE;
  const rename = (selector: NodeSelector | undefined, from: string, to: string): NodeSelector | undefined => {
    const hasValues = expressions.some(it => it.key === from && (it.values ?? []).length > 0);
    if (!selector || !hasValues) return selector;
    return mapExpressions(selector, list => list.map(it => (it.key === from ? { ...it, key: to } : it)));
  };
  const found = rename(required, ownZone, zoneKey);
  const zoned = found === required ? withLabelZones(required, zoneKey, labels[ownZone]) : found;
  return isBeta ? rename(zoned, BETA_REGION, REGION) : zoned;
}

type Expressions = NonNullable<NonNullable<NodeSelector['nodeSelectorTerms']>[number]['matchExpressions']>;

function mapExpressions(selector: NodeSelector, change: (list: Expressions) => Expressions): NodeSelector {
  return {
    nodeSelectorTerms: (selector.nodeSelectorTerms ?? []).map(it => ({
      ...it,
      matchExpressions: change(it.matchExpressions ?? []),
    })),
  };
}

/** Upstream: addTopology. */
function withLabelZones(
  required: NodeSelector | undefined,
  key: string,
  label: string | undefined,
): NodeSelector | undefined {
  const zones = [...new Set((label ?? '').split('__').map(it => it.trim()))].filter(it => it !== '').sort();
  if (zones.length === 0) return required;
  const terms = required?.nodeSelectorTerms ?? [];
  const selector = { nodeSelectorTerms: terms.length > 0 ? terms : [{}] };
  return mapExpressions(selector, list => [...list, { key, operator: 'In', values: zones }]);
}

function csi(plugin: string, handle: string): CsiVolume {
  return { driver: DRIVERS.get(plugin) ?? '', handle };
}

function zonalDisk(zone: string, name: string): string {
  return `projects/UNSPECIFIED/zones/${zone}/disks/${name}`;
}

/** `aws://ZONE/vol-1` identifies the volume `vol-1`. Upstream: KubernetesVolumeIDToEBSVolumeID. */
function ebsVolume(id: string): CsiVolume | NotTranslated {
  const handle = id.startsWith('aws://') ? id.slice('aws://'.length).replace(/^[^/]*\/*|(?<!\/)\/+$/g, '') : id;
  if (id.startsWith('aws://') && !/^vol-[^/]*$/.test(handle)) {
    return { error: `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})` };
  }
  return csi('kubernetes.io/aws-ebs', handle);
}

/** The API server's default kind is Shared, which the driver does not support. */
function azureVolume({ kind = 'Shared', diskURI = '' }: NonNullable<Volume['azureDisk']>): CsiVolume | NotTranslated {
  if (kind.toLowerCase() !== 'managed') return { error: `kind(${kind}) is not supported in csi migration` };
  return csi('kubernetes.io/azure-disk', diskURI);
}
