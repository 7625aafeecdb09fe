import { FieldPath, type Segment } from '../manifest/fieldPath';
import { isObject } from '../manifest/json';
import type { JsonObject, JsonValue } from '../manifest/manifest';

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

/** The value at a path, or undefined. */
export function valueAt(root: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  return path.segments.reduce<JsonValue | undefined>((value, segment) => step(value, segment), root);
}

function step(value: JsonValue | undefined, segment: Segment): JsonValue | undefined {
  if (typeof segment === 'number') return asList(value)[segment];
  const name = typeof segment === 'string' ? segment : segment.key;
  const object = asObject(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The value below a chain of field names. */
export function fieldAt(root: JsonValue | undefined, ...names: string[]): JsonValue | undefined {
  return valueAt(root, FieldPath.of(...names));
}

/** A name in double quotes, as Go's %q prints it. */
export function quoted(text: string): string {
  return JSON.stringify(text);
}
