import { asObject, type JsonObject, type JsonValue } from '../../../../base/json';
import { FieldPath } from '../../../../manifest/fieldPath';
import type { Validation } from '../errors';
import { entry, hasContent } from '../gatedFields';
import { isSet, without } from './declarative';

/** A field that PrepareForCreate removes if one of its gates is off, or always if it has no gates. */
export interface DroppedField {
  readonly gates: readonly string[];
  /** Field names from the root; `*` stands for every item of a list and every value of a map. */
  readonly path: string;
}

interface Dropped<T extends JsonValue> {
  readonly object: T;
  readonly dropped: readonly FieldPath[];
}

/** The object without the fields whose gates are off, and the paths that were set. */
export function dropFields(
  object: JsonObject,
  fields: readonly DroppedField[],
  validation: Validation,
): Dropped<JsonObject> {
  const off = fields.filter(it => it.gates.length === 0 || it.gates.some(gate => !validation.isOn(gate)));
  return off.reduce<Dropped<JsonObject>>(
    (before, field) => {
      const after = removed(before.object, field.path.split('.'), FieldPath.root);
      return { object: asObject(after.object) ?? before.object, dropped: [...before.dropped, ...after.dropped] };
    },
    { object, dropped: [] },
  );
}

function removed(value: JsonValue, names: readonly string[], at: FieldPath): Dropped<JsonValue> {
  const [name, ...rest] = names;
  if (name === undefined) return { object: value, dropped: [] };
  if (name === '*') return removedBelow(value, rest, at);
  const object = asObject(value);
  const child = object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
  if (object === undefined || !isSet(child)) return { object: value, dropped: [] };
  if (rest.length === 0) {
    return { object: without(object, name), dropped: hasContent(child) ? [at.child(name)] : [] };
  }
  const below = removed(child, rest, at.child(name));
  return { object: { ...object, [name]: below.object }, dropped: below.dropped };
}

function removedBelow(value: JsonValue, names: readonly string[], at: FieldPath): Dropped<JsonValue> {
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item, i) => removed(item, names, at.index(i)));
    return { object: items.map(it => it.object), dropped: items.flatMap(it => it.dropped) };
  }
  const entries = Object.entries(asObject(value) ?? {}).map(
    ([key, item]) => [key, removed(item, names, entry(at, key))] as const,
  );
  if (entries.length === 0) return { object: value, dropped: [] };
  return {
    object: Object.fromEntries(entries.map(([key, it]) => [key, it.object])),
    dropped: entries.flatMap(([, it]) => it.dropped),
  };
}
