import type { JsonValue } from '../../../base/json';
import { matchesWildcard } from '../../../base/wildcard';
import { compareQuantities, parseQuantity } from '../../../kube/quantity';
import { isMap, isNumber, parseDuration, parseFloat64, parseInt64 } from '../go/goValues';

/** Prefix operators of a pattern; `-` and `!-` are infix operators of a range. */
export type PatternOperator = '' | '>=' | '<=' | '>' | '<' | '!' | '-' | '!-';

const end = '([-|+]?\\d+(?:\\.\\d+)?[A-Za-z]*)';
const inRange = new RegExp(`^${end}-${end}$`);
const notInRange = new RegExp(`^${end}!-${end}$`);

const PREFIXES = ['>=', '<=', '>', '<', '!'] as const;

/** Upstream: operator.GetOperatorFromStringPattern. */
export function operatorOf(pattern: string): PatternOperator {
  if (pattern.length < 2) return '';
  const prefix = PREFIXES.find(it => pattern.startsWith(it));
  if (prefix !== undefined) return prefix;
  if (!pattern.includes('-')) return '';
  if (notInRange.test(pattern)) return '!-';
  return inRange.test(pattern) ? '-' : '';
}

/** Whether a value matches a pattern that is not a list. Upstream: pattern.Validate. */
export function matchesScalar(value: JsonValue | undefined, pattern: JsonValue): boolean {
  if (pattern === null) return isEmptyValue(value);
  if (typeof pattern === 'boolean') return value === pattern;
  if (isNumber(pattern)) return isSameNumber(value, pattern);
  if (typeof pattern === 'string') return matchesText(value, pattern);
  return isMap(pattern) && isMap(value);
}

/** Upstream: validateNilPattern. */
function isEmptyValue(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === false || value === 0;
}

/** Upstream: validateIntPattern, validateFloatPattern. */
function isSameNumber(value: JsonValue | undefined, pattern: number | bigint): boolean {
  if (isNumber(value)) return value === pattern;
  if (typeof value !== 'string') return false;
  const isInteger = typeof pattern === 'bigint' || Number.isInteger(pattern);
  return isInteger ? parseInt64(value) === BigInt(pattern) : parseFloat64(value) === pattern;
}

/** `|` separates alternatives; `&` binds more tightly. Upstream: validateStringPatterns. */
function matchesText(value: JsonValue | undefined, pattern: string): boolean {
  if (value === pattern) return true;
  if (!pattern.includes('|') && !pattern.includes('&')) return matchesCondition(value, trimSpaces(pattern));
  return pattern.split('|').some(alternative =>
    trimSpaces(alternative)
      .split('&')
      .every(it => matchesCondition(value, trimSpaces(it))),
  );
}

const trimSpaces = (text: string): string =>
  text.startsWith(' ') || text.endsWith(' ') ? text.replace(/^ +|(?<! ) +$/g, '') : text;

function matchesCondition(value: JsonValue | undefined, pattern: string): boolean {
  const operator = operatorOf(pattern);
  if (operator === '-') {
    const [, low = '', high = ''] = inRange.exec(pattern) ?? [];
    return matchesCondition(value, `>= ${low}`) && matchesCondition(value, `<= ${high}`);
  }
  if (operator === '!-') {
    const [, low = '', high = ''] = notInRange.exec(pattern) ?? [];
    return matchesCondition(value, `< ${low}`) || matchesCondition(value, `> ${high}`);
  }
  return compare(value, pattern.slice(operator.length).trim(), operator);
}

type Comparison = Exclude<PatternOperator, '-' | '!-'>;

const verdicts: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '': order => order === 0,
  '!': order => order !== 0,
  '>': order => order > 0,
  '<': order => order < 0,
  '>=': order => order >= 0,
  '<=': order => order <= 0,
};

/** Compares as durations if both are, else as quantities if both are, else as texts. Upstream: validateString. */
function compare(value: JsonValue | undefined, pattern: string, operator: Comparison): boolean {
  const written = numberText(value);
  const order =
    written === undefined || !isNumeric(pattern)
      ? undefined
      : (orderOfDurations(written, pattern) ?? orderOfQuantities(written, pattern));
  if (order !== undefined) return verdicts[operator](order);
  if (operator !== '' && operator !== '!') return false;
  const text = textOf(value);
  return text !== undefined && matchesWildcard(pattern, text) === (operator === '');
}

/** Whether a pattern may be a duration or a quantity: most are names. */
const isNumeric = (pattern: string): boolean => /^[-+.\d]/.test(pattern);

/** Upstream: convertNumberToString. */
function numberText(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return '0';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6);
  return isNumber(value) ? value.toString() : undefined;
}

function orderOfDurations(value: string, pattern: string): number | undefined {
  const [a, b] = [parseDuration(value), parseDuration(pattern)];
  if (a === undefined || b === undefined) return undefined;
  return a === b ? 0 : a < b ? -1 : 1;
}

function orderOfQuantities(value: string, pattern: string): number | undefined {
  const [a, b] = [parseQuantity(value), parseQuantity(pattern)];
  return a && b && compareQuantities(a, b);
}

/** Upstream: compareString. */
function textOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' && !Number.isInteger(value)) return scientific(value);
  if (typeof value === 'string') return value;
  return isNumber(value) || typeof value === 'boolean' ? String(value) : undefined;
}

/** Upstream: strconv.FormatFloat with format 'E'. */
function scientific(value: number): string {
  return value
    .toExponential()
    .toUpperCase()
    .replace(/E([-+])(\d)$/, 'E$10$2');
}
