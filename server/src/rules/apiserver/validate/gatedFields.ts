import { asObject, type JsonObject, type JsonValue } from '../../../base/json';
import { get, has, without } from '../../../kube/goFields';
import type { GatedFields, GatedPart } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';

/** An object after PrepareForCreate, and the paths of what was removed. */
export interface Dropped {
  readonly object: JsonObject;
  readonly dropped: readonly FieldPath[];
}

/**
 * The object without the fields whose feature gate is off, Pod templates included. Strategies remove fields that depend
 * on more than a gate before. Upstream: the dropDisabledFields functions of all strategies.
 */
export function dropGatedFields(object: JsonObject, gated: GatedFields | undefined): Dropped {
  if (gated === undefined) return { object, dropped: [] };
  const dropped: FieldPath[] = [];
  return { object: withoutGated(object, gated, FieldPath.root, dropped), dropped };
}

/** Whether a value has any content: an empty object or list has none. */
export function hasContent(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  const object = asObject(value);
  return object === undefined || Object.values(object).some(hasContent);
}

/** The path of an entry of a map, printed with a dot like a field if that is readable. */
export function entry(at: FieldPath, key: string): FieldPath {
  return /[./]/.test(key) ? at.key(key) : at.child(key);
}

function withoutGated(object: JsonObject, gated: GatedFields, at: FieldPath, dropped: FieldPath[]): JsonObject {
  let kept = object;
  for (const name of gated.removed) {
    const value = get(kept, name);
    if (value === undefined) continue;
    if (hasContent(value)) dropped.push(at.child(name));
    kept = without(kept, name);
  }
  const first = gated.firstOf.find(it => has(kept, it));
  for (const [name, whole] of gated.parts) {
    const value = get(kept, name);
    const isLater = first !== name && gated.firstOf.includes(name);
    const part = isLater ? gated.inLater?.parts.get(name) : whole;
    if (value === undefined || part === undefined) continue;
    const left = withoutGatedParts(value, part, at.child(name), dropped);
    if (left !== value) kept = { ...kept, [name]: left };
  }
  return kept;
}

/** The same object if nothing is removed, so that unchanged values are not copied. */
function withoutGatedParts(value: JsonValue, part: GatedPart, at: FieldPath, dropped: FieldPath[]): JsonValue {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const left = items.map((it, i) => withoutGatedParts(it, part, at.index(i), dropped));
    return left.some((it, i) => it !== items[i]) ? left : value;
  }
  const object = asObject(value);
  if (object === undefined) return value;
  if (!part.isMap) return withoutGated(object, part.fields, at, dropped);
  const entries = Object.entries(object);
  const left = entries.map(([key, it]): [string, JsonValue] => {
    const item = asObject(it);
    return [key, item === undefined ? it : withoutGated(item, part.fields, entry(at, key), dropped)];
  });
  return left.some(([, it], i) => it !== entries[i]?.[1]) ? Object.fromEntries(left) : value;
}
