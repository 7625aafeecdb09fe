import { asObject, isObject, type JsonObject, type JsonValue } from '../../../../base/json';
import type { StructuralSchema } from '../../../../kube/kube';
import { fieldSchema, hasField } from '../../../../kube/structuralSchema';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid } from '../errors';
import { keyOf } from './keys';

/** Repeated items of a set or a map. Upstream: schema/listtype.ValidateListSetsAndMaps. */
export function listErrors(value: JsonValue, schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const { items: inner } = schema;
    return [
      ...repeats(items, schema, at),
      ...(inner === undefined ? [] : items.flatMap((it, i) => listErrors(it, inner, at.index(i)))),
    ];
  }
  return Object.entries(asObject(value) ?? {}).flatMap(([name, item]) => {
    const inner = fieldSchema(schema, name);
    return inner === undefined ? [] : listErrors(item, inner, entryAt(schema, name, at));
  });
}

/** The path of a field, or of a map's entry. */
export const entryAt = (schema: StructuralSchema, name: string, at: FieldPath): FieldPath =>
  hasField(schema.properties ?? {}, name) ? at.child(name) : at.key(name);

function repeats(items: readonly JsonValue[], schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type === 'set') return secondOnes(items).map(i => duplicate(at.index(i), items[i] ?? null));
  if (type !== 'map') return [];
  const other = items.findIndex(it => it !== null && !isObject(it));
  if (other >= 0) {
    return [invalid(at.index(other), items[other] ?? null, 'must be an object for an array of list-type map')];
  }
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keys = items.map(it => keysOf(asObject(it) ?? {}, names));
  return secondOnes(keys).map(i => duplicate(at.index(i), keys[i] ?? {}));
}

/** Where each repeated value occurs the second time. Upstream: validateListSet. */
function secondOnes(values: readonly JsonValue[]): readonly number[] {
  const times = new Map<string, number>();
  return values.flatMap((it, i) => {
    const key = keyOf(it);
    times.set(key, (times.get(key) ?? 0) + 1);
    return times.get(key) === 2 ? [i] : [];
  });
}

function keysOf(item: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter(it => Object.hasOwn(item, it)).map((it): [string, JsonValue] => [it, item[it] ?? null]),
  );
}
