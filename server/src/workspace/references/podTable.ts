import { groupOfPodKind, podKinds, podSpecPath } from '../../kube/podTemplates';
import { NAMED, names, selects } from './kinds';
import type { Bundle, BundleLocation, PartRow, ReferenceRow } from './row';

/** The references of a PodSpec, in any kind. */

const POD_SPECS: readonly BundleLocation[] = podKinds.map(kind => {
  const path = podSpecPath(kind) ?? [];
  return { group: groupOfPodKind(kind) ?? '', kind, path: path.join('.'), podSpecDepth: path.length };
});

const below = (places: readonly BundleLocation[], path: string): readonly BundleLocation[] =>
  places.map(it => ({ ...it, path: it.path === '' ? path : `${it.path}.${path}` }));

const CONTAINERS: readonly BundleLocation[] = ['containers[]', 'initContainers[]', 'ephemeralContainers[]'].flatMap(
  it => below(POD_SPECS, it),
);

export const CONFIG_MAP_KEYS = ['data{}', 'binaryData{}'];
export const SECRET_KEYS = ['data{}', 'stringData{}'];

const key = (at: string, keys: readonly string[]): readonly PartRow[] => [{ at, what: 'key', names: keys }];
const OPTIONAL = { optionalField: 'optional' } as const;

const volumeSources: readonly ReferenceRow[] = [
  names('configMap.name', NAMED.configMap, { ...OPTIONAL, parts: key('items[].key', CONFIG_MAP_KEYS) }),
  names('secret.secretName', NAMED.secret, { ...OPTIONAL, parts: key('items[].key', SECRET_KEYS) }),
  names('projected.sources[].configMap.name', NAMED.configMap, {
    ...OPTIONAL,
    parts: key('items[].key', CONFIG_MAP_KEYS),
  }),
  names('projected.sources[].secret.name', NAMED.secret, { ...OPTIONAL, parts: key('items[].key', SECRET_KEYS) }),
  names('projected.sources[].clusterTrustBundle.name', NAMED.trustBundle, OPTIONAL),
  names('persistentVolumeClaim.claimName', NAMED.claim),
  names('csi.driver', NAMED.csiDriver, { isOptional: true }),
  names('csi.nodePublishSecretRef.name', NAMED.secret),
  names('azureFile.secretName', NAMED.secret),
  ...['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map(it =>
    names(`${it}.secretRef.name`, NAMED.secret),
  ),
];

const containerNames = ['containers[].name', 'initContainers[].name'];

const volumeFields: readonly ReferenceRow[] = ['downwardAPI', 'projected.sources[].downwardAPI'].map(it => ({
  at: `${it}.items[].resourceFieldRef.containerName`,
  aim: { to: 'local', scope: 'podSpec', what: 'container', names: containerNames },
}));

const podSpec: readonly ReferenceRow[] = [
  names('priorityClassName', NAMED.priorityClass),
  names('runtimeClassName', NAMED.runtimeClass),
  names('serviceAccountName', NAMED.serviceAccount),
  names('serviceAccount', NAMED.serviceAccount),
  names('nodeName', NAMED.node),
  names('imagePullSecrets[].name', NAMED.secret, { isOptional: true }),
  names('resourceClaims[].resourceClaimName', NAMED.resourceClaim),
  names('resourceClaims[].resourceClaimTemplateName', NAMED.resourceClaimTemplate),
  names('schedulingGroup.podGroupName', NAMED.podGroup),
  names('workloadRef.name', NAMED.workload),
  {
    at: 'schedulerName',
    aim: { to: 'partOfAny', kind: NAMED.schedulerConfiguration, names: ['profiles[].schedulerName'] },
  },
  {
    at: 'ephemeralContainers[].targetContainerName',
    aim: { to: 'local', scope: 'podSpec', what: 'container', names: ['containers[].name'] },
  },
  {
    at: 'resources.claims[].name',
    aim: { to: 'local', scope: 'podSpec', what: 'resource claim', names: ['resourceClaims[].name'] },
  },
  selects('topologySpreadConstraints[].labelSelector', 'labelSelector'),
  ...['podAffinity', 'podAntiAffinity'].flatMap(it => [
    selects(`affinity.${it}.requiredDuringSchedulingIgnoredDuringExecution[].labelSelector`, 'labelSelector', 'peer'),
    selects(
      `affinity.${it}.preferredDuringSchedulingIgnoredDuringExecution[].podAffinityTerm.labelSelector`,
      'labelSelector',
      'peer',
    ),
  ]),
];

const HANDLERS = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle.postStart', 'lifecycle.preStop'];

const container: readonly ReferenceRow[] = [
  names('envFrom[].configMapRef.name', NAMED.configMap, OPTIONAL),
  names('envFrom[].secretRef.name', NAMED.secret, OPTIONAL),
  names('env[].valueFrom.configMapKeyRef.name', NAMED.configMap, {
    ...OPTIONAL,
    parts: key('key', CONFIG_MAP_KEYS),
  }),
  names('env[].valueFrom.secretKeyRef.name', NAMED.secret, { ...OPTIONAL, parts: key('key', SECRET_KEYS) }),
  {
    at: 'env[].valueFrom.fileKeyRef.volumeName',
    aim: { to: 'local', scope: 'podSpec', what: 'volume', names: ['volumes[].name'] },
    ...OPTIONAL,
  },
  {
    at: 'env[].valueFrom.resourceFieldRef.containerName',
    aim: { to: 'local', scope: 'podSpec', what: 'container', names: containerNames },
  },
  ...['volumeMounts[].name', 'volumeDevices[].name'].map(
    (at): ReferenceRow => ({
      at,
      aim: { to: 'local', scope: 'podSpec', what: 'volume', names: ['volumes[].name'] },
    }),
  ),
  {
    at: 'resources.claims[].name',
    aim: { to: 'local', scope: 'podSpec', what: 'resource claim', names: ['resourceClaims[].name'] },
  },
  ...HANDLERS.flatMap(handler =>
    ['httpGet', 'tcpSocket'].map(
      (action): ReferenceRow => ({
        at: `${handler}.${action}.port`,
        aim: { to: 'local', scope: 'container', what: 'port', names: ['ports[].name'] },
      }),
    ),
  ),
];

/** The references of a claim's spec: in a claim, in a StatefulSet's templates, in an ephemeral volume. */
export const CLAIM_SPEC: readonly ReferenceRow[] = [
  names('storageClassName', NAMED.storageClass),
  names('volumeAttributesClassName', NAMED.attributesClass),
  names('volumeName', NAMED.volume),
  { at: 'dataSource.name', aim: { to: 'typed', groupField: 'apiGroup' } },
  { at: 'dataSourceRef.name', aim: { to: 'typed', groupField: 'apiGroup', namespaceField: 'namespace' } },
];

const VOLUMES = below(POD_SPECS, 'volumes[]');

export const POD_BUNDLES: readonly Bundle[] = [
  { places: POD_SPECS, rows: podSpec },
  { places: CONTAINERS, rows: container },
  { places: VOLUMES, rows: [...volumeSources, ...volumeFields] },
  {
    places: [
      { group: '', kind: 'PersistentVolumeClaim', path: 'spec' },
      { group: 'apps', kind: 'StatefulSet', path: 'spec.volumeClaimTemplates[].spec' },
      ...below(VOLUMES, 'ephemeral.volumeClaimTemplate.spec'),
    ],
    rows: CLAIM_SPEC,
  },
];
