import type { UnknownObject } from '../../../server/src/base/json';
import type { Draw } from './draw';
import { IMAGES, ZONES } from './nodes';

const ZONE = 'topology.kubernetes.io/zone';
const DRIVER = 'disk.example';
const CLASSES = ['late', 'zoned', 'local', 'now', 'aws'];
const MODES = ['ReadWriteOnce', 'ReadWriteOnce', 'ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany'];

export interface Storage {
  readonly objects: readonly UnknownObject[];
  /** Volumes for a Pod of the namespace, and of the node if it is running. */
  readonly volumesFor: (namespace: string, node: string | undefined) => readonly UnknownObject[];
}

export const NO_STORAGE: Storage = { objects: [], volumesFor: () => [] };

/**
 * Classes, volumes, claims and the objects of CSI drivers for nodes; `tracksCapacity`: the driver reports its free
 * capacity.
 */
export function storage(draw: Draw, nodeNames: readonly string[], tracksCapacity: boolean): Storage {
  const objects: UnknownObject[] = [...classes(draw)];
  // Volumes of equal size are visited in the order of a map, so all sizes differ.
  const sizes = draw.sample([1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 15, 17, 19, 21, 25], 16);
  const volumes = draw.times(2, 7, i => volume(draw, `pv${i}`, sizes[i]!, nodeNames));
  const claims = draw.times(2, 7, i => claim(draw, `claim${i}`));
  const bound = draw.times(1, 5, i => boundPair(draw, i, nodeNames));
  objects.push(...volumes, ...claims, ...bound.flat());
  objects.push(...nodeNames.flatMap(it => (draw.chance(0.7) ? [csiNode(draw, it)] : [])));
  objects.push(...driverObjects(draw, tracksCapacity), ...(tracksCapacity ? capacities(draw) : []));
  objects.push(...draw.times(0, 2, i => attachment(draw, i, nodeNames)));
  const names = [...claims.map(nameOf), ...bound.map(([, it]) => nameOf(it!))];
  return {
    objects,
    volumesFor: (namespace, node) =>
      draw
        .times(0, draw.chance(0.3) ? 3 : 1, i => podVolume(draw, `v${i}`, namespace === 'default' ? names : [], node))
        .flat(),
  };
}

function nameOf(object: UnknownObject): string {
  return String((object.metadata as UnknownObject).name);
}

function classes(draw: Draw): readonly UnknownObject[] {
  const make = (name: string, provisioner: string, more: UnknownObject = {}): UnknownObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner,
    volumeBindingMode: 'WaitForFirstConsumer',
    ...more,
  });
  const isDefault = { 'storageclass.kubernetes.io/is-default-class': 'true' };
  return [
    make('late', DRIVER, draw.chance(0.4) ? { metadata: { name: 'late', annotations: isDefault } } : {}),
    make('zoned', DRIVER, {
      allowedTopologies: [
        { matchLabelExpressions: [{ key: ZONE, values: draw.sample(ZONES, draw.int(1, 2)) }] },
        ...draw.some([{ matchLabelExpressions: [{ key: 'rack', values: ['r1'] }] }], 0.3),
      ],
    }),
    make('local', 'kubernetes.io/no-provisioner'),
    make('now', DRIVER, { volumeBindingMode: 'Immediate' }),
    make('aws', draw.pick(['kubernetes.io/aws-ebs', 'kubernetes.io/gce-pd'])),
  ];
}

function affinity(draw: Draw, nodeNames: readonly string[]): UnknownObject {
  const expression = draw.chance(0.5)
    ? { key: 'kubernetes.io/hostname', operator: 'In', values: draw.sample(nodeNames, draw.int(1, 2)) }
    : { key: ZONE, operator: draw.pick(['In', 'In', 'NotIn']), values: draw.sample(ZONES, draw.int(1, 2)) };
  return { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } };
}

function source(draw: Draw, name: string): UnknownObject {
  return draw.pick<UnknownObject>([
    { csi: { driver: DRIVER, volumeHandle: name } },
    { csi: { driver: DRIVER, volumeHandle: name } },
    { awsElasticBlockStore: { volumeID: `vol-${name}` } },
    { gcePersistentDisk: { pdName: name } },
    { nfs: { server: 'nfs.example', path: '/' } },
  ]);
}

function zoneLabels(draw: Draw): UnknownObject {
  const beta = draw.chance(0.3);
  const zones = draw.pick(['a', 'b', 'a__b', 'c', 'a__']);
  return {
    [beta ? 'failure-domain.beta.kubernetes.io/zone' : ZONE]: zones,
    ...(draw.chance(0.3) && { 'topology.kubernetes.io/region': 'east' }),
  };
}

const leaving = { deletionTimestamp: '2026-01-01T00:10:00Z', finalizers: ['x.io/hold'] };

function volume(draw: Draw, name: string, size: number, nodeNames: readonly string[]): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: {
      name,
      labels: { ...(draw.chance(0.3) && { fast: 'yes' }), ...(draw.chance(0.2) && zoneLabels(draw)) },
      ...(draw.chance(0.03) && leaving),
    },
    spec: {
      capacity: { storage: `${size}Gi` },
      accessModes: [...new Set(['ReadWriteOnce', draw.pick(MODES.slice(3))])],
      storageClassName: draw.pick(['late', 'late', 'zoned', 'local', 'local']),
      volumeMode: draw.maybe(0.1, () => 'Block'),
      volumeAttributesClassName: draw.maybe(0.05, () => 'fast'),
      nodeAffinity: draw.maybe(0.7, () => affinity(draw, nodeNames)),
      claimRef: draw.maybe(0.1, () => ({ namespace: 'default', name: draw.pick(['claim0', 'claim1', 'stranger']) })),
      ...source(draw, name),
    },
    status: { phase: draw.chance(0.9) ? 'Available' : draw.pick(['Released', 'Failed', 'Pending']) },
  };
}

function claim(draw: Draw, name: string): UnknownObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      annotations: draw.maybe(0.08, () =>
        draw.pick<UnknownObject>([
          { 'volume.kubernetes.io/selected-node': draw.pick(['n1', 'n2']) },
          { 'volume.beta.kubernetes.io/storage-class': 'late' },
        ]),
      ),
      ...(draw.chance(0.03) && leaving),
    },
    spec: {
      ...claimSpec(draw),
      selector: draw.maybe(0.1, () => ({ matchLabels: { fast: 'yes' } })),
      volumeMode: draw.maybe(0.05, () => 'Block'),
      volumeAttributesClassName: draw.maybe(0.05, () => 'fast'),
    },
    status: { phase: draw.chance(0.03) ? 'Lost' : 'Pending' },
  };
}

function claimSpec(draw: Draw): UnknownObject {
  return {
    accessModes: [draw.pick(MODES)],
    storageClassName: draw.chance(0.05)
      ? undefined
      : draw.chance(0.04)
        ? draw.pick(['', 'unknown'])
        : draw.pick(['late', 'late', ...CLASSES]),
    resources: { requests: { storage: draw.pick(['500Mi', '1Gi', '3Gi', '6Gi', '12Gi', '20Gi']) } },
  };
}

/** A volume and the claim that it is bound to. */
function boundPair(draw: Draw, i: number, nodeNames: readonly string[]): readonly UnknownObject[] {
  const [name, of] = [`bound${i}`, `taken${i}`];
  const mode = draw.pick(MODES);
  const shared = { accessModes: [mode], storageClassName: draw.pick(CLASSES) };
  const isComplete = draw.chance(0.93);
  const pv: UnknownObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, labels: draw.maybe(0.5, () => zoneLabels(draw)) },
    spec: {
      ...shared,
      capacity: { storage: '10Gi' },
      nodeAffinity: draw.maybe(0.4, () => affinity(draw, nodeNames)),
      claimRef: {
        kind: 'PersistentVolumeClaim',
        namespace: 'default',
        name: of,
        // Without it no controller completes the binding.
        uid: isComplete ? `persistentvolumeclaim-default-${of}` : undefined,
      },
      ...source(draw, name),
    },
    status: { phase: 'Bound' },
  };
  const complete = { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' };
  const pvc: UnknownObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: of, annotations: isComplete ? complete : undefined },
    spec: { ...shared, volumeName: name, resources: { requests: { storage: '10Gi' } } },
    status: { phase: 'Bound' },
  };
  return draw.chance(0.06) ? [{ ...pv, metadata: { name: `${name}-other` } }, pvc] : [pv, pvc];
}

function csiNode(draw: Draw, name: string): UnknownObject {
  const driver = (of: string): UnknownObject => ({
    name: of,
    nodeID: name,
    topologyKeys: draw.maybe(0.5, () => [ZONE]),
    allocatable: draw.maybe(0.6, () => ({ count: draw.int(1, 3) })),
  });
  const migrated = 'kubernetes.io/aws-ebs,kubernetes.io/gce-pd';
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: {
      name,
      annotations: draw.maybe(0.6, () => ({ 'storage.alpha.kubernetes.io/migrated-plugins': migrated })),
    },
    spec: { drivers: draw.some([DRIVER, 'ebs.csi.aws.com', 'pd.csi.storage.gke.io'], 0.7).map(driver) },
  };
}

function driverObjects(draw: Draw, tracksCapacity: boolean): readonly UnknownObject[] {
  const object = (name: string, spec: UnknownObject): UnknownObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name },
    spec,
  });
  const missing = (): true | undefined => draw.maybe(0.3, () => true as const);
  return [
    ...draw.some([object(DRIVER, { storageCapacity: tracksCapacity, preventPodSchedulingIfMissing: missing() })], 0.9),
    ...draw.some([object('ebs.csi.aws.com', { preventPodSchedulingIfMissing: missing() })], 0.3),
  ];
}

function capacities(draw: Draw): readonly UnknownObject[] {
  const make = (className: string, zone: string): UnknownObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIStorageCapacity',
    metadata: { name: `${className}-${zone}`, namespace: 'kube-system' },
    storageClassName: className,
    nodeTopology: draw.maybe(0.95, () => ({ matchLabels: { [ZONE]: zone } })),
    capacity: draw.maybe(0.95, () => draw.pick(['2Gi', '5Gi', '10Gi', '40Gi', '100Gi'])),
    maximumVolumeSize: draw.maybe(0.2, () => draw.pick(['1Gi', '8Gi', '50Gi'])),
  });
  return ['late', 'zoned'].flatMap(it => draw.some(ZONES, 0.7).map(zone => make(it, zone)));
}

function attachment(draw: Draw, i: number, nodeNames: readonly string[]): UnknownObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: `attached${i}` },
    spec: {
      attacher: draw.pick([DRIVER, 'ebs.csi.aws.com']),
      nodeName: draw.pick(nodeNames),
      source: { persistentVolumeName: draw.pick(['bound0', 'bound1', 'pv0', 'gone']) },
    },
    status: { attached: true },
  };
}

function podVolume(
  draw: Draw,
  name: string,
  claims: readonly string[],
  node: string | undefined,
): readonly UnknownObject[] {
  const roll = draw.int(0, 19);
  if (roll < 13 && claims.length > 0) {
    // A running Pod has its volumes already.
    const usable = node === undefined ? claims : claims.filter(it => it.startsWith('taken'));
    const claimName =
      node === undefined && draw.chance(0.03) ? 'absent' : draw.pick(usable.length > 0 ? usable : claims);
    return [{ name, persistentVolumeClaim: { claimName, readOnly: draw.maybe(0.1, () => true) } }];
  }
  if (roll < 16 && node === undefined) {
    return [{ name, ephemeral: { volumeClaimTemplate: { spec: { ...claimSpec(draw), selector: undefined } } } }];
  }
  const readOnly = draw.maybe(0.3, () => true);
  return [
    draw.pick<UnknownObject>([
      { name, gcePersistentDisk: { pdName: draw.pick(['d1', 'd2']), readOnly } },
      { name, awsElasticBlockStore: { volumeID: draw.pick(['vol-1', 'aws://a/vol-2', 'vol-2']), readOnly } },
      {
        name,
        iscsi: {
          targetPortal: '10.0.0.9:3260',
          iqn: draw.pick(['iqn.2026-01.example:a', 'iqn.2026-01.example:b']),
          lun: 0,
          readOnly,
        },
      },
      {
        name,
        rbd: {
          monitors: draw.sample(['m1', 'm2'], draw.int(1, 2)),
          image: draw.pick(['i1', 'i2']),
          pool: draw.maybe(0.3, () => 'p'),
          readOnly,
        },
      },
      { name, azureDisk: { diskName: 'd', diskURI: `https://${draw.pick(['a', 'b'])}.blob.core.windows.net/c/d.vhd` } },
      { name, emptyDir: {} },
      { name, image: { reference: draw.pick(IMAGES), pullPolicy: 'IfNotPresent' } },
    ]),
  ];
}
