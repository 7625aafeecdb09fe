import type { JsonObject, JsonValue } from '../../../base/json';
import { printed } from '../../../base/printed';
import type { EvalContext } from '../context/context';
import { substitute } from '../context/variables';
import { isList, isMap } from '../go/goValues';
import { KyvernoError } from '../results/failures';
import { conditionOperator } from './operators';

export interface ConditionsVerdict {
  readonly holds: boolean;
  /** The messages of the conditions that decided the verdict. */
  readonly message: string;
}

/**
 * Evaluates `any` and `all` together, or the old form, a list of which all have to hold. No conditions hold. Throws
 * when a variable cannot be resolved. Upstream: variables.EvaluateConditions.
 */
export function checkConditions(conditions: JsonValue | undefined, context: EvalContext): ConditionsVerdict {
  if (conditions === undefined || conditions === null) return { holds: true, message: '' };
  if (isList(conditions)) return checkAll(conditions, context, ';');
  if (!isMap(conditions)) throw new KyvernoError('failed to parse conditions: invalid condition');
  return checkAnyAll(conditions, context);
}

function checkAnyAll({ any, all }: JsonObject, context: EvalContext): ConditionsVerdict {
  const one = isList(any) && any.length > 0 ? checkAny(any, context) : { holds: true, message: '' };
  const every = isList(all) ? checkAll(all, context, '; ') : { holds: true, message: '' };
  const holds = one.holds && every.holds;
  const verdicts = [one, every].filter(it => it.holds === holds);
  return {
    holds,
    message: joined(
      verdicts.map(it => it.message),
      '; ',
    ),
  };
}

function checkAny(conditions: readonly JsonValue[], context: EvalContext): ConditionsVerdict {
  const messages: string[] = [];
  for (const condition of conditions) {
    const { holds, message } = checkCondition(condition, context);
    if (holds) return { holds, message };
    messages.push(message);
  }
  return { holds: false, message: joined(messages, '; ') };
}

function checkAll(conditions: readonly JsonValue[], context: EvalContext, separator: string): ConditionsVerdict {
  const messages: string[] = [];
  for (const condition of conditions) {
    const { holds, message } = checkCondition(condition, context);
    if (!holds) return { holds, message };
    messages.push(message);
  }
  return { holds: true, message: joined(messages, separator) };
}

const joined = (messages: readonly string[], separator: string): string =>
  messages.filter(it => it !== '').join(separator);

/** Upstream: variables.Evaluate. */
function checkCondition(condition: JsonValue, context: EvalContext): ConditionsVerdict {
  if (!isMap(condition)) throw new KyvernoError('failed to parse conditions: invalid condition');
  context.budget.spend(10);
  const key = substituted('key', condition.key, context);
  const value = substituted('value', condition.value, context);
  if (isList(key) && isList(value)) context.budget.spend(key.length * value.length);
  const operator = conditionOperator(printed(condition.operator ?? ''));
  if (operator === undefined) throw new KyvernoError('failed to create handler for condition operator');
  return { holds: operator(key, value), message: typeof condition.message === 'string' ? condition.message : '' };
}

function substituted(what: 'key' | 'value', written: JsonValue | undefined, context: EvalContext): JsonValue {
  try {
    return substitute(written ?? null, context);
  } catch (error) {
    if (error instanceof KyvernoError)
      throw new KyvernoError(`failed to substitute variables in condition ${what}: ${error.message}`);
    throw error;
  }
}
