import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import type { StructuralSchema } from '../../../../kube/kube';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError } from '../errors';
import { keyOf } from './schema';
import { fieldSchema } from './structural';

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
    return inner === undefined ? [] : listErrors(item, inner, at.child(name));
  });
}

function repeats(items: readonly JsonValue[], schema: StructuralSchema, at: FieldPath): readonly FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const keys = items.map(it => (type === 'set' ? it : keysOf(asObject(it) ?? {}, names, schema)));
  const repeated = repeatedAt(keys.map(keyOf));
  return keys.flatMap((key, i) => (repeated.has(i) ? [duplicate(at.index(i), key)] : []));
}

function keysOf(item: JsonObject, names: readonly string[], schema: StructuralSchema): JsonObject {
  const values = names.map((it): [string, JsonValue] => [
    it,
    item[it] ?? (schema.items?.properties?.[it]?.default as JsonValue | undefined) ?? null,
  ]);
  return Object.fromEntries(values.filter(([, it]) => it !== null));
}
