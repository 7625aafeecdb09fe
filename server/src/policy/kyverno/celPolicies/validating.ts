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

/** The outcome of a ValidatingPolicy; undefined when it does not select the resource. */
export function validateWithCelPolicy(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  const attempted = attempt('error', () => ({ outcome: evaluate(policy, resource, world) }));
  return 'value' in attempted ? attempted.value.outcome : attempted.outcome;
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
  const message = world.policyCel.evaluate(expression, variables);
  if ('error' in message) return `failed to evaluate message expression: ${message.error}`;
  return 'value' in message && typeof message.value === 'string' && message.value !== '' ? message.value : plain;
}
