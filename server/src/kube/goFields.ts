import { asList, asObject, isObject, type JsonObject, type JsonValue } from '../base/json';

/** Readers of one field as Go decodes it: null and a missing field are the zero value. */

export type GoFields = JsonObject | undefined;

/** The field's value; undefined for a missing field and for null. */
export function get(of: GoFields, name: string): JsonValue | undefined {
  const value = of?.[name];
  if (value === undefined || value === null) return undefined;
  // Every inherited property is a function, but for __proto__; no decoded value is one. Faster than Object.hasOwn.
  return typeof value === 'function' || name === '__proto__' ? undefined : value;
}

export function has(of: GoFields, name: string): boolean {
  return get(of, name) !== undefined;
}

/** A string field, empty when absent. */
export function text(of: GoFields, name: string): string {
  return optionalText(of, name) ?? '';
}

/** A pointer to a string. */
export function optionalText(of: GoFields, name: string): string | undefined {
  const value = get(of, name);
  return typeof value === 'string' ? value : undefined;
}

/** A number field, zero when absent. */
export function int(of: GoFields, name: string): number {
  return optionalInt(of, name) ?? 0;
}

/** A pointer to a number. */
export function optionalInt(of: GoFields, name: string): number | undefined {
  const value = get(of, name);
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : undefined;
}

/** A pointer to a boolean. */
export function flag(of: GoFields, name: string): boolean | undefined {
  const value = get(of, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function record(of: GoFields, name: string): GoFields {
  return asObject(get(of, name));
}

export function items(of: GoFields, name: string): readonly JsonValue[] {
  return asList(get(of, name));
}

/** A list of objects; an item of another type becomes an empty object, so that indexes stay. */
export function records(of: GoFields, name: string): readonly JsonObject[] {
  const list = items(of, name);
  return list.every(isObject) ? list : list.map(it => asObject(it) ?? {});
}

export function texts(of: GoFields, name: string): readonly string[] {
  return items(of, name).map(it => (typeof it === 'string' ? it : ''));
}

/** The entries of a map; a null value is the zero value of its type and stays null. */
export function entries(of: GoFields, name: string): readonly (readonly [string, JsonValue])[] {
  return Object.entries(record(of, name) ?? {}).map(([key, value]) => [key, value ?? null] as const);
}

/** The entries of a map of strings. */
export function textEntries(of: GoFields, name: string): readonly (readonly [string, string])[] {
  return Object.entries(record(of, name) ?? {}).map(([key, value]) => [key, typeof value === 'string' ? value : '']);
}

/** The object with a field set. */
export function withField(of: JsonObject, name: string, value: JsonValue): JsonObject {
  const copy: Record<string, JsonValue> = { ...of };
  copy[name] = value;
  return copy;
}

/** The object with a field set if that is absent or null. */
export function withDefault(of: JsonObject, name: string, value: JsonValue): JsonObject {
  return has(of, name) ? of : withField(of, name, value);
}

/** The object with fields set that are absent, null or an empty string. */
export function withDefaults(of: JsonObject, defaults: JsonObject): JsonObject {
  let filled: Record<string, JsonValue> | undefined;
  for (const name of Object.keys(defaults)) {
    if (has(of, name) && of[name] !== '') continue;
    filled ??= { ...of };
    filled[name] = defaults[name] ?? null;
  }
  return filled ?? of;
}

/** The object with one of its objects changed; the same object if that one is absent. */
export function mapField(of: JsonObject, name: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = record(of, name);
  if (value === undefined) return of;
  const now = change(value);
  return now === value ? of : withField(of, name, now);
}

/** The object with every item of a list changed, if the list is present. */
export function mapItems(of: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const before = items(of, name);
  if (before.length === 0) return of;
  const now = before.map(it => change(asObject(it) ?? {}));
  return now.every((it, i) => it === before[i]) ? of : withField(of, name, now);
}

export function without(of: JsonObject, name: string): JsonObject {
  if (!Object.hasOwn(of, name)) return of;
  const { [name]: _removed, ...rest } = of;
  return rest;
}
