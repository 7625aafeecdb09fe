import type { JsonObject, JsonValue } from '../../../base/json';
import { isList, isMap, isNumber, marshal, parseFloat64 } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import type { ExpressionReference } from './interpret';
import { functions } from './signature';

type List = readonly JsonValue[];

/** The functions of the standard, as kyverno/go-jmespath has them. */
export const standardFunctions = functions({
  abs: ['number', (it: number) => Math.abs(it)],
  avg: ['array[number]', (items: readonly number[]) => items.reduce((sum, it) => sum + it, 0) / items.length],
  ceil: ['number', (it: number) => Math.ceil(it)],
  contains: ['array|string any', contains],
  ends_with: ['string string', (text: string, suffix: string) => text.endsWith(suffix)],
  floor: ['number', (it: number) => Math.floor(it)],
  join: ['string array[string]', (separator: string, items: readonly string[]) => items.join(separator)],
  keys: ['object', (it: JsonObject) => Object.keys(it)],
  length: ['string|array|object', lengthOf],
  map: ['expref array', ({ of }: ExpressionReference, items: List) => items.map(of)],
  max: [
    'array[number]|array[string]',
    (items: List) =>
      best(
        items,
        it => it,
        (a, b) => a > b,
      ),
  ],
  max_by: ['array expref', (items: List, { of }: ExpressionReference) => bestBy(items, of, (a, b) => a > b)],
  merge: ['object...', (...all: JsonObject[]) => Object.assign({}, ...all) as JsonObject],
  min: [
    'array[number]|array[string]',
    (items: List) =>
      best(
        items,
        it => it,
        (a, b) => a < b,
      ),
  ],
  min_by: ['array expref', (items: List, { of }: ExpressionReference) => bestBy(items, of, (a, b) => a < b)],
  not_null: ['any...', (...all: JsonValue[]) => all.find(it => it !== null) ?? null],
  reverse: [
    'array|string',
    (it: string | List) => (typeof it === 'string' ? [...it].reverse().join('') : [...it].reverse()),
  ],
  sort: ['array[string]|array[number]', (items: List) => sortedBy(items, it => it)],
  sort_by: ['array expref', sortBy],
  starts_with: ['string string', (text: string, prefix: string) => text.startsWith(prefix)],
  to_array: ['any', (it: JsonValue) => (isList(it) ? it : [it])],
  to_number: ['any', toNumber],
  to_string: ['any', (it: JsonValue) => (typeof it === 'string' ? it : marshal(it))],
  type: ['any', typeName],
  values: ['object', (it: JsonObject) => Object.values(it)],
});

/** Only scalars are compared; upstream panics when a list or a map is searched for. */
function contains(where: string | List, what: JsonValue): boolean {
  if (typeof where === 'string') return typeof what === 'string' && where.includes(what);
  return where.some(it => it === what);
}

function lengthOf(it: string | List | JsonObject): number {
  if (typeof it === 'string') return [...it].length;
  return isList(it) ? it.length : Object.keys(it).length;
}

type Key = number | string;

function best(items: List, keyOf: (it: JsonValue) => JsonValue, isBetter: (a: Key, b: Key) => boolean): JsonValue {
  return items.reduce((res, it) => (isBetter(keyOf(it) as Key, keyOf(res) as Key) ? it : res), items[0] ?? null);
}

function bestBy(items: List, keyOf: (it: JsonValue) => JsonValue, isBetter: (a: Key, b: Key) => boolean): JsonValue {
  if (items.length < 2) return items[0] ?? null;
  return best(items, checkedKeys(items, keyOf, 'invalid type, must be number of string'), isBetter);
}

function sortBy(items: List, { of }: ExpressionReference): JsonValue {
  return items.length < 2 ? items : sortedBy(items, checkedKeys(items, of, 'error in sort_by comparison'));
}

/** Keys have to be all numbers or all texts. */
function checkedKeys(
  items: List,
  keyOf: (it: JsonValue) => JsonValue,
  complaint: string,
): (it: JsonValue) => JsonValue {
  const keys = new Map(items.map(it => [it, keyOf(it)]));
  const types = new Set([...keys.values()].map(it => typeof it));
  if (types.size !== 1 || !(types.has('number') || types.has('string'))) throw new KyvernoError(complaint);
  return it => keys.get(it) ?? null;
}

function sortedBy(items: List, keyOf: (it: JsonValue) => JsonValue): JsonValue {
  return [...items].sort((a, b) => {
    const [left, right] = [keyOf(a) as Key, keyOf(b) as Key];
    return left === right ? 0 : left < right ? -1 : 1;
  });
}

function toNumber(it: JsonValue): JsonValue {
  if (isNumber(it)) return it;
  return typeof it === 'string' ? (parseFloat64(it) ?? null) : null;
}

function typeName(it: JsonValue): string {
  if (it === null) return 'null';
  if (isList(it)) return 'array';
  return isMap(it) ? 'object' : typeof it === 'bigint' ? 'number' : typeof it;
}
