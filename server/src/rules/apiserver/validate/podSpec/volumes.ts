import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject } from '../../../../manifest/manifest';
import { duplicate, type FieldError, forbidden, invalid, required } from '../errors';
import { has, items, optionalInt, record, records, text } from '../read';
import { hostPathTypes } from '../storage/volumeSources';
import { descendingPath, label, needs, noBacksteps, nonReservedPath, oneOfIfSet } from './checks';
import { validateFieldSelector, validateResourceSelector } from './env';
import type { Volumes } from './mounts';

interface Answer {
  readonly errors: readonly FieldError[];
  readonly volumes: Volumes;
}

/** The errors of the volumes, and those without one. Upstream: core validation.ValidateVolumes. */
export function validateVolumes(spec: JsonObject, listPath: FieldPath): Answer {
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  for (const [i, volume] of records(spec, 'volumes').entries()) {
    const at = listPath.index(i);
    const name = text(volume, 'name');
    const found = [...validateSources(volume, at)];
    if (name === '') found.push(required(at.child('name')));
    else found.push(...label(name, at.child('name')));
    if (volumes.has(name)) found.push(duplicate(at.child('name'), name));
    if (found.length === 0) volumes.set(name, volume);
    errors.push(...found);
  }
  return { errors, volumes };
}

/** The texts that a type of volume needs; errors of a gcePersistentDisk are told under another name. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  hostPath: ['path'],
  gitRepo: ['repository'],
  gcePersistentDisk: ['pdName'],
  awsElasticBlockStore: ['volumeID'],
  secret: ['secretName'],
  nfs: ['server', 'path'],
  iscsi: ['targetPortal', 'iqn'],
  glusterfs: ['endpoints', 'path'],
  persistentVolumeClaim: ['claimName'],
  rbd: ['image'],
  cinder: ['volumeID'],
  flexVolume: ['driver'],
  configMap: ['name'],
  azureFile: ['secretName', 'shareName'],
  vsphereVolume: ['volumePath'],
  photonPersistentDisk: ['pdID'],
  portworxVolume: ['volumeID'],
  azureDisk: ['diskName', 'diskURI'],
  scaleIO: ['gateway', 'system', 'volumeName'],
  image: ['reference'],
};
const TOLD_AS: Readonly<Record<string, string>> = { gcePersistentDisk: 'persistentDisk' };

/** Upstream: core validation.validateVolumeSource. */
function* validateSources(volume: JsonObject, at: FieldPath): Iterable<FieldError> {
  const types = Object.keys(volume).filter(it => it !== 'name');
  for (const [i, type] of types.entries()) {
    const source = record(volume, type) ?? {};
    if (i > 0) {
      yield forbidden(at.child(type), 'may not specify more than 1 volume type');
      continue;
    }
    const path = at.child(TOLD_AS[type] ?? type);
    yield* needs(source, NEEDS[type] ?? [], path);
    yield* validateSource(type, source, path);
  }
}

function* validateSource(type: string, source: JsonObject, at: FieldPath): Iterable<FieldError> {
  switch (type) {
    case 'hostPath':
      if (text(source, 'path') === '') return;
      yield* noBacksteps(text(source, 'path'), at.child('path'));
      yield* oneOfIfSet(source, 'type', at.child('type'), hostPathTypes);
      return;
    case 'gitRepo':
      yield* descendingPath(text(source, 'directory'), at.child('directory'));
      return;
    case 'secret':
    case 'configMap':
      yield* validateMode(source, 'defaultMode', at);
      yield* validateItems(source, at);
      return;
    case 'downwardAPI':
      yield* validateMode(source, 'defaultMode', at);
      for (const file of records(source, 'items')) yield* validateDownwardFile(file, at);
      return;
    case 'projected':
      yield* validateMode(source, 'defaultMode', at);
      yield* validateProjections(source, at);
      return;
    case 'cephfs':
    case 'rbd':
      if (items(source, 'monitors').length === 0) yield required(at.child('monitors'));
      return;
    case 'image':
      yield* oneOfIfSet(source, 'pullPolicy', at.child('pullPolicy'), ['Always', 'IfNotPresent', 'Never']);
      return;
    case 'ephemeral':
      if (!has(source, 'volumeClaimTemplate')) yield required(at.child('volumeClaimTemplate'));
  }
}

function* validateMode(of: JsonObject, field: string, at: FieldPath): Iterable<FieldError> {
  const mode = optionalInt(of, field);
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  yield invalid(at.child(field), mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** Upstream: core validation.validateKeyToPath. */
function* validateItems(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  for (const [i, item] of records(source, 'items').entries()) {
    const path = at.child('items').index(i);
    yield* needs(item, ['key', 'path'], path);
    if (text(item, 'path') !== '') yield* nonReservedPath(text(item, 'path'), path.child('path'));
    yield* validateMode(item, 'mode', path);
  }
}

const FILE_PATHS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Upstream: core validation.validateDownwardAPIVolumeFile. */
function* validateDownwardFile(file: JsonObject, at: FieldPath): Iterable<FieldError> {
  const path = text(file, 'path');
  const field = record(file, 'fieldRef');
  const resource = record(file, 'resourceFieldRef');
  if (path === '') yield required(at.child('path'));
  yield* nonReservedPath(path, at.child('path'));
  if (field !== undefined) {
    yield* validateFieldSelector(field, FILE_PATHS, at.child('fieldRef'));
    if (resource !== undefined) {
      yield invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resource !== undefined) {
    yield* validateResourceSelector(resource, 'volume', at.child('resourceFieldRef'));
  } else yield required(at, 'one of fieldRef and resourceFieldRef is required');
  yield* validateMode(file, 'mode', at);
}

/** Upstream: core validation.validateProjectionSources; trust bundles and Pod certificates are not judged here. */
function* validateProjections(projected: JsonObject, at: FieldPath): Iterable<FieldError> {
  const paths = new Set<string>();
  for (const [i, source] of records(projected, 'sources').entries()) {
    const item = at.child('sources').index(i);
    for (const type of ['secret', 'configMap', 'downwardAPI']) {
      const value = record(source, type);
      if (value === undefined) continue;
      if (type !== 'downwardAPI') {
        yield* needs(value, ['name'], item.child(type));
        yield* validateItems(value, item.child(type));
      } else for (const file of records(value, 'items')) yield* validateDownwardFile(file, item.child(type));
      for (const path of records(value, 'items').map(it => text(it, 'path'))) {
        if (path !== '' && paths.has(path)) yield invalid(at, path, 'conflicting duplicate paths');
        paths.add(path);
      }
    }
    const token = record(source, 'serviceAccountToken');
    if (token !== undefined) yield* validateToken(token, item.child('serviceAccountToken'), at);
    if (Object.keys(source).length > 1) yield forbidden(item, 'may not specify more than 1 volume type');
  }
}

function* validateToken(token: JsonObject, at: FieldPath, projected: FieldPath): Iterable<FieldError> {
  const seconds = optionalInt(token, 'expirationSeconds') ?? 3600;
  const path = at.child('expirationSeconds');
  if (seconds < 600) yield invalid(path, seconds, 'may not specify a duration less than 10 minutes');
  if (seconds > 2 ** 32) yield invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds');
  const file = text(token, 'path');
  if (file === '') yield required(projected.child('path'));
  else yield* nonReservedPath(file, projected.child('path'));
}
