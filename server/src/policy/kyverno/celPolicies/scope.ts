import type { JsonObject } from '../../../base/json';
import { items, record, records, text } from '../../../kube/goFields';
import { type CelDefinition, lazyVariables } from '../cel/engine';
import { celVariables } from '../cel/request';
import type { Resource } from '../resource/resource';
import { Indeterminate, KyvernoError } from '../results/failures';
import type { RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { CelPolicy } from './types';

/** The variables of a policy's expressions for one resource. */
export interface PolicyScope {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Variables that the policy itself defines. */
  readonly definitions: readonly CelDefinition[];
}

/** Types of policies whose match conditions may use the policy's variables. Upstream: mpol and dpol Policy.Evaluate. */
const seesVariables: ReadonlySet<CelPolicy['type']> = new Set(['mutating', 'deleting']);

/**
 * The scope of a policy that selects a resource, or the outcome when exceptions or conditions end the evaluation.
 * `more` adds variables; `conditions` default to the policy's own. Upstream: Policy.Evaluate of each kind.
 */
export function openScope(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
  { more = {}, conditions = records(policy.spec, 'matchConditions') }: ScopeParts = {},
): { readonly outcome: RuleOutcome } | { readonly scope: PolicyScope } {
  const baseVariables = { ...celVariables(resource, world), ...more };
  const definitions = records(policy.spec, 'variables').map(it => ({
    name: text(it, 'name'),
    expression: text(it, 'expression'),
  }));
  const variables = { ...baseVariables, variables: lazyVariables(definitions, world.policyCel, baseVariables) };
  const conditionVariables = seesVariables.has(policy.type) ? variables : baseVariables;
  const outcome =
    exceptionOutcome(policy, conditionVariables, world) ?? unmet(policy, conditions, conditionVariables, world);
  return outcome === undefined ? { scope: { variables, definitions } } : { outcome };
}

/** The value of an expression. Throws a KyvernoError or Indeterminate. */
export function evaluated(
  expression: string,
  variables: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): unknown {
  const result = world.policyCel.evaluate(expression, variables);
  if ('undecided' in result) throw new Indeterminate(result.undecided);
  if ('error' in result) throw new KyvernoError(result.error);
  return result.value;
}

interface ScopeParts {
  readonly more?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly JsonObject[];
}

/** The outcome of a PolicyException of policies.kyverno.io that names the policy. Upstream: Policy.evaluateWithData. */
function exceptionOutcome(
  policy: CelPolicy,
  variables: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  for (const exception of world.celExceptionsOf(`${policy.object.kind}/${policy.name}`)) {
    const spec = record(exception, 'spec');
    const isWhole = items(spec, 'images').length === 0 && items(spec, 'allowedValues').length === 0;
    if (!isWhole || unmet(policy, records(spec, 'matchConditions'), variables, world, 'Fail') !== undefined) continue;
    const name = text(record(exception, 'metadata'), 'name');
    const isPass = text(spec, 'reportResult') === 'pass';
    return {
      status: isPass ? 'pass' : 'skip',
      message: `rule is ${isPass ? 'passed' : 'skipped'} due to policy exception: ${name}`,
    };
  }
  return undefined;
}

function unmet(
  policy: CelPolicy,
  conditions: readonly JsonObject[],
  variables: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
  failurePolicy = text(policy.spec, 'failurePolicy'),
): RuleOutcome | undefined {
  const results = conditions.map(it => world.policyCel.evaluate(text(it, 'expression'), variables));
  if (results.some(it => 'value' in it && it.value === false)) return { status: 'skip', message: 'skip' };
  const failure = results.find(it => !('value' in it));
  if (failure === undefined || 'value' in failure) return undefined;
  if ('undecided' in failure) return { status: 'undecided', message: failure.undecided };
  if (failurePolicy === 'Ignore') return { status: 'skip', message: 'skip' };
  const what = policy.type === 'validating' ? 'failed to load context' : 'failed to evaluate policy';
  return { status: 'error', message: `${what}: ${failure.error}` };
}
