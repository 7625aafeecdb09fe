import type { JsonObject, JsonValue } from '../../../manifest/manifest';
import { asList, asObject } from '../../values';

/** Readers of a decoded object; what is absent reads as Go's zero value, as it does in upstream's structs. */

export function text(of: JsonObject | undefined, field: string): string {
  const value = own(of, field);
  return typeof value === 'string' ? value : '';
}

export function number(of: JsonObject | undefined, field: string): number | undefined {
  const value = own(of, field);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

export function flag(of: JsonObject | undefined, field: string): boolean | undefined {
  const value = own(of, field);
  return typeof value === 'boolean' ? value : undefined;
}

export function object(of: JsonObject | undefined, field: string): JsonObject | undefined {
  return asObject(own(of, field));
}

export function list(of: JsonObject | undefined, field: string): readonly JsonValue[] {
  return asList(own(of, field));
}

/** The items that are objects; another one reads as an empty object, so that indexes stay. */
export function objects(of: JsonObject | undefined, field: string): readonly JsonObject[] {
  return list(of, field).map(it => asObject(it) ?? {});
}

export function texts(of: JsonObject | undefined, field: string): readonly string[] {
  return list(of, field).map(it => (typeof it === 'string' ? it : ''));
}

/** The entries of a map of strings. */
export function textEntries(of: JsonObject | undefined, field: string): readonly (readonly [string, string])[] {
  return Object.entries(object(of, field) ?? {}).map(([key, value]) => [key, typeof value === 'string' ? value : '']);
}

export function has(of: JsonObject | undefined, field: string): boolean {
  return own(of, field) !== undefined;
}

export function own(of: JsonObject | undefined, field: string): JsonValue | undefined {
  return of !== undefined && Object.hasOwn(of, field) ? of[field] : undefined;
}

/** The object with absent fields filled in. */
export function withDefaults(of: JsonObject, defaults: JsonObject): JsonObject {
  const missing = Object.entries(defaults).filter(([field]) => !has(of, field) || of[field] === '');
  return missing.length === 0 ? of : { ...of, ...Object.fromEntries(missing) };
}

/** The object with one field changed, where it is there. */
export function mapField(of: JsonObject, field: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = object(of, field);
  return value === undefined ? of : { ...of, [field]: change(value) };
}

/** The object with every item of a list changed, where the list is there. */
export function mapItems(of: JsonObject, field: string, change: (item: JsonObject) => JsonObject): JsonObject {
  return list(of, field).length === 0 ? of : { ...of, [field]: objects(of, field).map(change) };
}

export function without(of: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(of).filter(([key]) => key !== field));
}
