import { byteLength } from '../../../../base/byteLength';
import type { JsonObject } from '../../../../base/json';
import { numeric } from '../../../../base/printed';
import { repeatedAt } from '../../../../base/repeated';
import { has, items, optionalInt, optionalText, record, records, text } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, notSupported, required, tooLong, tooMany } from '../errors';
import { qualifiedName } from '../shared/checks';
import { atoi } from './atoi';
import { nonNegative, templateOf } from './parts';

const ACTIONS = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const OPERATORS = ['In', 'NotIn'];
const STATUSES = ['False', 'True', 'Unknown'];
const mostRules = 20;
const mostPatterns = 20;
const mostExitCodes = 255;
const longestIndexes = 64 * 1024;

/**
 * Required for an empty text, not supported for one that is not among the choices; the choices are printed with Go's
 * `%q`.
 */
function* oneOf(of: JsonObject, field: string, at: FieldPath, choices: readonly string[]): Iterable<FieldError> {
  const value = text(of, field);
  const quoted = choices.map(it => JSON.stringify(it)).join(' ');
  if (value === '') yield required(at.child(field), `valid values: [${quoted}]`);
  else if (!choices.includes(value)) yield notSupported(at.child(field), value, choices);
}

/** Upstream: batch validation.validatePodFailurePolicy. */
export function* validatePodFailurePolicy(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const rules = records(record(spec, 'podFailurePolicy'), 'rules');
  const pod = record(templateOf(spec), 'spec');
  const containers = ['containers', 'initContainers'].flatMap(it => records(pod, it)).map(it => text(it, 'name'));
  if (rules.length > mostRules) yield tooMany(at.child('rules'), rules.length, mostRules);
  for (const [i, rule] of rules.entries()) {
    const atRule = at.child('rules').index(i);
    yield* oneOf(rule, 'action', atRule, ACTIONS);
    if (text(rule, 'action') === 'FailIndex' && !has(spec, 'backoffLimitPerIndex')) {
      yield invalid(atRule.child('action'), 'FailIndex', 'requires the backoffLimitPerIndex to be set');
    }
    yield* validateFailureRule(rule, atRule, containers);
  }
}

function* validateFailureRule(rule: JsonObject, at: FieldPath, containers: readonly string[]): Iterable<FieldError> {
  const onExitCodes = record(rule, 'onExitCodes');
  const conditions = records(rule, 'onPodConditions');
  if (onExitCodes !== undefined) yield* validateExitCodes(onExitCodes, at.child('onExitCodes'), containers);
  if (conditions.length > mostPatterns) yield tooMany(at.child('onPodConditions'), conditions.length, mostPatterns);
  for (const [i, pattern] of conditions.entries()) {
    const atPattern = at.child('onPodConditions').index(i);
    yield* qualifiedName(text(pattern, 'type'), atPattern.child('type'));
    yield* oneOf(pattern, 'status', atPattern, STATUSES);
  }
  const requirements = (onExitCodes === undefined ? 0 : 1) + (conditions.length > 0 ? 1 : 0);
  if (requirements === 2) {
    yield { type: 'FieldValueInvalid', at, detail: 'specifying both OnExitCodes and OnPodConditions is not supported' };
  } else if (requirements === 0) {
    yield { type: 'FieldValueInvalid', at, detail: 'specifying one of OnExitCodes and OnPodConditions is required' };
  }
}

/** Upstream: batch validation.validatePodFailurePolicyRuleOnExitCodes. */
function* validateExitCodes(
  requirement: JsonObject,
  at: FieldPath,
  containers: readonly string[],
): Iterable<FieldError> {
  yield* oneOf(requirement, 'operator', at, OPERATORS);
  const container = optionalText(requirement, 'containerName');
  if (container !== undefined && !containers.includes(container)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    yield invalid(at.child('containerName'), container, detail);
  }
  const list = at.child('values');
  const values = items(requirement, 'values').map(numeric);
  if (values.length === 0) yield invalid(list, values, 'at least one value is required');
  if (values.length > mostExitCodes) yield tooMany(list, values.length, mostExitCodes);
  const repeated = repeatedAt(values);
  for (const [i, value] of values.entries()) {
    if (text(requirement, 'operator') === 'In' && value === 0) {
      yield invalid(list.index(i), value, 'must not be 0 for the In operator');
    }
    if (repeated.has(i)) yield duplicate(list.index(i), value);
  }
  if (values.some((it, i) => it < (values[i - 1] ?? it))) yield invalid(list, values, 'must be ordered');
}

/** Upstream: batch validation.validateSuccessPolicy. */
export function* validateSuccessPolicy(spec: JsonObject, at: FieldPath): Iterable<FieldError> {
  const rules = records(record(spec, 'successPolicy'), 'rules');
  const list = at.child('rules');
  if (rules.length === 0) {
    yield required(list, 'at least one rules must be specified when the successPolicy is specified');
  }
  if (rules.length > mostRules) yield tooMany(list, rules.length, mostRules);
  for (const [i, rule] of rules.entries()) {
    yield* validateSuccessRule(rule, list.index(i), optionalInt(spec, 'completions'));
  }
}

/**
 * One rule of success. Without completions, which an indexed Job must have anyway, upstream panics; checks that need
 * them are left out. Upstream: batch validation.validateSuccessPolicyRule.
 */
function* validateSuccessRule(rule: JsonObject, at: FieldPath, completions: number | undefined): Iterable<FieldError> {
  const indexes = optionalText(rule, 'succeededIndexes');
  const count = optionalInt(rule, 'succeededCount');
  if (indexes === undefined && count === undefined) {
    yield required(at, 'at least one of succeededCount or succeededIndexes must be specified');
  }
  if (completions === undefined) return;
  const selected = countIndexes(indexes ?? '', completions);
  const atIndexes = at.child('succeededIndexes');
  if (indexes !== undefined) {
    if (byteLength(indexes) > longestIndexes) yield tooLong(atIndexes, longestIndexes);
    if (typeof selected === 'string') yield invalid(atIndexes, indexes, `error parsing succeededIndexes: ${selected}`);
  }
  if (count === undefined) return;
  yield* nonNegative(rule, ['succeededCount'], at);
  const atCount = at.child('succeededCount');
  const atMost = (most: number, what: string) =>
    invalid(atCount, count, `must be less than or equal to ${most} (the number of ${what})`);
  if (count > completions) yield atMost(completions, 'specified completions');
  const total = typeof selected === 'number' ? selected : 0;
  if (indexes !== undefined && count > total) {
    yield atMost(total, 'indexes in the specified succeededIndexes field');
  }
}

/** The number of indexes in a text like `0,2-4`, or the error. Upstream: batch validation.validateIndexesFormat. */
function countIndexes(indexes: string, completions: number): number | string {
  if (indexes === '') return 0;
  let [total, last] = [0, -1];
  for (const text of indexes.split(',')) {
    const interval = parseInterval(text, completions);
    if (typeof interval === 'string') return interval;
    const [first, end] = interval;
    if (last >= first && total > 0) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

/** Upstream: batch validation.parseIndexInterval. */
function parseInterval(text: string, completions: number): readonly [number, number] | string {
  const limits = text.split('-');
  if (limits.length > 2) {
    const rule = "an index interval can have at most two parts separated by '-'";
    return `the fragment ${JSON.stringify(text)} violates the requirement that ${rule}`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    const parsed = atoi(limit);
    if ('error' in parsed) return `cannot convert string to integer for index: ${JSON.stringify(limit)}`;
    if (parsed.number >= completions) return `too large index: ${JSON.stringify(limit)}`;
    numbers.push(parsed.number);
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length === 2 && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return [first, last];
}
