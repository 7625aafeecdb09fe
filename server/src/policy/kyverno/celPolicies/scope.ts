import type { JsonObject } from '../../../base/json';
import { items, record, records, text } from '../../../kube/goFields';
import { type CelDefinition, lazyVariables } from '../cel/engine';
import { celVariables } from '../cel/request';
import type { Resource } from '../resource/resource';
import { Indeterminate, KyvernoError } from '../results/failures';
import type { RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { CelPolicy } from './types';

/** What the expressions of a policy see of an object. */
export interface PolicyScope {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Those that the policy defines itself. */
  readonly definitions: readonly CelDefinition[];
}

/** Conditions of these see what the policy defines. Upstream: mpol and dpol Policy.Evaluate. */
const seesVariables: ReadonlySet<CelPolicy['type']> = new Set(['mutating', 'deleting']);

/**
 * What a policy that selects an object sees of it, or the outcome where exceptions or conditions end it. `more` is put
 * beside what every policy sees; `conditions` are the policy's own unless given. Upstream: Policy.Evaluate of each kind.
 */
export function openScope(
  policy: CelPolicy,
  resource: Resource,
  world: KyvernoWorld,
  { more = {}, conditions = records(policy.spec, 'matchConditions') }: ScopeParts = {},
): { readonly outcome: RuleOutcome } | { readonly scope: PolicyScope } {
  const given = { ...celVariables(resource, world), ...more };
  const definitions = records(policy.spec, 'variables').map(it => ({
    name: text(it, 'name'),
    expression: text(it, 'expression'),
  }));
  const variables = { ...given, variables: lazyVariables(definitions, world.policyCel, given) };
  const seen = seesVariables.has(policy.type) ? variables : given;
  const outcome = exceptionOutcome(policy, seen, world) ?? unmet(policy, conditions, seen, world);
  return outcome === undefined ? { scope: { variables, definitions } } : { outcome };
}

/** The value of an expression. Throws a Refusal, or Undecided. */
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

/** A PolicyException of policies.kyverno.io that names the policy. Upstream: Policy.evaluateWithData. */
function exceptionOutcome(
  policy: CelPolicy,
  given: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  for (const exception of world.celExceptionsOf(`${policy.object.kind}/${policy.name}`)) {
    const spec = record(exception, 'spec');
    const isWhole = items(spec, 'images').length === 0 && items(spec, 'allowedValues').length === 0;
    if (!isWhole || unmet(policy, records(spec, 'matchConditions'), given, world, 'Fail') !== undefined) continue;
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
  given: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
  failurePolicy = text(policy.spec, 'failurePolicy'),
): RuleOutcome | undefined {
  const results = conditions.map(it => world.policyCel.evaluate(text(it, 'expression'), given));
  if (results.some(it => 'value' in it && it.value === false)) return { status: 'skip', message: 'skip' };
  const broken = results.find(it => !('value' in it));
  if (broken === undefined || 'value' in broken) return undefined;
  if ('undecided' in broken) return { status: 'undecided', message: broken.undecided };
  if (failurePolicy === 'Ignore') return { status: 'skip', message: 'skip' };
  const what = policy.type === 'validating' ? 'failed to load context' : 'failed to evaluate policy';
  return { status: 'error', message: `${what}: ${broken.error}` };
}
