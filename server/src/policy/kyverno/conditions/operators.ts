import type { JsonValue } from '../../../base/json';
import { matchesWildcard } from '../../../base/wildcard';
import { compareSemvers, parseSemver } from '../../../kube/cel/semver';
import { compareQuantities, parseQuantity } from '../../../kube/quantity';
import { deepEqual, isList, isMap, isNumber, parseDuration, parseFloat64 } from '../go/goValues';
import { membershipOperators } from './membership';

/** Whether the operator's relation between key and value holds. */
export type ConditionOperator = (key: JsonValue, value: JsonValue) => boolean;

const isAbove = (order: number): boolean => order > 0;
const isAtLeast = (order: number): boolean => order >= 0;
const isBelow = (order: number): boolean => order < 0;
const isAtMost = (order: number): boolean => order <= 0;

/** In Kyverno's spelling. */
const operators: Readonly<Record<string, ConditionOperator>> = {
  Equal: equals,
  Equals: equals,
  NotEqual: notEquals,
  NotEquals: notEquals,
  ...membershipOperators,
  GreaterThan: ordered(isAbove),
  GreaterThanOrEquals: ordered(isAtLeast),
  LessThan: ordered(isBelow),
  LessThanOrEquals: ordered(isAtMost),
  DurationGreaterThan: orderedDurations(isAbove),
  DurationGreaterThanOrEquals: orderedDurations(isAtLeast),
  DurationLessThan: orderedDurations(isBelow),
  DurationLessThanOrEquals: orderedDurations(isAtMost),
};

export const conditionOperatorNames: readonly string[] = Object.keys(operators);

/** Operator names are case-insensitive. Upstream: operator.CreateOperatorHandler. */
export function conditionOperator(name: string): ConditionOperator | undefined {
  const spelled = conditionOperatorNames.find(it => it.toLowerCase() === name.toLowerCase());
  if (spelled === undefined) return undefined;
  // Upstream compares the order case-sensitively.
  return spelled !== name && /than/i.test(spelled) ? () => false : operators[spelled];
}

type Verdict = (order: number) => boolean;

const sign = (a: number | bigint, b: number | bigint): number => (a === b ? 0 : a < b ? -1 : 1);

/** Compares two durations in seconds, if at least one of them is written as a duration. */
function orderOfDurations(key: JsonValue, value: JsonValue): number | undefined {
  const written = [key, value].map(it => (typeof it === 'string' && it !== '0' ? parseDuration(it) : undefined));
  if (written.every(it => it === undefined)) return undefined;
  const [a, b] = [key, value].map(
    (it, i) => written[i] ?? (isNumber(it) ? BigInt(Math.trunc(Number(it))) * 1_000_000_000n : undefined),
  );
  return a === undefined || b === undefined ? undefined : sign(a, b);
}

function orderOfQuantities(key: JsonValue, value: JsonValue): number | undefined {
  if (typeof key !== 'string' || typeof value !== 'string') return undefined;
  const [a, b] = [parseQuantity(key), parseQuantity(value)];
  return a && b && compareQuantities(a, b);
}

/** Upstream: EqualHandler. */
function equals(key: JsonValue, value: JsonValue): boolean {
  if (typeof key === 'string') return equalsText(key, value) === true;
  if (isNumber(key)) return equalsNumber(key, value) === true;
  return isEqualOther(key, value) === true;
}

/** Upstream: NotEqualHandler. Values that cannot be compared are not equal. */
function notEquals(key: JsonValue, value: JsonValue): boolean {
  if (key === null) return false;
  if (typeof key === 'string') {
    if (value === '' && orderOfDurations(key, value) === undefined) return key !== '';
    return equalsText(key, value) !== true;
  }
  return (isNumber(key) ? equalsNumber(key, value) : isEqualOther(key, value)) !== true;
}

function equalsText(key: string, value: JsonValue): boolean | undefined {
  const durations = orderOfDurations(key, value);
  if (durations !== undefined) return durations === 0;
  if (typeof value !== 'string') return undefined;
  if (parseQuantity(key) === undefined) return matchesWildcard(value, key);
  const quantities = orderOfQuantities(key, value);
  return quantities === undefined ? undefined : quantities === 0;
}

function equalsNumber(key: number | bigint, value: JsonValue): boolean | undefined {
  if (isNumber(value)) return Number(value) === Number(key);
  return typeof value === 'string' ? parseFloat64(value) === Number(key) : undefined;
}

function isEqualOther(key: JsonValue, value: JsonValue): boolean | undefined {
  if (typeof key === 'boolean') return key === value;
  if (isMap(key)) return isMap(value) && deepEqual(key, value);
  return isList(key) ? isList(value) && deepEqual(key, value) : undefined;
}

/** Compares as durations, quantities, numbers, versions, in this order. Upstream: NumericOperatorHandler. */
function ordered(verdict: Verdict): ConditionOperator {
  return (key, value) => {
    const order = orderOf(key, value);
    return order !== undefined && verdict(order);
  };
}

function orderOf(key: JsonValue, value: JsonValue): number | undefined {
  if (typeof key !== 'string' && !isNumber(key)) return undefined;
  const known = orderOfDurations(key, value) ?? orderOfQuantities(key, value);
  if (known !== undefined) return known;
  const number = isNumber(key) ? Number(key) : parseFloat64(key);
  if (number !== undefined) {
    const other = isNumber(value) ? Number(value) : typeof value === 'string' ? parseFloat64(value) : undefined;
    return other === undefined ? undefined : sign(number, other);
  }
  const [a, b] = [parseSemver(String(key)), typeof value === 'string' ? parseSemver(value) : undefined];
  return a && b && compareSemvers(a, b);
}

/** Numbers are seconds. Upstream: DurationOperatorHandler. */
function orderedDurations(verdict: Verdict): ConditionOperator {
  const nanoseconds = (it: JsonValue) =>
    isNumber(it)
      ? BigInt(Math.trunc(Number(it))) * 1_000_000_000n
      : typeof it === 'string'
        ? parseDuration(it)
        : undefined;
  return (key, value) => {
    const [a, b] = [nanoseconds(key), nanoseconds(value)];
    return a !== undefined && b !== undefined && verdict(sign(a, b));
  };
}
