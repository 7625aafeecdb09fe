import type { JsonValue } from '../../../base/json';
import { matchesWildcard } from '../../../base/wildcard';
import { isList, isNumber, sprint, unmarshalAny } from '../go/goValues';
import { matchesScalar, operatorOf } from '../pattern/scalar';

/** undefined when upstream rejects the types; then every operator, negated ones included, returns false. */
type Membership = boolean | undefined;
type Relation = (keys: readonly string[], values: readonly string[]) => boolean;

const isSame = (a: string, b: string): boolean => matchesWildcard(a, b) || matchesWildcard(b, a);
const isAmong = (key: string, values: readonly string[]): boolean => values.some(it => isSame(key, it));

const anyIn: Relation = (keys, values) => keys.some(it => isAmong(it, values));
const allIn: Relation = (keys, values) => keys.every(it => isAmong(it, values));
const anyNotIn: Relation = (keys, values) => keys.some(it => !isAmong(it, values));
const allNotIn: Relation = (keys, values) => !keys.some(it => isAmong(it, values));
const subset: Relation = (keys, values) => keys.every(it => values.includes(it));
const notSubset: Relation = (keys, values) => keys.some(it => !values.includes(it));

/** How an operator compares with lists, and with a range of numbers instead of a list. */
interface Kind {
  readonly relation: Relation;
  readonly isNegative: boolean;
  /** Combines for each key whether it lies in the range. undefined: the operator does not support ranges. */
  readonly inRange?: (isWithin: (range: string) => readonly boolean[], range: string) => boolean;
  readonly takesScalars: boolean;
}

const outside = (range: string): string => range.replace('-', '!-');

const kinds: Readonly<Record<string, Kind>> = {
  In: { relation: subset, isNegative: false, takesScalars: false },
  NotIn: { relation: notSubset, isNegative: true, takesScalars: false },
  AnyIn: { relation: anyIn, isNegative: false, takesScalars: true, inRange: (within, it) => within(it).some(Boolean) },
  AllIn: {
    relation: allIn,
    isNegative: false,
    takesScalars: false,
    inRange: (within, it) => within(it).every(Boolean),
  },
  AnyNotIn: {
    relation: anyNotIn,
    isNegative: true,
    takesScalars: true,
    inRange: (within, it) => within(outside(it)).some(Boolean),
  },
  AllNotIn: {
    relation: allNotIn,
    isNegative: true,
    takesScalars: false,
    inRange: (within, it) => !within(it).some(Boolean),
  },
};

/** Upstream: InHandler, AnyInHandler and their kin. */
export const membershipOperators: Readonly<Record<string, (key: JsonValue, value: JsonValue) => boolean>> =
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, (key, value) => isMember(key, value, kind)]));

function isMember(key: JsonValue, value: JsonValue, kind: Kind): boolean {
  if (isList(key)) {
    if (kind.inRange === undefined && key.some(it => typeof it !== 'string')) return false;
    return listRelation(key.map(sprint), value, kind) === true;
  }
  if (typeof key !== 'string' && !isNumber(key) && typeof key !== 'boolean') return false;
  const exists = isOneOf(String(key), value, kind);
  return exists !== undefined && exists !== kind.isNegative;
}

/** Upstream: keyExistsInArray, anyKeyExistsInArray. */
function isOneOf(key: string, value: JsonValue, kind: Kind): Membership {
  const { inRange } = kind;
  if (isList(value)) return isAmong(key, value.map(sprint));
  if (typeof value !== 'string') return undefined;
  if (matchesWildcard(value, key)) return true;
  if (inRange !== undefined && operatorOf(value) === '-') return matchesScalar(key, value);
  return textsOf(value, kind)?.includes(key);
}

/** Upstream: setExistsInArray, anySetExistsInArray, allSetExistsInArray. */
function listRelation(keys: readonly string[], value: JsonValue, kind: Kind): Membership {
  if (isList(value)) {
    if (kind.inRange === undefined && value.some(it => typeof it !== 'string')) return undefined;
    return kind.relation(keys, value.map(sprint));
  }
  if (isNumber(value) || typeof value === 'boolean') {
    return kind.takesScalars ? kind.relation(keys, [String(value)]) : undefined;
  }
  if (typeof value !== 'string') return undefined;
  if (keys.length === 1 && keys[0] === value) return kind.inRange === undefined || !kind.isNegative;
  if (kind.inRange !== undefined && operatorOf(value) === '-') {
    return kind.inRange(range => keys.map(it => matchesScalar(it, range)), value);
  }
  const texts = textsOf(value, kind);
  return texts && kind.relation(keys, texts);
}

/** A JSON list of texts. For operators that support ranges, a text that is no JSON is a list of itself. */
function textsOf(value: string, { inRange }: Kind): readonly string[] | undefined {
  const parsed = unmarshalAny(value);
  if (parsed === undefined) return inRange === undefined ? undefined : [value];
  if (parsed === null) return [];
  return isList(parsed) && parsed.every(it => typeof it === 'string') ? (parsed as readonly string[]) : undefined;
}
