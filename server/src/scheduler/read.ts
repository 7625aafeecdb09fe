import type { JsonObject } from '../cluster/model';

/** The object that a value is; an empty one for anything else. */
export function objectIn(value: unknown): JsonObject {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The objects of a list; an entry of another type reads as an empty one, so that places stay. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(objectIn) : [];
}

/** undefined for an empty text, too, as Go's zero value says nothing. */
export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function wholeIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) ? value : undefined;
}
