import { asList, asObject, isObject, type JsonObject, type JsonValue } from '../../base/json';

/** Small changes of JSON values, for migrations. Each returns a new value, or the same one where nothing changes. */

export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  if (!names.some(it => Object.hasOwn(object, it))) return object;
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** The field under another name, in the place of the old one. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  if (!Object.hasOwn(object, from)) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name === from ? to : name, value]));
}

/** Changes the object in a field, if it is one. */
export function inField(object: JsonObject, name: string, change: (field: JsonObject) => JsonObject): JsonObject {
  const field = asObject(object[name]);
  return field === undefined ? object : { ...object, [name]: change(field) };
}

/** Changes each object in the list of a field. */
export function inItems(object: JsonObject, name: string, change: (item: JsonObject) => JsonObject): JsonObject {
  const items = object[name];
  return Array.isArray(items) ? { ...object, [name]: mapObjects(items, change) } : object;
}

const mapObjects = (items: readonly JsonValue[], change: (item: JsonObject) => JsonObject): readonly JsonValue[] =>
  items.map(it => {
    const item = asObject(it);
    return item === undefined ? it : change(item);
  });

/** Sets fields that are not written. */
export function withMissing(object: JsonObject, values: JsonObject): JsonObject {
  const missing = Object.entries(values).filter(([name]) => object[name] === undefined || object[name] === null);
  return missing.length === 0 ? object : { ...object, ...Object.fromEntries(missing) };
}

/** A field that is there, as an object of that field alone, to be spread. */
export function field(object: JsonObject, name: string, as = name): JsonObject {
  const value = object[name];
  return value === undefined ? {} : { [as]: value };
}

/** The items of a list that are objects. */
export function objects(value: JsonValue | undefined): readonly JsonObject[] {
  return asList(value).filter(isObject);
}
