import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonObject, JsonValue } from '../../../../manifest/manifest';
import { asList, asObject } from '../../../values';
import { type FieldError, invalid } from '../errors';

/** Readers of one field as Go decodes it: null and a missing field are the zero value. */

export type Fields = JsonObject | undefined;

/** The field's value; undefined for a missing field and for null. */
export function get(object: Fields, name: string): JsonValue | undefined {
  if (object === undefined || !Object.hasOwn(object, name)) return undefined;
  return object[name] ?? undefined;
}

export function has(object: Fields, name: string): boolean {
  return get(object, name) !== undefined;
}

/** A string field, empty when absent. */
export function text(object: Fields, name: string): string {
  return optionalText(object, name) ?? '';
}

/** A pointer to a string. */
export function optionalText(object: Fields, name: string): string | undefined {
  const value = get(object, name);
  return typeof value === 'string' ? value : undefined;
}

/** A number field, zero when absent. */
export function int(object: Fields, name: string): number {
  return optionalInt(object, name) ?? 0;
}

/** A pointer to a number. */
export function optionalInt(object: Fields, name: string): number | undefined {
  const value = get(object, name);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : undefined;
}

export function record(object: Fields, name: string): Fields {
  return asObject(get(object, name));
}

export function items(object: Fields, name: string): readonly JsonValue[] {
  return asList(get(object, name));
}

/** A list of objects; an entry of another type reads as an object without fields. */
export function records(object: Fields, name: string): readonly JsonObject[] {
  return items(object, name).map(it => asObject(it) ?? {});
}

export function texts(object: Fields, name: string): readonly string[] {
  return items(object, name).map(it => (typeof it === 'string' ? it : ''));
}

/** The entries of a map; a null value is the zero value of its type and stays null. */
export function entries(object: Fields, name: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(record(object, name) ?? {}).map(([key, value]) => [key, value ?? null] as const);
}

/** The object with a field set. */
export function withField(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return { ...object, [name]: value };
}

/** The object with a field set where it is absent, null or (for a string field) empty. */
export function withDefault(object: JsonObject, name: string, value: JsonValue): JsonObject {
  const present = get(object, name);
  return present === undefined ? withField(object, name, value) : object;
}

export function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _removed, ...rest } = object;
  return rest;
}

/** The object with one of its objects changed; unchanged when that object is absent. */
export function mapField(object: JsonObject, name: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = record(object, name);
  return value === undefined ? object : withField(object, name, change(value));
}

/** Strings' length as Go counts it. */
export function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}

/** One Invalid for every message about a value. */
export function invalids(at: FieldPath, value: JsonValue, messages: readonly string[]): readonly FieldError[] {
  return messages.map(it => invalid(at, value, it));
}

/** NotSupported with the choices as upstream lists them, where it does not sort. */
export function notAmong(at: FieldPath, value: JsonValue, choices: readonly string[]): FieldError {
  return {
    type: 'FieldValueNotSupported',
    at,
    detail: `supported values: ${choices.map(it => JSON.stringify(it)).join(', ')}`,
    value,
  };
}
