import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notAmong, required } from '../errors';
import { propertyOf, type SchemaProps } from './schemaProps';

const TYPE = 'x-kubernetes-list-type';
const KEYS = 'x-kubernetes-list-map-keys';

/** The list type of a schema, and the keys of a list of type map. Upstream: ValidateCustomResourceDefinitionOpenAPISchema. */
export function* listErrors(of: SchemaProps, at: FieldPath): Iterable<FieldError> {
  const listType = of[TYPE];
  const keys = of[KEYS] ?? [];
  if (listType !== undefined && of.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    yield of.type === undefined ? required(at.child('type'), detail) : invalid(at.child('type'), of.type, detail);
  } else if (listType === 'set' && of.items !== undefined) {
    yield* setItemErrors(of.items, at.child('items'));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    yield notAmong(at.child(TYPE), listType, ['atomic', 'set', 'map']);
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    yield listType === undefined ? required(at.child(TYPE), detail) : invalid(at.child(TYPE), listType, detail);
  }
  if (listType === 'map') yield* mapErrors(of, keys, at);
  yield* keyErrors(of, at);
}

/** The items of a set are compared as a whole. */
function* setItemErrors(items: SchemaProps, at: FieldPath): Iterable<FieldError> {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items[TYPE];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    yield invalid(at.child(TYPE), listType, detail);
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    yield invalid(at.child('x-kubernetes-map-type'), listType ?? null, detail);
  }
}

function* mapErrors(of: SchemaProps, keys: readonly string[], at: FieldPath): Iterable<FieldError> {
  const { items, itemsList } = of;
  if (keys.length === 0) yield required(at.child(KEYS), 'must not be empty if x-kubernetes-list-type is map');
  if (items === undefined && itemsList === undefined) {
    yield required(at.child('items'), 'must have a schema if x-kubernetes-list-type is map');
  }
  if (itemsList !== undefined) {
    yield invalid(at.child('items'), '', 'must only have a single schema if x-kubernetes-list-type is map');
  }
  if (items === undefined) return;
  const place = at.child('items');
  if (items.type !== 'object') {
    yield invalid(
      place.child('type'),
      items.type ?? '',
      "must be object if parent array's x-kubernetes-list-type is map",
    );
    return;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const type = propertyOf(items, key)?.type;
    if (propertyOf(items, key) === undefined) {
      yield invalid(at.child(KEYS), [...keys], 'entries must all be names of item properties');
    } else if (type === 'array' || type === 'object') {
      yield invalid(
        place.child('properties').key(key).child('type'),
        items.type,
        "must be a scalar type if parent array's x-kubernetes-list-type is map",
      );
    }
    if (seen.has(key)) yield invalid(at.child(KEYS), [...keys], 'must not contain duplicate entries');
    seen.add(key);
  }
}

/** Upstream: validateMapListKeysMapSet. */
function* keyErrors(of: SchemaProps, at: FieldPath): Iterable<FieldError> {
  const { items } = of;
  const listType = of[TYPE];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return;
  const place = at.child('items');
  const requiredNames = new Set(items.required);
  if (items.nullable) {
    yield forbidden(place.child('nullable'), `cannot be nullable when x-kubernetes-list-type is ${listType}`);
  }
  for (const key of listType === 'map' ? (of[KEYS] ?? []) : []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const inside = place.child('properties').key(key);
    if (!requiredNames.has(key) && property.default === undefined) {
      yield required(
        inside.child('default'),
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property',
      );
    }
    if (property.nullable) {
      yield forbidden(
        inside.child('nullable'),
        'this property is in x-kubernetes-list-map-keys, so it cannot be nullable',
      );
    }
  }
}
