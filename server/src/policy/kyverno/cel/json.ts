import type { JsonValue } from '../../../base/json';
import { CelCidr, CelIp, CelQuantity, CelSemver, CelUrl } from '../../../kube/cel/values';
import { KyvernoError } from '../results/failures';

/**
 * An object of a type that an expression makes: `Object.spec{…}` or `JSONPatch{…}`, and its fields. Upstream:
 * dynamic.ObjectVal.
 */
export class CelObject extends Map<string, unknown> {
  constructor(
    readonly type: string,
    fields: Iterable<readonly [string, unknown]>,
  ) {
    super(fields);
  }
}

interface Optional {
  hasValue(): boolean;
  value(): unknown;
}

const isOptional = (value: unknown): value is Optional =>
  typeof value === 'object' && value !== null && 'hasValue' in value && typeof value.hasValue === 'function';

const foreign = [CelQuantity, CelSemver, CelIp, CelCidr, CelUrl];

/**
 * An expression's value as JSON. Throws a KyvernoError for values without a JSON form. Upstream:
 * ref.Val.ConvertToNative.
 */
export function jsonOf(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (value instanceof Date) return value.toISOString().replace(/\.000Z$/, 'Z');
  if (value instanceof Uint8Array) return btoa(Array.from(value, it => String.fromCharCode(it)).join(''));
  if (value instanceof Map) return entriesToJson([...value]);
  if (typeof value === 'object' && !foreign.some(it => value instanceof it) && !isOptional(value))
    return entriesToJson(Object.entries(value as object));
  throw new KyvernoError('the expression gives something that has no form in JSON');
}

function entriesToJson(entries: readonly (readonly [unknown, unknown])[]): JsonValue {
  return Object.fromEntries(entries.map(([key, it]) => [String(key), jsonOf(it)]));
}

/** The fields of an object, from alternating names and values; `?name` is omitted when its value is absent. */
export function celObject(type: string, namesAndValues: readonly unknown[]): CelObject {
  const fields = new Map<string, unknown>();
  for (let i = 0; i + 1 < namesAndValues.length; i += 2) {
    const [name, value] = [String(namesAndValues[i]), namesAndValues[i + 1]];
    if (!name.startsWith('?')) fields.set(name, value);
    else if (isOptional(value) && value.hasValue()) fields.set(name.slice(1), value.value());
  }
  return new CelObject(type, fields);
}

/** Nested objects are named by their position. Upstream: ObjectVal.CheckTypeNamesMatchFieldPathNames. */
export function wrongTypeIn(value: unknown, expected: string): string | undefined {
  if (value instanceof CelObject) {
    if (value.type !== expected)
      return `unexpected type name ${JSON.stringify(value.type)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`;
    for (const [name, it] of value) {
      const wrong = wrongTypeIn(it, `${expected}.${name}`);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  const inner = Array.isArray(value) ? value : value instanceof Map ? [...value.values()] : [];
  return inner.map(it => wrongTypeIn(it, expected)).find(it => it !== undefined);
}
