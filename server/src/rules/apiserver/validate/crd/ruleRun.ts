import { byteLength } from '../../../../base/byteLength';
import type { JsonValue } from '../../../../base/json';
import { lazy } from '../../../../base/lazy';
import { dataValue, resourceSchema } from '../../../../kube/cel/eval/data';
import type { Outcome, Program, Programmed } from '../../../../kube/cel/eval/program';
import { CelOptional, type CelValue } from '../../../../kube/cel/eval/values';
import type { StoredExpression, StoredExpressions } from '../../../../kube/cel/schemaExpressions';
import type { StructuralSchema, ValidationRule } from '../../../../kube/kube';
import type { FieldPath, Segment } from '../../../../manifest/fieldPath';
import { type FieldError, invalid } from '../errors';
import { resolvedPath } from './jsonPath';

/** The value before an update; absent on create. */
export interface Before {
  readonly value: JsonValue;
}

/** The cost that is left for the rules of one object; negative once no further rule runs. */
export interface CostBudget {
  left: number;
}

/** A rule of a schema, compiled. */
export interface PlannedRule {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  /** undefined for one that this engine cannot evaluate. */
  program(): Program | { readonly problem: string } | undefined;
  message(): Program | undefined;
}

/** Upstream: celconfig.PerCallLimit. */
const MOST_CALL_COST = 1_000_000;

const OUT_OF_BUDGET = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The error of a value whose rules cost too much. */
export const outOfBudget = (at: FieldPath, type: string): FieldError => unanswered(at, type, OUT_OF_BUDGET);

const unanswered = (at: FieldPath, type: string, detail: string): FieldError => ({
  ...invalid(at, type, detail),
  rule: 'unanswered',
});

/** Rules without a text do not run. */
export function plannedRules(
  rules: readonly ValidationRule[],
  compile: ReturnType<StoredExpressions>,
): readonly PlannedRule[] {
  return rules
    .filter(it => it.rule.trim() !== '')
    .map(rule => {
      const oldSelf = rule.optionalOldSelf === true ? 'optional' : 'same';
      const { messageExpression = '' } = rule;
      const compiled = compile(rule.rule, oldSelf);
      return {
        rule,
        usesOldSelf: 'type' in compiled && compiled.usesOldSelf,
        program: () => programOf(compiled),
        message: lazy(() => (messageExpression === '' ? undefined : messageOf(compile(messageExpression, oldSelf)))),
      };
    });
}

function programOf(compiled: StoredExpression): ReturnType<PlannedRule['program']> {
  if (!('type' in compiled)) return 'problem' in compiled ? compiled : undefined;
  if (compiled.type !== 'bool') return { problem: 'cel expression must evaluate to a bool' };
  const program = decided(compiled.program());
  return program !== undefined && 'problem' in program ? { problem: notInstantiated(program.problem) } : program;
}

export const notInstantiated = (problem: string): string => `program instantiation failed: ${problem}`;

function messageOf(compiled: StoredExpression): Program | undefined {
  if (!('type' in compiled) || compiled.type !== 'string') return undefined;
  const program = decided(compiled.program());
  return program !== undefined && 'run' in program ? program : undefined;
}

const decided = (program: Programmed): Exclude<Programmed, { readonly undecided: string }> | undefined =>
  'undecided' in program ? undefined : program;

/** The value that rules judge. */
interface Judged {
  readonly value: JsonValue;
  readonly before: Before | undefined;
  readonly schema: StructuralSchema;
  readonly level: 'root' | 'inner';
}

/** The errors of rules of one value. Upstream: Validator.validateExpressions. */
export function runRules(
  rules: readonly PlannedRule[],
  { value, before, schema, level }: Judged,
  at: FieldPath,
  budget: CostBudget,
  wrongRules: 'reported' | 'left out',
): readonly FieldError[] {
  const seen = level === 'root' ? resourceSchema(schema) : schema;
  const self = dataValue(value, seen);
  const old = before && dataValue(before.value, seen);
  const errors: FieldError[] = [];
  for (const planned of rules) {
    if (budget.left < 0) break;
    const isOptional = planned.rule.optionalOldSelf === true;
    const program = planned.program();
    if (program !== undefined && 'problem' in program) {
      if (wrongRules === 'reported')
        errors.push(unanswered(at, seen.type ?? '', `rule compile error: ${program.problem}`));
      continue;
    }
    if (program === undefined || (planned.usesOldSelf && old === undefined && !isOptional)) continue;
    const plain: Variables = { self, ...(old !== undefined && { oldSelf: old }) };
    const variables = isOptional ? { self, oldSelf: new CelOptional(old) } : plain;
    const outcome = program.run(variables, MOST_CALL_COST);
    const error = ruleError(planned, outcome, { value, schema: seen, at, plain }, budget);
    if (error !== undefined) errors.push(error);
  }
  return errors;
}

type Variables = Readonly<Record<string, CelValue>>;

interface Told {
  readonly value: JsonValue;
  readonly schema: StructuralSchema;
  readonly at: FieldPath;
  readonly plain: Variables;
}

/** Takes the cost from the budget. */
function ruleError(planned: PlannedRule, outcome: Outcome, told: Told, budget: CostBudget): FieldError | undefined {
  const { schema, at } = told;
  const { rule } = planned;
  const type = schema.type ?? '';
  if (outcome.cost > budget.left) {
    budget.left = -1;
    return outOfBudget(at, type);
  }
  budget.left -= outcome.cost;
  const shown = rule.message === undefined || rule.message === '' ? rule.rule.trim() : rule.message.trim();
  if ('exceeds' in outcome) {
    budget.left = -1;
    const why = 'no further validation rules will be run due to call cost exceeds limit for rule';
    return unanswered(at, type, `'operation cancelled: actual cost limit exceeded': ${why}: ${shown}`);
  }
  if ('error' in outcome) return unanswered(at, type, failureText(outcome.error, shown));
  if ('undecided' in outcome || outcome.value === true) return undefined;
  const place = placeOf(rule, schema, at);
  const message = messageText(planned, told, budget);
  if (typeof message === 'object') return unanswered(place, type, message.error);
  const usual = rule.message === undefined || rule.message === '' ? `failed rule: ${shown}` : shown;
  return failedRule(rule, message ?? usual, told.value, place);
}

const failureText = (error: string, rule: string): string =>
  error.startsWith('no such overload')
    ? `'${error}': call arguments did not match a supported operator, function or macro signature for rule: ${rule}`
    : `${error} evaluating rule: ${rule}`;

/** Upstream: celconfig.MaxEvaluatedMessageExpressionSizeBytes. */
const LONGEST_MESSAGE = 5 * 1024;

/** The text of a message expression; undefined if it gives none. Upstream: evalMessageExpression. */
function messageText(
  { rule, message }: PlannedRule,
  { plain }: Told,
  budget: CostBudget,
): string | { readonly error: string } | undefined {
  const outcome = message()?.run(plain, MOST_CALL_COST);
  if (outcome === undefined) return undefined;
  const isOver = outcome.cost > budget.left;
  if (isOver || 'exceeds' in outcome) {
    budget.left = -1;
    return {
      error: isOver
        ? 'messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run'
        : `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(rule.messageExpression)}`,
    };
  }
  budget.left -= outcome.cost;
  const text = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  return text === '' || text.includes('\n') || byteLength(text) > LONGEST_MESSAGE ? undefined : text;
}

function placeOf({ fieldPath = '' }: ValidationRule, schema: StructuralSchema, at: FieldPath): FieldPath {
  const found = fieldPath === '' ? undefined : resolvedPath(fieldPath, schema, 'any notation');
  return found === undefined || 'problem' in found ? at : joined(at, found.at.segments);
}

function failedRule({ reason }: ValidationRule, detail: string, value: JsonValue, at: FieldPath): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
    case 'FieldValueRequired':
      return { type: reason, at, detail, rule: 'broken' };
    case 'FieldValueDuplicate':
      return { type: reason, at, detail: '', ...shownValue(value), rule: 'broken' };
    default:
      return { type: 'FieldValueInvalid', at, detail, ...shownValue(value), rule: 'broken' };
  }
}

const shownValue = (value: JsonValue): { readonly value?: JsonValue } => (typeof value === 'object' ? {} : { value });

function joined(at: FieldPath, segments: readonly Segment[]): FieldPath {
  return segments.reduce<FieldPath>(
    (path, it) =>
      typeof it === 'string' ? path.child(it) : typeof it === 'number' ? path.index(it) : path.key(it.key),
    at,
  );
}
