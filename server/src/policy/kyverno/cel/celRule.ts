import type { JsonObject } from '../../../base/json';
import { regexOf } from '../../../base/regexText';
import { celValue } from '../../../kube/cel/values';
import { record, records, text } from '../../../kube/goFields';
import type { FieldPath } from '../../../manifest/fieldPath';
import { pathOfPointer } from '../context/locate';
import type { Resource } from '../resource/resource';
import type { RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { type CelEngine, type CelResult, lazyVariables } from './engine';
import { paramsOf } from './params';
import { celVariables } from './request';

/** A `validate.cel` rule on an object. Upstream: validateCELHandler.Process. */
export function checkCelRule(
  rule: JsonObject,
  resource: Resource,
  world: KyvernoWorld,
  engine: CelEngine,
): RuleOutcome {
  const validate = record(rule, 'validate');
  const cel = record(validate, 'cel') ?? {};
  const params = paramsOf(cel, resource.namespace, world);
  if ('outcome' in params) return params.outcome;
  for (const param of params.values) {
    const variables = { ...celVariables(resource, world), params: celValue(param) };
    const stopped = unmetConditions(records(rule, 'celPreconditions'), engine, variables);
    if (stopped !== undefined) return stopped;
    const failed = firstFailure(cel, text(validate, 'message'), resource, engine, variables);
    if (failed !== undefined) return failed;
  }
  return { status: 'pass', message: `Validation rule '${text(rule, 'name')}' passed.` };
}

/**
 * The outcome when not all conditions hold. A false condition takes precedence over a failing one. Upstream:
 * matchconditions.
 */
export function unmetConditions(
  conditions: readonly JsonObject[],
  engine: CelEngine,
  variables: Readonly<Record<string, unknown>>,
): RuleOutcome | undefined {
  const results = conditions.map(it => engine.evaluate(text(it, 'expression'), variables));
  if (results.some(it => 'value' in it && it.value === false))
    return { status: 'skip', message: 'cel preconditions not met' };
  const broken = results.find(it => !('value' in it));
  if (broken === undefined || 'value' in broken) return undefined;
  return 'undecided' in broken
    ? { status: 'undecided', message: broken.undecided }
    : { status: 'fail', message: `failed to evaluate match conditions: ${broken.error}` };
}

function firstFailure(
  cel: JsonObject,
  ruleMessage: string,
  resource: Resource,
  engine: CelEngine,
  variables: Readonly<Record<string, unknown>>,
): RuleOutcome | undefined {
  const definitions = records(cel, 'variables').map(it => ({
    name: text(it, 'name'),
    expression: text(it, 'expression'),
  }));
  const allVariables = { ...variables, variables: lazyVariables(definitions, engine, variables) };
  for (const validation of records(cel, 'expressions')) {
    const expression = text(validation, 'expression');
    const result = engine.evaluate(expression, allVariables);
    if ('value' in result && result.value === true) continue;
    if ('undecided' in result) return { status: 'undecided', message: result.undecided };
    const at = pathOfExpression(expression, definitions, resource);
    if ('error' in result)
      return { status: 'fail', message: `expression '${expression}' resulted in error: ${result.error}`, at };
    return { status: 'fail', message: messageOf(validation, ruleMessage, engine.evaluate, allVariables), at };
  }
  return undefined;
}

/** The value of messageExpression, else the message, else the failed expression. Upstream: validator.Validate. */
function messageOf(
  validation: JsonObject,
  ruleMessage: string,
  evaluate: (expression: string, variables: Readonly<Record<string, unknown>>) => CelResult,
  variables: Readonly<Record<string, unknown>>,
): string {
  const expression = text(validation, 'messageExpression');
  const message = expression === '' ? undefined : evaluate(expression, variables);
  if (message !== undefined && 'value' in message && typeof message.value === 'string' && message.value.trim() !== '')
    return message.value.trim();
  return (
    (text(validation, 'message') || ruleMessage).trim() || `failed expression: ${text(validation, 'expression').trim()}`
  );
}

const fieldOfObject = /(?<![\w.])object((?:\.\??\w+)+)/g;

/** The deepest existing field of the object that an expression, or a variable it uses, reads. */
export function pathOfExpression(
  expression: string,
  definitions: readonly { readonly name: string; readonly expression: string }[],
  { value }: Resource,
): FieldPath {
  const named = definitions
    .filter(it => new RegExp(`\\bvariables\\.${regexOf(it.name)}\\b`).test(expression))
    .map(it => it.expression);
  const paths = [expression, ...named].flatMap(it =>
    [...it.matchAll(fieldOfObject)].map(([, steps = '']) => steps.replaceAll('?', '').split('.').join('/')),
  );
  const present = paths.map(it => presentPath(it, value)).sort((a, b) => b.segments.length - a.segments.length);
  return present[0] ?? pathOfPointer('', value);
}

function presentPath(pointer: string, value: JsonObject): FieldPath {
  const path = pathOfPointer(pointer, value);
  let at: unknown = value;
  for (const step of path.segments)
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[String(step)] : undefined;
  return at === undefined ? (path.parent ?? path) : path;
}
