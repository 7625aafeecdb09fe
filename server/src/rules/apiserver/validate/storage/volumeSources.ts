import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { type FieldError, invalid, invalids, notSupported, required, tooLong } from '../errors';
import { byteLength, entries, has, int, items, optionalInt, optionalText, record, text } from '../read';

/** The check of one volume source of a PersistentVolume. */
export interface SourceCheck {
  readonly field: string;
  /** Where upstream complains when the field has other words there. */
  readonly checkedAt?: string;
  readonly forbiddenAt?: string;
  /** `name` is the volume's own. */
  errors(source: JsonObject, at: FieldPath, name: string): readonly FieldError[];
}

const needs =
  (...fields: readonly string[]) =>
  (source: JsonObject, at: FieldPath): readonly FieldError[] =>
    fields.filter(it => text(source, it) === '').map(it => required(at.child(it)));

const partitioned =
  (id: string) =>
  (source: JsonObject, at: FieldPath): readonly FieldError[] => {
    const partition = int(source, 'partition');
    return [
      ...needs(id)(source, at),
      ...(partition < 0 || partition > 255
        ? [invalid(at.child('partition'), partition, 'must be between 0 and 255, inclusive')]
        : []),
    ];
  };

/** In upstream's order, which tells which of several is the one too many. */
export const volumeSources: readonly SourceCheck[] = [
  { field: 'hostPath', errors: hostPathErrors },
  { field: 'gcePersistentDisk', checkedAt: 'persistentDisk', errors: partitioned('pdName') },
  { field: 'awsElasticBlockStore', errors: partitioned('volumeID') },
  { field: 'glusterfs', errors: glusterErrors },
  { field: 'flocker', errors: flockerErrors },
  { field: 'nfs', errors: nfsErrors },
  { field: 'rbd', errors: (source, at) => [...monitorErrors(source, at), ...needs('image')(source, at)] },
  { field: 'quobyte', errors: quobyteErrors },
  { field: 'cephfs', forbiddenAt: 'cephFS', errors: monitorErrors },
  { field: 'iscsi', errors: iscsiErrors },
  { field: 'cinder', errors: (source, at) => [...needs('volumeID')(source, at), ...secretErrors(source, at)] },
  { field: 'fc', errors: fibreErrors },
  { field: 'flexVolume', errors: flexErrors },
  { field: 'azureFile', errors: azureFileErrors },
  { field: 'vsphereVolume', errors: needs('volumePath') },
  { field: 'photonPersistentDisk', errors: needs('pdID') },
  { field: 'portworxVolume', errors: needs('volumeID') },
  { field: 'azureDisk', errors: azureDiskErrors },
  { field: 'scaleIO', errors: needs('gateway', 'system', 'volumeName') },
  { field: 'local', errors: localErrors },
  { field: 'storageos', errors: storageosErrors },
  { field: 'csi', errors: csiErrors },
];

/** Upstream: core.HostPathType, in alphabetical order; '' asks for no check. */
export const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

function hostPathErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const type = optionalText(source, 'type');
  if (text(source, 'path') === '') return [required(at.child('path'))];
  return [
    ...localErrors(source, at),
    ...(type === undefined || hostPathTypes.includes(type)
      ? []
      : [notSupported(at.child('type'), type, hostPathTypes)]),
  ];
}

function localErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const path = text(source, 'path');
  if (path === '') return [required(at.child('path'))];
  return path.split('/').includes('..') ? [invalid(at.child('path'), path, "must not contain '..'")] : [];
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
    ...needs('endpoints', 'path')(source, at),
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
    ...needs('server', 'path')(source, at),
    ...(path.startsWith('/') ? [] : [invalid(at.child('path'), path, 'must be an absolute path')]),
  ];
}

function monitorErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return items(source, 'monitors').length === 0 ? [required(at.child('monitors'))] : [];
}

function quobyteErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return [...registryErrors(source, at), ...needs('volume')(source, at)];
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

const qualifiedNames: readonly RegExp[] = [
  /^iqn\.\d{4}-\d{2}\.([a-zA-Z0-9-.]+)(:[^,;*&$|\s]+)$/,
  /^eui.[a-zA-Z0-9]{16}$/,
  /^naa.[a-zA-Z0-9]{32}$/,
];

function isInitiator(name: string): boolean {
  return qualifiedNames.some(it => it.test(name));
}

function iscsiErrors(source: JsonObject, at: FieldPath, name: string): readonly FieldError[] {
  const portal = text(source, 'targetPortal');
  const initiator = optionalText(source, 'initiatorName');
  const iqn = text(source, 'iqn');
  const lun = int(source, 'lun');
  const secret = record(source, 'secretRef');
  const authenticated = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  const tooLongTogether =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [
    ...needs('targetPortal')(source, at),
    ...(initiator !== undefined && byteLength(`${name}:${portal}`) > 64
      ? [invalid(at.child('targetportal'), portal, tooLongTogether)]
      : []),
    ...(iqn === '' ? [required(at.child('iqn'))] : []),
    ...(iqn === '' || isInitiator(iqn) ? [] : [invalid(at.child('iqn'), iqn, 'must be valid format')]),
    ...(lun < 0 || lun > 255 ? [invalid(at.child('lun'), lun, 'must be between 0 and 255, inclusive')] : []),
    ...(authenticated && secret === undefined ? [required(at.child('secretRef'))] : []),
    ...(secret !== undefined && text(secret, 'name') === '' ? [required(at.child('secretRef', 'name'))] : []),
    ...(initiator === undefined || isInitiator(initiator)
      ? []
      : [invalid(at.child('initiatorname'), initiator, 'must be valid format')]),
  ];
}

function secretErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const secret = record(source, 'secretRef');
  return secret === undefined ? [] : needs('name', 'namespace')(secret, at.child('secretRef'));
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
    ...needs('driver')(source, at),
    ...reserved.map(([key]) =>
      invalid(at.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved'),
    ),
  ];
}

function azureFileErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return [
    ...needs('secretName', 'shareName')(source, at),
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
    ...needs('diskName', 'diskURI')(source, at),
    ...(cachingModes.includes(caching) ? [] : [notSupported(at.child('cachingMode'), caching, cachingModes)]),
    ...(diskKinds.includes(kind) ? [] : [notSupported(at.child('kind'), kind, diskKinds)]),
    ...(uri.startsWith(prefix) ? [] : [notSupported(at.child('diskURI'), uri, [example])]),
  ];
}

function storageosErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = text(source, 'volumeName');
  const namespace = text(source, 'volumeNamespace');
  return [
    ...(name === ''
      ? [required(at.child('volumeName'))]
      : invalids(at.child('volumeName'), name, dns1123LabelErrors(name))),
    ...(namespace === '' ? [] : invalids(at.child('volumeNamespace'), namespace, dns1123LabelErrors(namespace))),
    ...secretErrors(source, at),
  ];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
];

function csiErrors(source: JsonObject, at: FieldPath): readonly FieldError[] {
  return [
    ...driverNameErrors(text(source, 'driver'), at.child('driver')),
    ...needs('volumeHandle')(source, at),
    ...csiSecrets
      .filter(it => has(source, it))
      .flatMap(it => secretReferenceErrors(record(source, it) ?? {}, at.child(it))),
  ];
}

/** The name of a CSI driver in a spec. Upstream: core validation.ValidateCSIDriverName. */
export function driverNameErrors(name: string, at: FieldPath): readonly FieldError[] {
  if (name === '') return [required(at)];
  return [
    ...(byteLength(name) > 63 ? [tooLong(at, 63)] : []),
    ...invalids(at, name, dns1123SubdomainErrors(name.toLowerCase())),
  ];
}

/** Upstream: validatePVSecretReference. */
export function secretReferenceErrors(reference: JsonObject, at: FieldPath): readonly FieldError[] {
  const name = text(reference, 'name');
  const namespace = text(reference, 'namespace');
  return [
    ...(name === '' ? [required(at.child('name'))] : invalids(at.child('name'), name, dns1123SubdomainErrors(name))),
    ...(namespace === ''
      ? [required(at.child('namespace'))]
      : invalids(at.child('namespace'), namespace, dns1123LabelErrors(namespace))),
  ];
}
