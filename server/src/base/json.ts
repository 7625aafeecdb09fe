/** JSON as the API server sees it after sigs.k8s.io/yaml. An integer beyond ±(2^53 − 1) is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A plain JSON object: one API object, as a file or the API server gives it. */
export type UnknownObject = Readonly<Record<string, unknown>>;

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Small readers of untyped JSON; each gives undefined (or an empty list) where the type is another. */

export function asObject(value: JsonValue | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

/** A string that is not empty. */
export function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The object that a value is; an empty one for anything else. */
export function objectIn(value: unknown): UnknownObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as UnknownObject) : {};
}

/** The objects of a list; an entry of another type reads as an empty one, so that places stay. */
export function objectsIn(value: unknown): readonly UnknownObject[] {
  return Array.isArray(value) ? value.map(objectIn) : [];
}

/** undefined for an empty text, too, as Go's zero value says nothing. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function wholeIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
