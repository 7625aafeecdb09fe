import type { JsonObject } from '../../../../../base/json';
import { optionalInt, record, records, text } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, invalid, required } from '../../errors';
import { needs, nonReservedPath } from '../../shared/checks';
import { validateFieldSelector, validateResourceSelector } from '../containers/env';

/** The files of volumes from Secrets, ConfigMaps and a Pod's own fields. */

/** Upstream: core validation.validateSecretVolumeSource, validateConfigMapVolumeSource. */
export const namedFiles = (name: 'secretName' | 'name') =>
  function* (source: JsonObject, at: FieldPath): Iterable<FieldError> {
    yield* needs(source, [name], at);
    yield* validateFileDefaults(source, at);
    yield* validateKeyPaths(source, at.child('items'));
  };

/**
 * Upstream: core validation.validateDownwardAPIVolumeSource. Errors of a file have the path of the source, not of its
 * item.
 */
export function* validateDownwardAPI(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateFileDefaults(source, at);
  for (const file of records(source, 'items')) yield* validateDownwardFile(file, at);
}

/** Defaults for files whose items do not set them. */
export function* validateFileDefaults(source: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateMode(source, 'defaultMode', at);
  yield* validateUser(source, 'defaultUser', at);
}

/** Upstream: core validation.validateKeyToPath, for each item. */
export function* validateKeyPaths(source: JsonObject, list: FieldPath): Iterable<FieldError> {
  for (const [i, item] of records(source, 'items').entries()) {
    const at = list.index(i);
    yield* needs(item, ['key', 'path'], at);
    yield* nonReservedPath(text(item, 'path'), at.child('path'));
    yield* validateMode(item, 'mode', at);
    yield* validateUser(item, 'user', at);
  }
}

const FIELD_PATHS = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];

/** Upstream: core validation.validateDownwardAPIVolumeFile. */
export function* validateDownwardFile(file: JsonObject, at: FieldPath): Iterable<FieldError> {
  const field = record(file, 'fieldRef');
  const resource = record(file, 'resourceFieldRef');
  yield* needs(file, ['path'], at);
  yield* nonReservedPath(text(file, 'path'), at.child('path'));
  if (field !== undefined) {
    yield* validateFieldSelector(field, FIELD_PATHS, at.child('fieldRef'));
    if (resource !== undefined) {
      yield invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
    }
  } else if (resource !== undefined) {
    yield* validateResourceSelector(resource, 'volume', at.child('resourceFieldRef'));
  } else yield required(at, 'one of fieldRef and resourceFieldRef is required');
  yield* validateMode(file, 'mode', at);
  yield* validateUser(file, 'user', at);
}

/** The mode of a file. */
function* validateMode(of: JsonObject, field: string, at: FieldPath): Iterable<FieldError> {
  const mode = optionalInt(of, field);
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return;
  yield invalid(at.child(field), mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** Upstream: core validation.validateUserField. */
export function* validateUser(of: JsonObject, field: string, at: FieldPath): Iterable<FieldError> {
  const user = optionalInt(of, field);
  if (user === undefined || (user >= 0 && user <= 2_147_483_647)) return;
  yield invalid(at.child(field), user, 'must be between 0 and 2147483647, inclusive');
}
