/**
 * The types of JSON, and readers of unchecked JSON. A reader never throws: for a value of another type it gives
 * undefined, an empty list or, where its name says so, an empty object. `kube/goFields` reads fields as Go decodes them,
 * and `cluster/decode/fields` throws at a wrong type, since an object that has one is left out as a whole.
 */

/** JSON as the API server sees it after sigs.k8s.io/yaml. An integer beyond ±(2^53 − 1) is a bigint. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** A JSON object with unchecked fields: an API object from a cluster, a message, an answer of another program. */
export type UnknownObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not a list. The second signature is the one that `filter` takes for a list of JSON values. */
export function isObject(value: unknown): value is UnknownObject;
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: JsonValue | undefined): JsonObject | undefined;
export function asObject(value: unknown): UnknownObject | undefined;
export function asObject(value: unknown): UnknownObject | undefined {
  return isObject(value) ? value : undefined;
}

/** The object, or an empty one, so that its fields can be read at once. */
export function objectOrEmpty(value: unknown): UnknownObject {
  return isObject(value) ? value : {};
}

export function asList(value: JsonValue | undefined): readonly JsonValue[];
export function asList(value: unknown): readonly unknown[];
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list; an item of another type becomes an empty object, so that indexes stay. */
export function asObjects(value: unknown): readonly UnknownObject[] {
  return asList(value).map(objectOrEmpty);
}

/** A string; undefined for an empty one, too, which to Go is an unset field. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A whole number; undefined for a bigint. */
export function asInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
