import type { CelCompilers } from '../../../../kube/cel/compilers';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid } from '../errors';
import { propertiesOf, propertyOf, type SchemaProps, valuesOf } from './schemaProps';

/** The parts that spell int-or-string in the usual way, which may name types. */
export interface Spelled {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

const NONE: Spelled = { anyOf: false, firstAllOf: false };

/** allOf, anyOf, oneOf, not and the pattern of a schema. Upstream: validateValueValidation. */
export function* nestedErrors(
  of: SchemaProps,
  at: FieldPath,
  cel: CelCompilers,
  spelled: Spelled,
): Iterable<FieldError> {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern } = of;
  if (!spelled.anyOf) for (const [i, it] of anyOf.entries()) yield* ofOne(it, at.child('anyOf').index(i), cel, NONE);
  for (const [i, it] of allOf.entries()) {
    yield* ofOne(it, at.child('allOf').index(i), cel, { ...NONE, anyOf: spelled.firstAllOf && i === 0 });
  }
  for (const [i, it] of oneOf.entries()) yield* ofOne(it, at.child('oneOf').index(i), cel, NONE);
  if (not !== undefined) yield* ofOne(not, at.child('not'), cel, NONE);
  if (pattern === undefined) return;
  const compiled = cel.pattern(pattern);
  if (!('error' in compiled)) return;
  yield invalid(at.child('pattern'), pattern, `must be a valid regular expression, but isn't: ${compiled.error}`);
}

const EMPTY = 'must be empty to be structural';
const UNDEFINED = 'must be undefined to be structural';
const FALSE = 'must be false to be structural';

const REFUSED: readonly (readonly [keyof SchemaProps, string])[] = [
  ['default', UNDEFINED],
  ['title', EMPTY],
  ['description', EMPTY],
  ['nullable', FALSE],
  ['x-kubernetes-preserve-unknown-fields', FALSE],
  ['x-kubernetes-embedded-resource', FALSE],
  ['x-kubernetes-int-or-string', FALSE],
  ['x-kubernetes-list-map-keys', EMPTY],
  ['x-kubernetes-list-type', UNDEFINED],
  ['x-kubernetes-map-type', UNDEFINED],
  ['x-kubernetes-validations', EMPTY],
];

/** Upstream: validateNestedValueValidation. */
function* ofOne(of: SchemaProps, at: FieldPath, cel: CelCompilers, spelled: Spelled): Iterable<FieldError> {
  yield* nestedErrors(of, at, cel, spelled);
  if (of.items !== undefined) yield* ofOne(of.items, at.child('items'), cel, NONE);
  for (const [name, it] of propertiesOf(of)) yield* ofOne(it, at.child('properties').key(name), cel, NONE);
  if (of.type !== undefined) yield forbidden(at.child('type'), EMPTY);
  if (valuesOf(of) !== undefined || of.additionalProperties === true) {
    yield forbidden(at.child('additionalProperties'), UNDEFINED);
  }
  for (const [name, detail] of REFUSED) if (of[name] !== undefined) yield forbidden(at.child(name), detail);
  if (propertyOf(of, 'metadata') !== undefined) {
    yield forbidden(at.child('properties').key('metadata'), 'must not be specified in a nested context');
  }
}
