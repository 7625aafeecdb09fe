import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import { FieldPath } from '../../manifest/fieldPath';

/** `[]` is each item of a list, `{}` each key of a map, anything else a field; one step is one segment of a path. */
export type PatternStep = string;

/** `spec.volumes[].name` → `spec`, `volumes`, `[]`, `name`; a key with dots is quoted: `data["a.b"]`; '' → no step. */
export function stepsOf(pattern: string): readonly PatternStep[] {
  return Array.from(pattern.matchAll(STEP), ([whole, key]) => key ?? whole);
}

const STEP = /\["([^"]+)"\]|\[\]|\{\}|[^.[\]{}]+/g;

export interface PatternMatch {
  readonly at: FieldPath;
  /** The text there: a string, a printed number, or the key for a pattern that ends in `{}`. */
  readonly name: string;
}

/** Every name that matches a pattern, in a value whose path is `from`. */
export function patternMatches(
  value: JsonValue | undefined,
  steps: readonly PatternStep[],
  from: FieldPath,
): readonly PatternMatch[] {
  const found: PatternMatch[] = [];
  collect(value, steps, 0, from, found);
  return found;
}

function collect(
  value: JsonValue | undefined,
  steps: readonly PatternStep[],
  depth: number,
  at: FieldPath,
  found: PatternMatch[],
): void {
  const step = steps[depth];
  if (step === undefined) {
    const name = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    if (name !== '') found.push({ at, name });
    return;
  }
  if (step === '[]') {
    if (!Array.isArray(value)) return;
    for (let i = 0; i < value.length; i++) collect(value[i], steps, depth + 1, at.index(i), found);
    return;
  }
  if (!isObject(value)) return;
  if (step === '{}') for (const name of Object.keys(value)) found.push({ at: at.key(name), name });
  else if (Object.hasOwn(value, step)) collect(value[step], steps, depth + 1, at.child(step), found);
}

/** The value at a path; undefined if it is missing. */
export function valueAt(root: JsonValue, path: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const segment of path.segments) {
    if (typeof segment === 'number') value = Array.isArray(value) ? value[segment] : undefined;
    else {
      const name: string = typeof segment === 'string' ? segment : segment.key;
      value = isObject(value) ? ownOf(value, name) : undefined;
    }
  }
  return value;
}

/** The path of the first `depth` segments. */
export function prefixOf(path: FieldPath, depth: number): FieldPath {
  return FieldPath.of(...path.segments.slice(0, depth));
}

export function textIn(object: JsonObject | undefined, field: string): string | undefined {
  const value = object !== undefined ? ownOf(object, field) : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
