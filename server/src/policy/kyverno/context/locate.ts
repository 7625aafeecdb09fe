import type { JsonObject, JsonValue } from '../../../base/json';
import { FieldPath, type Segment } from '../../../manifest/fieldPath';
import { isList, isMap } from '../go/goValues';
import { variablesIn } from './variables';

/** The path of Kyverno's `/spec/containers/0/image/`, as far as it exists in the object. */
export function pathOfPointer(pointer: string, object: JsonObject): FieldPath {
  return pathOfSteps(
    pointer.split('/').filter(it => it !== ''),
    object,
  );
}

const keyedMaps: ReadonlySet<string> = new Set(['labels', 'annotations']);

/** The path of names and indexes as long as they exist, with the first missing one. */
function pathOfSteps(steps: readonly string[], object: JsonValue): FieldPath {
  const segments: Segment[] = [];
  let value: JsonValue | undefined = object;
  for (const [i, step] of steps.entries()) {
    if (value === undefined) break;
    // Keys of these maps may contain slashes, which also separate steps.
    if (keyedMaps.has(steps[i - 1] ?? '') && steps[i - 2] === 'metadata') {
      segments.push({ key: steps.slice(i).join('/') });
      break;
    }
    const segment: Segment = isList(value) && /^\d+$/.test(step) ? Number(step) : step;
    segments.push(segment);
    value = isList(value)
      ? typeof segment === 'number'
        ? value[segment]
        : undefined
      : isMap(value)
        ? value[step]
        : undefined;
  }
  return FieldPath.of(...segments);
}

/** A path as steps from the object's root. */
export type LocationSteps = readonly (string | number)[];

/** The paths of an object's lists and maps by identity, to locate values that a query returned. */
export function locationsIn(object: JsonObject): ReadonlyMap<JsonValue, LocationSteps> {
  const locations = new Map<JsonValue, LocationSteps>();
  const walk = (value: JsonValue, at: LocationSteps): void => {
    if (!isMap(value) && !isList(value)) return;
    locations.set(value, at);
    if (isList(value)) for (const [i, it] of value.entries()) walk(it, [...at, i]);
    else for (const [key, it] of Object.entries(value)) walk(it, [...at, key]);
  };
  walk(object, []);
  return locations;
}

/** The objects at which paths in variables may start. */
export interface Roots {
  readonly object: JsonObject;
  /** The element of the innermost loop, when it is part of the object. */
  readonly element?: LocationSteps;
}

/** The first existing field of the object that a document's variables name; undefined when there is none. */
export function pathOfVariables(document: JsonValue, roots: Roots): FieldPath | undefined {
  for (const text of textsOf(document)) {
    for (const variable of variablesIn(text)) {
      const path = pathOfVariable(variable, text, roots);
      if (path !== undefined) return path;
    }
  }
  return undefined;
}

function* textsOf(document: JsonValue): Iterable<string> {
  if (typeof document === 'string') yield document;
  else if (isList(document)) for (const it of document) yield* textsOf(it);
  else if (isMap(document)) for (const it of Object.values(document)) yield* textsOf(it);
}

const names = /(?<![\w.])(request\.object|element)((?:\.(?:\w+|"[^"]+")|\[\d+\])*)/;

function pathOfVariable(variable: string, text: string, { object, element }: Roots): FieldPath | undefined {
  const [, root, rest = ''] = names.exec(variable) ?? [];
  if (root === undefined || (root === 'element' && element === undefined)) return undefined;
  const steps = [...rest.matchAll(/\.(\w+)|\."([^"]+)"|\[(\d+)\]/g)].map(it => it[1] ?? it[2] ?? it[3] ?? '');
  const start = root === 'element' ? (element ?? []).map(String) : [];
  // `images.containers."{{ element.name }}"` means the image, not the name.
  const isOfImages = root === 'element' && /\bimages\./.test(text);
  const all = isOfImages ? [...start, 'image'] : [...start, ...steps];
  for (let length = all.length; length > 0; length--) {
    if (leadsSomewhere(all.slice(0, length), object)) return pathOfSteps(all.slice(0, length), object);
  }
  return undefined;
}

function leadsSomewhere(steps: readonly string[], object: JsonValue): boolean {
  let value: JsonValue | undefined = object;
  for (const step of steps) value = isList(value) ? value[Number(step)] : isMap(value) ? value[step] : undefined;
  return value !== undefined;
}
