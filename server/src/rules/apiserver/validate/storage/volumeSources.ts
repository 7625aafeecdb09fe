import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { entries, int, items, optionalInt, optionalText, record, text } from '../../../../kube/goFields';
import { dns1123LabelErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, invalid, invalids, notSupported, required } from '../errors';
import { needs, noBacksteps, oneOfIfSet } from '../shared/checks';
import { iscsiErrors } from './iscsi';
import type { SourceHolder, SourceType } from './sourceUnion';

/** The check that none of the fields is empty. */
export const needing =
  (...fields: readonly string[]) =>
  (source: JsonObject, at: FieldPath): readonly FieldError[] => [...needs(source, fields, at)];

const partitioned =
  (id: string) =>
  (source: JsonObject, at: FieldPath): readonly FieldError[] => {
    const partition = int(source, 'partition');
    return [
      ...needing(id)(source, at),
      // Upstream's message leaves out zero, which it accepts.
      ...(partition < 0 || partition > 255
        ? [invalid(at.child('partition'), partition, 'must be between 1 and 255, inclusive')]
        : []),
    ];
  };

/**
 * The types that a Pod's volume and a PersistentVolume share, by field. A field that only a PersistentVolume has (an
 * `endpointsNamespace`, say) has been dropped from a Pod before these checks.
 */
export const sharedSources = {
  hostPath: { field: 'hostPath', errors: hostPathErrors },
  gcePersistentDisk: { field: 'gcePersistentDisk', checkedAt: 'persistentDisk', errors: partitioned('pdName') },
  awsElasticBlockStore: { field: 'awsElasticBlockStore', errors: partitioned('volumeID') },
  glusterfs: { field: 'glusterfs', errors: glusterErrors },
  flocker: { field: 'flocker', errors: flockerErrors },
  nfs: { field: 'nfs', errors: nfsErrors },
  rbd: { field: 'rbd', errors: (source, at) => [...monitorErrors(source, at), ...needing('image')(source, at)] },
  quobyte: { field: 'quobyte', errors: quobyteErrors },
  cephfs: { field: 'cephfs', forbiddenAt: 'cephFS', errors: monitorErrors },
  iscsi: { field: 'iscsi', errors: iscsiErrors },
  cinder: { field: 'cinder', errors: cinderErrors },
  fc: { field: 'fc', errors: fibreErrors },
  flexVolume: { field: 'flexVolume', errors: flexErrors },
  azureFile: { field: 'azureFile', errors: azureFileErrors },
  vsphereVolume: { field: 'vsphereVolume', errors: needing('volumePath') },
  photonPersistentDisk: { field: 'photonPersistentDisk', errors: needing('pdID') },
  portworxVolume: { field: 'portworxVolume', errors: needing('volumeID') },
  azureDisk: { field: 'azureDisk', errors: azureDiskErrors },
  scaleIO: { field: 'scaleIO', errors: needing('gateway', 'system', 'volumeName') },
  storageos: { field: 'storageos', errors: storageosErrors },
} satisfies Readonly<Record<string, SourceType<SourceHolder>>>;

/** Upstream: core.HostPathType, in alphabetical order; '' means no check. */
const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function* hostPathErrors(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* localErrors(source, at);
  if (text(source, 'path') !== '') yield* oneOfIfSet(source, 'type', at.child('type'), hostPathTypes);
}

export function* localErrors(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* needs(source, ['path'], at);
  yield* noBacksteps(text(source, 'path'), at.child('path'));
}

function glusterErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const namespace = optionalText(source, 'endpointsNamespace');
  const wrong =
    namespace === ''
      ? ['if the endpointnamespace is set, it must be a valid namespace name']
      : namespace === undefined
        ? []
        : dns1123LabelErrors(namespace);
  return [
    ...needing('endpoints', 'path')(source, at),
    ...invalids(at.child('endpointsNamespace'), namespace ?? '', wrong),
  ];
}

function flockerErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = text(source, 'datasetName');
  const id = text(source, 'datasetUUID');
  return [
    ...(name === '' && id === '' ? [required(at, 'one of datasetName and datasetUUID is required')] : []),
    ...(name !== '' && id !== ''
      ? [invalid(at, 'resource', 'datasetName and datasetUUID can not be specified simultaneously')]
      : []),
    ...(name.includes('/') ? [invalid(at.child('datasetName'), name, "must not contain '/'")] : []),
  ];
}

function nfsErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const path = text(source, 'path');
  return [
    ...needing('server', 'path')(source, at),
    ...(path.startsWith('/') ? [] : [invalid(at.child('path'), path, 'must be an absolute path')]),
  ];
}

function monitorErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return items(source, 'monitors').length === 0 ? [required(at.child('monitors'))] : [];
}

function quobyteErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return [...registryErrors(source, at), ...needing('volume')(source, at)];
}

function registryErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const registry = text(source, 'registry');
  const rule = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') return [required(at.child('registry'), rule)];
  if (byteLength(text(source, 'tenant')) >= 65) {
    return [required(at.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters')];
  }
  return registry
    .split(',')
    .filter(it => !/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(it))
    .map(() => invalid(at.child('registry'), registry, rule));
}

function cinderErrors(source: JsonObject, at: FieldPath, holder: SourceHolder): readonly FieldError[] {
  return [...needing('volumeID')(source, at), ...secretErrors(source, at, holder)];
}

/** A Pod's Secret is in the Pod's own namespace; a PersistentVolume must give a namespace. */
function secretErrors(source: JsonObject, at: FieldPath, { kind }: SourceHolder): readonly FieldError[] {
  const secret = record(source, 'secretRef');
  if (secret === undefined) return [];
  const fields = kind === 'pod' ? ['name'] : ['name', 'namespace'];
  return needing(...fields)(secret, at.child('secretRef'));
}

function fibreErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const targets = items(source, 'targetWWNs');
  const ids = items(source, 'wwids');
  const lun = optionalInt(source, 'lun');
  const namesAt = at.child('targetWWNs');
  if (targets.length === 0) {
    return ids.length > 0 ? [] : [required(namesAt, 'must specify either targetWWNs or wwids, but not both')];
  }
  return [
    ...(ids.length > 0 ? [invalid(namesAt, targets, 'targetWWNs and wwids can not be specified simultaneously')] : []),
    ...(lun === undefined ? [required(at.child('lun'), 'lun is required if targetWWNs is specified')] : []),
    ...(lun !== undefined && (lun < 0 || lun > 255)
      ? [invalid(at.child('lun'), lun, 'must be between 0 and 255, inclusive')]
      : []),
  ];
}

function flexErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const reserved = entries(source, 'options').filter(([key]) => {
    const domain = `.${(key.includes('/') ? key.slice(0, key.indexOf('/')) : key).toLowerCase()}`;
    return domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io');
  });
  return [
    ...needing('driver')(source, at),
    ...reserved.map(([key]) =>
      invalid(at.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
  ];
}

function azureFileErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return [
    ...needing('secretName', 'shareName')(source, at),
    ...(optionalText(source, 'secretNamespace') === '' ? [required(at.child('secretNamespace'))] : []),
  ];
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

function azureDiskErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const caching = text(source, 'cachingMode');
  const kind = text(source, 'kind');
  const uri = text(source, 'diskURI');
  const [prefix, example] = kind === 'Managed' ? ['/subscriptions/', managedDisk] : ['https://', blobDisk];
  return [
    ...needing('diskName', 'diskURI')(source, at),
    ...(cachingModes.includes(caching) ? [] : [notSupported(at.child('cachingMode'), caching, cachingModes)]),
    ...(diskKinds.includes(kind) ? [] : [notSupported(at.child('kind'), kind, diskKinds)]),
    ...(uri.startsWith(prefix) ? [] : [notSupported(at.child('diskURI'), uri, [example])]),
  ];
}

function storageosErrors(source: JsonObject, at: FieldPath, holder: SourceHolder): readonly FieldError[] {
  const name = text(source, 'volumeName');
  const namespace = text(source, 'volumeNamespace');
  return [
    ...(name === ''
      ? [required(at.child('volumeName'))]
      : invalids(at.child('volumeName'), name, dns1123LabelErrors(name))),
    ...(namespace === '' ? [] : invalids(at.child('volumeNamespace'), namespace, dns1123LabelErrors(namespace))),
    ...secretErrors(source, at, holder),
  ];
}
