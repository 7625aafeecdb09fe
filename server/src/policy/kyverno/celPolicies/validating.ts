import type { JsonObject } from '../../../base/json';
import { records, text } from '../../../kube/goFields';
import { pathOfExpression } from '../cel/celRule';
import type { Resource } from '../resource/resource';
import { attempt, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { isForJson } from './celPolicy';
import { selectsResource } from './constraints';
import { openScope } from './scope';
import type { CelPolicy } from './types';

/** What a ValidatingPolicy says; undefined where it does not speak about the object. */
export function validateWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  const judged = attempt('error', () => ({ outcome: evaluate(policy, resource, world) }));
  return 'value' in judged ? judged.value.outcome : judged.outcome;
}

/** Upstream: vpol engine.handlePolicy. */
function evaluate(policy: CelPolicy, resource: Resource, world: KyvernoWorld): RuleOutcome | undefined {
  const { spec } = policy;
  if (isForJson(policy) || !selectsResource(policy, resource, world)) return undefined;
  const opened = openScope(policy, resource, world);
  if ('outcome' in opened) return opened.outcome;
  const { variables, definitions } = opened.scope;
  for (const [index, validation] of records(spec, 'validations').entries()) {
    const expression = text(validation, 'expression');
    const result = world.policyCel.evaluate(expression, variables);
    if ('undecided' in result) return { status: 'undecided', message: result.undecided };
    if ('error' in result) return { status: 'error', message: `error: ${result.error}` };
    if (result.value === true) continue;
    if (result.value !== false) return { status: 'error', message: 'error: the expression does not give a bool' };
    const at = pathOfExpression(expression, definitions, resource);
    return { status: 'fail', message: messageOf(validation, index, variables, world), at };
  }
  return { status: 'pass', message: 'success' };
}

function messageOf(
  validation: JsonObject,
  index: number,
  variables: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): string {
  const expression = text(validation, 'messageExpression');
  const plain = text(validation, 'message') || `CEL expression validation failed at index ${index}`;
  if (expression === '') return plain;
  const told = world.policyCel.evaluate(expression, variables);
  if ('error' in told) return `failed to evaluate message expression: ${told.error}`;
  return 'value' in told && typeof told.value === 'string' && told.value !== '' ? told.value : plain;
}
