import { byteLength } from '../../../../base/byteLength';
import type { Subresources } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { resolvedPath, simplePathErrors } from '../crd/jsonPath';
import { duplicate, type FieldError, invalid, required, tooMany } from '../errors';
import type { SchemaFacts } from './ordinary';
import type { SchemaProps } from './schemaProps';
import { unsupportedKeyword } from './structural';
import type { Column, DefinedVersion } from './versions';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MOST_SELECTABLE_FIELDS = 8;

/** Upstream: ValidateCustomResourceColumnDefinition. */
export function* columnErrors({ name, type, format, jsonPath }: Column, at: FieldPath): Iterable<FieldError> {
  if (name === '') yield required(at.child('name'));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') yield required(at.child('type'), types);
  else if (!COLUMN_TYPES.includes(type)) yield invalid(at.child('type'), type, types);
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    yield invalid(at.child('format'), format, `must be one of ${COLUMN_FORMATS.join(',')}`);
  }
  if (jsonPath === '') yield required(at.child('JSONPath'));
  else yield* simplePathErrors(jsonPath, at.child('JSONPath'));
}

/** Upstream: ValidateCustomResourceDefinitionSubresources. */
export function* subresourceErrors({ scale }: Subresources, at: FieldPath): Iterable<FieldError> {
  if (scale === undefined) return;
  const place = (name: string): FieldPath => at.child('scale', name);
  for (const [name, start] of [
    ['specReplicasPath', '.spec'],
    ['statusReplicasPath', '.status'],
  ] as const) {
    const path = scale[name];
    if (path === '') yield required(place(name));
    else if (!path.startsWith('.')) yield* simplePathErrors(path, place(name));
    else if (!path.startsWith(`${start}.`)) {
      yield invalid(place(name), path, `should be a json path under ${start}`);
    }
  }
  const { labelSelectorPath: path = '' } = scale;
  if (path === '') return;
  if (!path.startsWith('.')) yield* simplePathErrors(path, place('labelSelectorPath'));
  else if (!path.startsWith('.spec.') && !path.startsWith('.status.')) {
    yield invalid(place('labelSelectorPath'), path, 'should be a json path under either .spec or .status');
  }
}

/** Upstream: ValidateCustomResourceSelectableFields. */
export function* selectableFieldErrors(
  paths: readonly string[],
  schema: SchemaProps,
  at: FieldPath,
  kube: SchemaFacts,
): Iterable<FieldError> {
  const seen = new Set<string>();
  const root = unsupportedKeyword(schema, kube) === undefined ? schema : undefined;
  for (const [i, path] of paths.entries()) {
    const place = at.index(i).child('jsonPath');
    if (path === '') {
      yield required(place);
      continue;
    }
    const found = resolvedPath(path, root, 'names only');
    if ('problem' in found) {
      yield invalid(place, path, `is an invalid path: ${found.problem}`);
      continue;
    }
    if (found.at.segments[0] === 'metadata') yield invalid(place, path, 'must not point to fields in metadata');
    if (!['string', 'boolean', 'integer'].includes(found.schema?.type ?? '')) {
      yield invalid(
        place,
        path,
        'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      );
    }
    const text = found.at.toString();
    if (seen.has(text)) yield duplicate(place, path);
    seen.add(text);
  }
  if (seen.size > MOST_SELECTABLE_FIELDS) yield tooMany(at, seen.size, MOST_SELECTABLE_FIELDS);
}

/** Upstream: validateDeprecationWarning. */
export function* deprecationErrors(
  { deprecated, deprecationWarning }: DefinedVersion,
  at: FieldPath,
): Iterable<FieldError> {
  if (deprecationWarning === undefined) return;
  const refuse = (detail: string): FieldError => invalid(at, deprecationWarning, detail);
  if (!deprecated) {
    yield refuse('can only be set for deprecated versions');
    return;
  }
  if (byteLength(deprecationWarning) > 256) yield refuse('must be <= 256 characters long');
  if (deprecationWarning === '') yield refuse('must not be an empty string');
  const strange = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(deprecationWarning);
  if (strange !== null) {
    const index = byteLength(deprecationWarning.slice(0, strange.index));
    yield refuse(`must only contain printable UTF-8 characters; non-printable character found at index ${index}`);
  }
}
