import { asObject, type JsonObject, type JsonValue } from '../../base/json';
import type { PartMemo } from '../../base/partMemo';
import type { ObjectSchema, Schema } from '../../kube/kube';
import { isPlainQuantity, isQuantity } from '../../kube/quantity';
import { FieldPath } from '../../manifest/fieldPath';
import { isPaddedBase64 } from '../../text/base64';
import { embeddedStructs } from './embedded';
import { holdsSchemas, innerSchemas, isSchemaType } from './jsonSchema';

/** A field that the type does not have. Map keys in the path are plain segments, as the strict decoder prints them. */
export interface UnknownField {
  readonly what: 'unknown';
  readonly at: FieldPath;
  readonly name: string;
  readonly schema: ObjectSchema;
  readonly present: JsonObject;
  /** The enclosing objects, outermost first. */
  readonly around: readonly ObjectSchema[];
}

/** A value that the decoder cannot convert to the field's type. */
export interface Mismatch {
  readonly what: 'mismatch';
  readonly at: FieldPath;
  /** The path as the decoder prints it: with the names of inline structs. */
  readonly printed: string;
  readonly wanted: ExpectedType;
  readonly value: JsonValue;
}

export type ExpectedType = Schema['type'] | 'int32' | 'int64';

/** Whether paths have the names of inline structs. */
type EmbeddedStructs = 'named' | 'unnamed';

interface Place {
  readonly at: FieldPath;
  readonly printed: FieldPath;
  readonly structs: EmbeddedStructs;
}

const INT32 = 2n ** 31n;
const INT64 = 2n ** 63n;

/**
 * The errors of a strict decoder for a value, one for each field. Upstream: sigs.k8s.io/json (case-sensitive, strict)
 * and the UnmarshalJSON methods of the API's own scalars. null leaves any field unset.
 */
export function* decode(
  value: JsonObject,
  schema: ObjectSchema,
  structs: EmbeddedStructs = 'named',
  memo?: PartMemo,
): Iterable<UnknownField | Mismatch> {
  if (decodesWhole(value, schema, memo)) return;
  yield* decodeValue(value, schema, { at: FieldPath.root, printed: FieldPath.root, structs }, []);
}

/** Whether there are no errors, as for most objects. This check makes no paths. */
function decodesWhole(value: JsonValue, schema: Schema, memo: PartMemo | undefined): boolean {
  if (value === null || schema.type === 'any') return true;
  if (schema.type === 'list') {
    return Array.isArray(value) && (value as readonly JsonValue[]).every(it => decodesWhole(it, schema.items, memo));
  }
  if (schema.type !== 'object' && schema.type !== 'map') return fits(value, wantedOf(schema));
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const isRemembered =
    memo !== undefined && schema.type === 'object' && isSchemaType(schema) && holdsSchemas(value as JsonObject);
  if (isRemembered && memo.isMarked(MARK, value)) return true;
  for (const name of Object.keys(value)) {
    const inner = schema.type === 'map' ? schema.values : schema.fields.get(name)?.schema;
    const item = (value as JsonObject)[name] ?? null;
    if (inner === undefined && schema.type === 'object' && schema.isOpen) continue;
    if (inner === undefined || !decodesWhole(item, inner, memo)) return false;
    if (inner.type === 'any' && schema.type === 'object' && !innerDecodesWhole(item, name, schema, memo)) return false;
  }
  if (isRemembered) memo.mark(MARK, value);
  return true;
}

const MARK = 'decodes whole';

function innerDecodesWhole(value: JsonValue, name: string, schema: ObjectSchema, memo: PartMemo | undefined): boolean {
  const inner = innerSchemas(schema, name, value);
  return inner === undefined || (inner !== 'refused' && inner.every(it => decodesWhole(it.value, schema, memo)));
}

const wantedOf = (schema: Schema): ExpectedType =>
  schema.type === 'integer' ? (schema.format ?? 'int64') : schema.type;

function* decodeValue(
  value: JsonValue,
  schema: Schema,
  place: Place,
  around: readonly ObjectSchema[],
): Iterable<UnknownField | Mismatch> {
  if (value === null || schema.type === 'any') return;
  if (schema.type === 'object') {
    const object = asObject(value);
    if (object === undefined) yield mismatch(place, 'object', value);
    else yield* decodeFields(object, schema, place, around);
    return;
  }
  if (schema.type === 'map') {
    const object = asObject(value);
    if (object === undefined) {
      yield mismatch(place, 'map', value);
      return;
    }
    for (const [key, item] of Object.entries(object)) {
      const inside = { ...place, at: place.at.child(key), printed: place.printed.key(key) };
      yield* decodeValue(item, schema.values, inside, around);
    }
    return;
  }
  if (schema.type === 'list') {
    if (!Array.isArray(value)) {
      yield mismatch(place, 'list', value);
      return;
    }
    for (const [i, item] of (value as readonly JsonValue[]).entries()) {
      const inside = { ...place, at: place.at.index(i), printed: place.printed.index(i) };
      yield* decodeValue(item, schema.items, inside, around);
    }
    return;
  }
  const wanted = wantedOf(schema);
  if (!fits(value, wanted)) yield mismatch(place, wanted, value);
}

function* decodeFields(
  object: JsonObject,
  schema: ObjectSchema,
  { at, printed, structs }: Place,
  around: readonly ObjectSchema[],
): Iterable<UnknownField | Mismatch> {
  for (const [name, value] of Object.entries(object)) {
    const field = schema.fields.get(name);
    if (field === undefined && schema.isOpen) continue;
    if (field === undefined) {
      yield { what: 'unknown', at: at.child(name), name, schema, present: object, around };
      continue;
    }
    const names = structs === 'named' ? embeddedStructs(schema.definition, name) : [];
    const inside = { at: at.child(name), printed: printed.child(...names, name), structs };
    yield* decodeValue(value, field.schema, inside, [...around, schema]);
    if (field.schema.type === 'any') yield* decodeInner(value, name, schema, inside);
  }
}

/** Values of another type in schemas inside a schema. */
function* decodeInner(value: JsonValue, name: string, schema: ObjectSchema, place: Place): Iterable<Mismatch> {
  const inner = innerSchemas(schema, name, value);
  if (inner === 'refused') yield mismatch(place, 'object', value);
  if (inner === undefined || inner === 'refused') return;
  for (const { value: item, index } of inner) {
    const inside =
      index === undefined ? place : { ...place, at: place.at.index(index), printed: place.printed.index(index) };
    for (const it of decodeValue(item, schema, inside, [])) {
      // These types decode themselves; the paths that leave out structs end there.
      if (it.what === 'mismatch') yield place.structs === 'named' ? it : { ...it, printed: place.printed.toString() };
    }
  }
}

function mismatch({ at, printed }: Place, wanted: ExpectedType, value: JsonValue): Mismatch {
  return { what: 'mismatch', at, printed: printed.toString(), wanted, value };
}

/** Whether the decoder of a scalar accepts a JSON value. */
export function fits(value: JsonValue, wanted: ExpectedType): boolean {
  switch (wanted) {
    case 'string':
      return typeof value === 'string';
    case 'boolean':
      return typeof value === 'boolean';
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint';
    case 'int32':
      return isInteger(value, INT32);
    case 'int64':
    case 'integer':
      return isInteger(value, INT64);
    case 'intOrString':
      return typeof value === 'string' || isInteger(value, INT32);
    case 'quantity':
      return (typeof value === 'string' && isPlainQuantity(value)) || isQuantity(value);
    case 'time':
      return typeof value === 'string' && isTime(value, /^([.,]\d+)?$/);
    case 'microTime':
      return typeof value === 'string' && isTime(value, /^[.,]\d{6}$/);
    case 'duration':
      return typeof value === 'string' && DURATION.test(value);
    case 'bytes':
      return Array.isArray(value)
        ? (value as readonly JsonValue[]).every(isByte)
        : typeof value === 'string' && isPaddedBase64(value.replace(/[\r\n]/g, ''));
    default:
      return true;
  }
}

const DURATION = /^[-+]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)$/;
const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)([.,]\d+)?(?:Z|[-+](\d\d):(\d\d))$/;

/** An item of a `[]byte` that is written as a list, which Go's decoder reads as well; null is 0. */
function isByte(value: JsonValue): boolean {
  return value === null || (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 256);
}

function isInteger(value: JsonValue, limit: bigint): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value >= -limit && value < limit;
  return typeof value === 'bigint' && value >= -limit && value < limit;
}

/**
 * Go's RFC 3339 layout accepts any fraction of a second, after a point or a comma; MicroTime needs exactly six digits.
 */
function isTime(text: string, fraction: RegExp): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const days = month >= 1 && month <= 12 ? new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate() : 0;
  const inRange = day >= 1 && day <= days && (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
  const zone = Number(parts[8] ?? 0) <= 24 && Number(parts[9] ?? 0) <= 60;
  return inRange && zone && fraction.test(parts[7] ?? '');
}
