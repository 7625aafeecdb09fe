import type { JsonObject } from '../../../../../base/json';
import { repeatedAt } from '../../../../../base/repeated';
import { flag, has, record, records, text, texts } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  type Validation,
} from '../../errors';
import { descendingPath, oneOfIfSet } from '../../shared/checks';

/** The valid volumes of a Pod, by name. */
export type Volumes = ReadonlyMap<string, JsonObject>;

/** Upstream: core validation.ValidateVolumeMounts. Some errors have the path of the list, not of its item. */
export function* validateVolumeMounts(
  container: JsonObject,
  volumes: Volumes,
  list: FieldPath,
  { kube }: Validation,
): Iterable<FieldError> {
  const mounts = records(container, 'volumeMounts');
  if (mounts.length === 0) return;
  const devices = new Map(records(container, 'volumeDevices').map(it => [text(it, 'name'), text(it, 'devicePath')]));
  const devicePaths = new Set(devices.values());
  const seen = new Set<string>();
  for (const [i, mount] of mounts.entries()) {
    const at = list.index(i);
    const name = text(mount, 'name');
    const path = text(mount, 'mountPath');
    const subPath = text(mount, 'subPath');
    const subPathExpr = text(mount, 'subPathExpr');
    if (name === '') yield required(at.child('name'));
    if (!volumes.has(name)) yield notFound(at.child('name'), name);
    if (path === '') yield required(at.child('mountPath'));
    if (seen.has(path)) yield invalid(at.child('mountPath'), path, 'must be unique');
    seen.add(path);
    if (devices.has(name)) yield invalid(at.child('name'), name, 'must not already exist in volumeDevices');
    if (devicePaths.has(path)) {
      yield invalid(at.child('mountPath'), path, 'must not already exist as a path in volumeDevices');
    }
    if (has(volumes.get(name), 'image') && applies(minorChanges.imageVolumesWhole, kube)) {
      for (const field of ['subPath', 'subPathExpr']) {
        const value = text(mount, field);
        if (value !== '') yield invalid(at.child(field), value, 'not allowed in image volume sources');
      }
    }
    if (subPath !== '') yield* descendingPath(subPath, list.child('subPath'));
    if (subPathExpr !== '') {
      if (subPath !== '') {
        yield invalid(at.child('subPathExpr'), subPathExpr, 'subPathExpr and subPath are mutually exclusive');
      }
      yield* descendingPath(subPathExpr, list.child('subPathExpr'));
    }
    yield* validatePropagation(mount, container, list.child('mountPropagation'));
    yield* validateRecursiveReadOnly(mount, list.child('recursiveReadOnly'));
    yield* validateBindOptions(mount, volumes.get(name), at.child('bindMountOptions'));
  }
}

/** Upstream: core validation.validateMountPropagation. */
function* validatePropagation(mount: JsonObject, container: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* oneOfIfSet(mount, 'mountPropagation', at, ['Bidirectional', 'HostToContainer', 'None']);
  const privileged = flag(record(container, 'securityContext'), 'privileged') === true;
  if (text(mount, 'mountPropagation') === 'Bidirectional' && !privileged) {
    yield forbidden(at, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

/** Upstream: core validation.validateMountRecursiveReadOnly. */
function* validateRecursiveReadOnly(mount: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* oneOfIfSet(mount, 'recursiveReadOnly', at, ['Disabled', 'Enabled', 'IfPossible']);
  if (!['Enabled', 'IfPossible'].includes(text(mount, 'recursiveReadOnly'))) return;
  if (flag(mount, 'readOnly') !== true) yield forbidden(at, 'may only be specified when readOnly is true');
  if (has(mount, 'mountPropagation') && mount.mountPropagation !== 'None') {
    yield forbidden(at, 'may only be specified when mountPropagation is None or not specified');
  }
}

/** Upstream: core validation.validateBindMountOptions. */
function* validateBindOptions(mount: JsonObject, volume: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const options = texts(mount, 'bindMountOptions');
  const repeated = repeatedAt(options);
  for (const [i, option] of options.entries()) {
    const choices = ['nodev', 'noexec', 'nosuid'];
    if (!choices.includes(option)) yield notSupported(at.index(i), option, choices);
    if (repeated.has(i)) yield duplicate(at.index(i), option);
  }
  if (options.length > 0 && has(volume, 'image')) {
    yield invalid(at, options, 'bindMountOptions may not be used with image volumes');
  }
}

/** Upstream: core validation.ValidateVolumeDevices. */
export function* validateVolumeDevices(container: JsonObject, volumes: Volumes, list: FieldPath): Iterable<FieldError> {
  const devices = records(container, 'volumeDevices');
  if (devices.length === 0) return;
  const mounts = new Map(records(container, 'volumeMounts').map(it => [text(it, 'name'), text(it, 'mountPath')]));
  const mountPaths = new Set(mounts.values());
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [i, device] of devices.entries()) {
    const at = list.index(i);
    const name = text(device, 'name');
    const path = text(device, 'devicePath');
    const volume = volumes.get(name);
    if (name === '') yield required(at.child('name'));
    if (names.has(name)) yield invalid(at.child('name'), name, 'must be unique');
    if (volume === undefined) yield notFound(at.child('name'), name);
    else if (!has(volume, 'persistentVolumeClaim') && !has(volume, 'ephemeral')) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      yield invalid(at.child('name'), name, detail);
    }
    if (path === '') yield required(at.child('devicePath'));
    if (paths.has(path)) yield invalid(at.child('devicePath'), path, 'must be unique');
    if (path.split('/').includes('..')) {
      yield invalid(at.child('devicePath'), path, "can not contain backsteps ('..')");
    } else paths.add(path);
    if (mounts.has(name)) yield invalid(at.child('name'), name, 'must not already exist in volumeMounts');
    if (mountPaths.has(path)) {
      yield invalid(at.child('devicePath'), path, 'must not already exist as a path in volumeMounts');
    }
    if (name !== '') names.add(name);
  }
}
