import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { lazyByObject } from '../../../../base/lazy';
import type { StructuralSchema } from '../../../../kube/kube';
import { fieldSchema, hasField } from '../../../../kube/structuralSchema';

/**
 * An object after the decoder of custom resources: unknown fields pruned, disallowed nulls removed, defaults set.
 * Upstream: apiextensions-apiserver schema/pruning and schema/defaulting.
 */
export function decodedResource(whole: JsonObject, schema: StructuralSchema): JsonObject {
  const decoded = asObject(withDefaults(withoutNulls(pruned(whole, schema, 'root'), schema), schema)) ?? {};
  const metadata = asObject(decoded.metadata);
  return metadata === undefined ? decoded : { ...decoded, metadata: withoutEmpty(metadata) };
}

/**
 * Metadata without empty maps and lists, as it is read into a Go type and written again. Upstream:
 * objectmeta.SetObjectMeta.
 */
const withoutEmpty = (metadata: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(metadata).filter(([, it]) => typeof it !== 'object' || it === null || Object.keys(it).length > 0),
  );

const META_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** A value without the fields that its schema does not have. Upstream: pruning.Prune. */
export function pruned(
  value: JsonValue,
  schema: StructuralSchema | undefined,
  level: 'root' | 'inner' = 'inner',
): JsonValue {
  const keepsUnknown = schema?.['x-kubernetes-preserve-unknown-fields'] === true;
  if (Array.isArray(value)) {
    // Below an open schema without items everything is kept.
    if (keepsUnknown && schema.items === undefined) return value;
    const items = keepsUnknown && schema.items ? open(schema.items) : schema?.items;
    return withItems(value, it => pruned(it, items));
  }
  const object = asObject(value);
  if (object === undefined) return value;
  const isResource = level === 'root' || schema?.['x-kubernetes-embedded-resource'] === true;
  return withValues(object, (item, name) => {
    if (isResource && META_FIELDS.has(name)) return item;
    const isKnown = schema?.properties !== undefined && hasField(schema.properties, name);
    if (isKnown || schema?.additionalProperties !== undefined) return pruned(item, fieldSchema(schema ?? {}, name));
    return keepsUnknown ? item : undefined;
  });
}

/** A list with other items; the list itself where none differs. */
function withItems(list: readonly JsonValue[], itemFor: (item: JsonValue) => JsonValue): JsonValue {
  const made = list.map(itemFor);
  return made.every((it, i) => it === list[i]) ? list : made;
}

/** A map with other values, without those that are undefined; the map itself where nothing differs. */
function withValues(map: JsonObject, valueFor: (value: JsonValue, name: string) => JsonValue | undefined): JsonObject {
  const names = Object.keys(map);
  let made: [string, JsonValue][] | undefined;
  for (const [i, name] of names.entries()) {
    const before = map[name] as JsonValue;
    const after = valueFor(before, name);
    if (made === undefined && after !== before)
      made = names.slice(0, i).map((it): [string, JsonValue] => [it, map[it] as JsonValue]);
    if (after !== undefined) made?.push([name, after]);
  }
  return made === undefined ? map : Object.fromEntries(made);
}

/** Items of an open list are open, too. */
const open = (schema: StructuralSchema): StructuralSchema => ({
  ...schema,
  'x-kubernetes-preserve-unknown-fields': true,
});

/** Upstream: defaulting.PruneNonNullableNullsWithoutDefaults. */
function withoutNulls(value: JsonValue, schema: StructuralSchema | undefined): JsonValue {
  if (Array.isArray(value)) return withItems(value, it => withoutNulls(it, schema?.items));
  const object = asObject(value);
  if (object === undefined) return value;
  return withValues(object, (item, name) => {
    const inner = schema && fieldSchema(schema, name);
    const isRefused = item === null && inner !== undefined && !inner.nullable && inner.default === undefined;
    return isRefused ? undefined : withoutNulls(item, inner);
  });
}

/** Upstream: defaulting.Default. */
function withDefaults(value: JsonValue, schema: StructuralSchema | undefined): JsonValue {
  if (schema === undefined) return value;
  if (Array.isArray(value)) {
    return withItems(value, it => withDefaults(orDefault(it, schema.items), schema.items));
  }
  const object = asObject(value);
  if (object === undefined) return value;
  const written = withValues(object, (item, name) => {
    const inner = fieldSchema(schema, name);
    return withDefaults(orDefault(item, inner), inner);
  });
  const added: [string, JsonValue][] = [];
  for (const [name, inner] of schema.properties === undefined ? [] : defaultsAmong(schema.properties)) {
    if (!Object.hasOwn(object, name)) added.push([name, withDefaults(inner.default as JsonValue, inner)]);
  }
  return added.length === 0 ? written : Object.fromEntries([...Object.entries(written), ...added]);
}

/** The properties with a default, of which there are few: found once for all objects. */
const defaultsAmong = lazyByObject((properties: NonNullable<StructuralSchema['properties']>) =>
  Object.entries(properties).filter(([, it]) => it.default !== undefined && it.default !== null),
);

/** A null that is not allowed is replaced by the default, if there is one. */
const orDefault = (value: JsonValue, schema: StructuralSchema | undefined): JsonValue =>
  value === null && schema !== undefined && !schema.nullable
    ? ((schema.default as JsonValue | undefined) ?? null)
    : value;
