import { asObject, type JsonObject, type JsonValue } from '../../../base/json';
import type { PartMemo } from '../../../base/partMemo';
import type { KindInfo, Kube, Schema } from '../../../kube/kube';
import { holdsSchemas, isSchemaType } from '../../decode/jsonSchema';

/** An object as decoded; see `decodedValue`. */
export const decodedObject = (value: JsonObject, { schema }: KindInfo, { parts }: Kube): JsonObject =>
  asObject(decodedValue(value, schema, parts)) ?? {};

/** An object as decoded, for whatever expects the types of the API; empty where its kind is unknown. */
export const decodedOfKind = (value: JsonObject, kind: KindInfo | undefined, kube: Kube): JsonObject =>
  kind === undefined ? {} : decodedObject(value, kind, kube);

/**
 * A value as decoded: without unknown fields, nulls and values of another type. A value that needs no change is
 * returned as it is, since most objects need none.
 */
export function decodedValue(value: JsonValue, schema: Schema, memo?: PartMemo): JsonValue | undefined {
  if (value === null) return undefined;
  switch (schema.type) {
    case 'object':
    case 'map':
      return typeof value !== 'object' || Array.isArray(value)
        ? undefined
        : decodedFields(value as JsonObject, schema, memo);
    case 'list':
      return Array.isArray(value) ? decodedItems(value as readonly JsonValue[], schema.items, memo) : undefined;
    case 'string':
    case 'bytes':
    case 'time':
    case 'microTime':
    case 'duration':
      return typeof value === 'string' ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'integer':
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
    default:
      return value;
  }
}

function decodedFields(
  of: JsonObject,
  schema: Schema & { type: 'object' | 'map' },
  memo: PartMemo | undefined,
): JsonObject {
  const isRemembered = memo !== undefined && schema.type === 'object' && isSchemaType(schema) && holdsSchemas(of);
  if (isRemembered && memo.isMarked(MARK, of)) return of;
  let copy: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(of)) {
    const item = of[name] ?? null;
    const inner = schema.type === 'map' ? schema.values : schema.fields.get(name)?.schema;
    if (inner?.type === 'string' && typeof item === 'string') continue;
    const now = inner && (decodedValue(item, inner, memo) ?? (schema.type === 'map' ? zeroOf(inner) : undefined));
    if (now === item) continue;
    copy ??= { ...of };
    if (now === undefined) delete copy[name];
    else copy[name] = now;
  }
  if (isRemembered && copy === undefined) memo.mark(MARK, of);
  return copy ?? of;
}

const MARK = 'decoded as it is';

function decodedItems(of: readonly JsonValue[], schema: Schema, memo: PartMemo | undefined): readonly JsonValue[] {
  let copy: JsonValue[] | undefined;
  for (const [i, item] of of.entries()) {
    const now = decodedValue(item, schema, memo) ?? zeroOf(schema);
    if (now === item) continue;
    copy ??= [...of];
    copy[i] = now;
  }
  return copy ?? of;
}

function zeroOf(schema: Schema): JsonValue {
  if (schema.type === 'string' || schema.type === 'bytes') return '';
  if (schema.type === 'quantity') return '0';
  if (schema.type === 'list') return [];
  if (schema.type === 'boolean') return false;
  return schema.type === 'integer' || schema.type === 'number' ? 0 : {};
}
