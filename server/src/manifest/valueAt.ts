import { asList, asObject, type JsonValue } from '../base/json';
import { ownOf } from '../base/ownOf';
import { FieldPath, type Segment } from './fieldPath';

/** The value at a path, or undefined. */
export function valueAt(root: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  return path.segments.reduce<JsonValue | undefined>((value, segment) => step(value, segment), root);
}

function step(value: JsonValue | undefined, segment: Segment): JsonValue | undefined {
  if (typeof segment === 'number') return asList(value)[segment];
  const name = typeof segment === 'string' ? segment : segment.key;
  const object = asObject(value);
  return object !== undefined ? ownOf(object, name) : undefined;
}

/** The value at a chain of field names. */
export function fieldAt(root: JsonValue | undefined, ...names: string[]): JsonValue | undefined {
  return valueAt(root, FieldPath.of(...names));
}
