import type { JsonObject, JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { records, text } from '../../../kube/goFields';
import { checkConditions } from '../conditions/conditions';
import type { EvalContext } from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { type LocationSteps, locationsIn, pathOfPointer, pathOfVariables, type Roots } from '../context/locate';
import { substitute } from '../context/variables';
import { isList, isMap } from '../go/goValues';
import { matchPattern } from '../pattern/matchPattern';
import type { Resource } from '../resource/resource';
import { KyvernoError } from '../results/failures';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';

/** One rule evaluated on one resource: what stays the same in all of its loops. */
export interface RuleCheck {
  readonly rule: string;
  readonly message: string;
  readonly resource: Resource;
  readonly world: KyvernoWorld;
  readonly policyNamespace: string | undefined;
}

/** Paths of a resource's lists and maps by identity, for all rules with loops. */
const locationsOf = lazyByObject(locationsIn);

/** The position inside nested loops. */
interface Loop {
  readonly nesting: number;
  /** The element that patterns are matched with instead of the resource. */
  readonly scope?: JsonObject;
  readonly element?: LocationSteps;
}

/**
 * Evaluates `deny`, `pattern`, `anyPattern` or `foreach`, the first that is present. undefined when a loop had no
 * elements to evaluate. Upstream: validator.validate without match and preconditions.
 */
export function checkValidate(
  body: JsonObject,
  check: RuleCheck,
  context: EvalContext,
  loop: Loop = { nesting: 0 },
): RuleOutcome | undefined {
  if (isMap(body.deny)) return checkDeny(body.deny, check, context, loop);
  if (body.pattern !== undefined || body.anyPattern !== undefined) {
    return checkPatterns(body, check, context, loop);
  }
  const loops = records(body, 'foreach');
  return loops.length === 0 ? undefined : checkForEach(loops, check, context, loop);
}

const rootsOf = ({ resource }: RuleCheck, { element }: Loop): Roots => ({
  object: resource.value,
  ...(element !== undefined && { element }),
});

/** Upstream: validator.validateDeny. */
function checkDeny(deny: JsonObject, check: RuleCheck, context: EvalContext, loop: Loop): RuleOutcome {
  const checked = attempt('failed to check deny conditions', () => checkConditions(deny.conditions, context));
  if ('outcome' in checked) return checked.outcome;
  const { holds, message } = checked.value;
  if (!holds) return { status: 'pass', message: `validation rule '${check.rule}' passed.` };
  const at = pathOfVariables(deny.conditions ?? null, rootsOf(check, loop));
  return { status: 'fail', message: denyMessage(message, check, context), ...(at && { at }) };
}

function denyMessage(ofConditions: string, { message, rule }: RuleCheck, context: EvalContext): string {
  const whole = [message, ofConditions].filter(it => it !== '').join('; ');
  if (whole === '') return `validation error: rule ${rule} failed`;
  const substituted = attempt('', () => substitute(whole, context));
  if ('outcome' in substituted) return ofConditions || message;
  if (typeof substituted.value === 'string') return substituted.value;
  return "the produced message didn't resolve to a string, check your policy definition.";
}

/** Upstream: validator.validatePatterns. */
function checkPatterns(body: JsonObject, check: RuleCheck, context: EvalContext, loop: Loop): RuleOutcome | undefined {
  const isOne = body.pattern !== undefined;
  const patterns = attempt('variable substitution failed', () =>
    substitute((isOne ? body.pattern : body.anyPattern) ?? null, context),
  );
  if ('outcome' in patterns) return patterns.outcome;
  if (loop.scope === undefined && context.operation === 'DELETE') return undefined;
  const value = loop.scope ?? check.resource.value;
  if (isOne) return checkPattern(value, patterns.value, check, context, loop);
  if (isList(patterns.value)) return checkAnyPattern(value, patterns.value, check, context, loop);
  return { status: 'error', message: 'failed to deserialize anyPattern, expected type array' };
}

function checkPattern(
  value: JsonObject,
  pattern: JsonValue,
  check: RuleCheck,
  context: EvalContext,
  loop: Loop,
): RuleOutcome {
  const miss = matchPattern(value, pattern);
  if (miss === undefined) return { status: 'pass', message: `validation rule '${check.rule}' passed.` };
  if (miss.kind === 'skip') return { status: 'skip', message: miss.message };
  const where = miss.kind === 'fail' ? `failed at path ${miss.path}` : `execution error: ${miss.message}`;
  const message = withMessage(check, context, `rule ${check.rule} ${where}`);
  return { status: miss.kind, message, ...(miss.kind === 'fail' && { at: pathOf(miss.path, check, loop) }) };
}

function checkAnyPattern(
  value: JsonObject,
  patterns: readonly JsonValue[],
  check: RuleCheck,
  context: EvalContext,
  loop: Loop,
): RuleOutcome {
  const [reasons, skips]: [string[], string[]] = [[], []];
  let deepest = '';
  for (const [i, pattern] of patterns.entries()) {
    const name = `rule ${check.rule}[${i}]`;
    const miss = matchPattern(value, pattern);
    if (miss === undefined)
      return { status: 'pass', message: `validation rule '${check.rule}' anyPattern[${i}] passed.` };
    const { kind, path, message } = miss;
    if (kind === 'skip') skips.push(`${name} skipped: ${message}`);
    else reasons.push(path === '' ? `${name} failed: ${message}` : `${name} failed at path ${path}`);
    if (kind !== 'skip' && path.length > deepest.length) deepest = path;
  }
  if (reasons.length === 0)
    return skips.length === 0
      ? { status: 'pass', message: check.message }
      : { status: 'skip', message: skips.join(' ') };
  return { status: 'fail', message: withMessage(check, context, reasons.join(' ')), at: pathOf(deepest, check, loop) };
}

const pathOf = (pointer: string, { resource }: RuleCheck, { element, scope }: Loop) =>
  pathOfPointer(`${scope === undefined ? '' : (element ?? []).map(it => `/${it}`).join('')}${pointer}`, resource.value);

/** Upstream: buildErrorMessage, buildAnyPatternErrorMessage. */
function withMessage({ message, rule }: RuleCheck, context: EvalContext, reason: string): string {
  if (message === '') return `validation error: ${reason}`;
  const substituted = attempt('', () => substitute(message, context));
  if ('outcome' in substituted || typeof substituted.value !== 'string') {
    return `validation error: variables substitution error in rule ${rule} execution error: ${reason}`;
  }
  return `validation error: ${substituted.value}${substituted.value.endsWith('.') ? '' : '.'} ${reason}`;
}

/** Upstream: validator.validateForEach. */
function checkForEach(
  loops: readonly JsonObject[],
  check: RuleCheck,
  context: EvalContext,
  loop: Loop,
): RuleOutcome | undefined {
  let applied = 0;
  let problem: RuleOutcome | undefined;
  for (const body of loops) {
    const list = attempt('failed to evaluate list', () => context.query(text(body, 'list')));
    if ('outcome' in list) {
      if (list.outcome.status !== 'error') return list.outcome;
      if (!list.outcome.message.includes('Unknown key')) problem = list.outcome;
      continue;
    }
    const checked = checkElements(body, isList(list.value) ? list.value : [list.value], check, context, loop);
    if (typeof checked !== 'number') return checked;
    applied += checked;
  }
  return applied > 0 ? { status: 'pass', message: 'rule passed' } : problem;
}

/** The number of elements that passed, or the first failure. Upstream: validator.validateElements. */
function checkElements(
  body: JsonObject,
  elements: readonly JsonValue[],
  check: RuleCheck,
  context: EvalContext,
  loop: Loop,
): number | RuleOutcome {
  let applied = 0;
  for (const [index, element] of elements.entries()) {
    if (element === null) continue;
    const scoped = attempt('failed to process foreach', () => scopeOf(body, element));
    if ('outcome' in scoped) return scoped.outcome;
    const path = locationsOf(check.resource.value).get(element) ?? (isMap(element) ? undefined : loop.element);
    const inner: Loop = {
      nesting: loop.nesting + 1,
      ...(scoped.value !== undefined ? { scope: scoped.value } : loop.scope !== undefined && { scope: loop.scope }),
      ...(path !== undefined && { element: path }),
    };
    const outcome = checkElement(body, check, withElement(context, element, index, loop.nesting), inner);
    if (outcome === undefined || outcome.status === 'skip') continue;
    if (outcome.status === 'error' && outcome.message.includes('failed to evaluate preconditions')) continue;
    if (outcome.status !== 'pass') {
      const prefix = outcome.status === 'undecided' || outcome.status === 'stopped' ? '' : 'validation failure: ';
      return { ...outcome, message: prefix + outcome.message };
    }
    applied += 1;
  }
  return applied;
}

function checkElement(body: JsonObject, check: RuleCheck, context: EvalContext, loop: Loop): RuleOutcome | undefined {
  const inner = context.withEntries(contextEntries(body, check.world, check.policyNamespace));
  const unmet = unmetPreconditions(body.preconditions, inner);
  return unmet ?? checkValidate(body, check, inner, loop);
}

/** The outcome when preconditions do not hold; undefined when they do. Upstream: CheckPreconditions. */
export function unmetPreconditions(
  preconditions: JsonValue | undefined,
  context: EvalContext,
): RuleOutcome | undefined {
  const checked = attempt('failed to evaluate preconditions', () => checkConditions(preconditions, context));
  if ('outcome' in checked) return checked.outcome;
  const { holds, message } = checked.value;
  return holds
    ? undefined
    : { status: 'skip', message: ['preconditions not met', message].filter(it => it !== '').join('; ') };
}

/** The value that patterns are matched with: the element, unless it is no map or the rule says otherwise. */
function scopeOf({ elementScope }: JsonObject, element: JsonValue): JsonObject | undefined {
  if (elementScope === false) return undefined;
  if (isMap(element)) return element;
  if (elementScope !== true) return undefined;
  throw new KyvernoError('cannot use elementScope=true foreach rules for elements that are not maps');
}

/** Upstream: context.AddElement. */
export function withElement(context: EvalContext, element: JsonValue, index: number, nesting: number): EvalContext {
  context.budget.spend(20);
  return context.replacing({
    element,
    [`element${nesting}`]: element,
    elementIndex: index,
    [`elementIndex${nesting}`]: index,
  });
}
