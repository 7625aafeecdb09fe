import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import type { StructuralSchema } from '../../../../kube/kube';

/**
 * An object after the decoder of custom resources: unknown fields pruned, disallowed nulls removed, defaults set.
 * Upstream: apiextensions-apiserver schema/pruning and schema/defaulting.
 */
export function decodedResource(whole: JsonObject, schema: StructuralSchema): JsonObject {
  const { apiVersion, kind, metadata } = whole;
  const decoded = asObject(decodedValue(whole, schema)) ?? {};
  return { ...decoded, ...Object.fromEntries(Object.entries({ apiVersion, kind, metadata }).filter(isWritten)) };
}

const isWritten = (entry: readonly [string, JsonValue | undefined]): entry is [string, JsonValue] =>
  entry[1] !== undefined;

function decodedValue(value: JsonValue, schema: StructuralSchema): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : (value as readonly JsonValue[]).map(it => decodedValue(it, items));
  }
  const object = asObject(value);
  if (object === undefined) return value;
  const written = Object.entries(object).flatMap(([name, item]): [string, JsonValue][] => {
    const inner = fieldSchema(schema, name);
    if (inner === undefined) return keepsUnknown(schema) ? [[name, item]] : [];
    if (item === null && inner.nullable !== true) return [];
    return [[name, decodedValue(item, inner)]];
  });
  const fields = Object.fromEntries(written);
  const defaults = Object.entries(schema.properties ?? {})
    .filter(([name, it]) => it.default !== undefined && !Object.hasOwn(fields, name))
    .map(([name, it]): [string, JsonValue] => [name, decodedValue(it.default as JsonValue, it)]);
  return { ...fields, ...Object.fromEntries(defaults) };
}

/** The schema of a field or of a map's entry; undefined for an unknown field. */
export function fieldSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function keepsUnknown(schema: StructuralSchema): boolean {
  if (schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true) return true;
  return schema.type === undefined && schema.properties === undefined;
}
