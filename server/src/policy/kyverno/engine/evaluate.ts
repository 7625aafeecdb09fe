import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text } from '../../../kube/goFields';
import { checkCelRule, unmetConditions } from '../cel/celRule';
import { celVariables } from '../cel/request';
import {
  contextWhenAsked,
  type EvalContext,
  evalContext,
  nested,
  partsOfName,
  serviceAccountOf,
} from '../context/context';
import { contextEntries } from '../context/contextLoaders';
import { rulesFor } from '../policies/autogen';
import { exceptionName, exceptionsFor } from '../policies/exceptions';
import { isMatched, type MatchContext } from '../policies/match';
import { appliesOneRule, hasValidate, type KyvernoPolicy, type RuleFields } from '../policies/policy';
import { imagesOf } from '../resource/images';
import type { Resource } from '../resource/resource';
import { budgetOf, STEPS_OF_ONE_RULE } from '../results/failures';
import { attempt, guarded, type RuleOutcome } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { checkPodSecurity } from './podSecurity';
import { checkValidate, unmetPreconditions } from './validate';

/** The outcome of one rule. `rule` is the name of the evaluated rule, autogen ones included. */
export interface NamedOutcome extends RuleOutcome {
  readonly rule: string;
  readonly fields: RuleFields;
}

/**
 * The outcomes of a policy's validate rules; rules that do not match the resource are left out. Upstream:
 * engine.Validate.
 */
export function validateWithPolicy(
  policy: KyvernoPolicy,
  resource: Resource,
  world: KyvernoWorld,
): readonly NamedOutcome[] {
  if (!appliesTo(policy, resource, world)) return [];
  const res: NamedOutcome[] = [];
  for (const fields of rulesFor(policy, resource.kind)) {
    if (!hasValidate(fields)) continue;
    const outcome = checkRule(policy, fields, resource, world, checkBody);
    if (outcome === undefined) continue;
    const { status, message, at } = outcome;
    res.push({ status, message, ...(at !== undefined && { at }), rule: text(fields, 'name'), fields });
    if (appliesOneRule(policy) && (outcome.status === 'pass' || outcome.status === 'fail')) break;
  }
  return res;
}

/**
 * Whether a policy applies to the resource's namespace and its webhook match conditions hold. Upstream:
 * MatchPolicyContext.
 */
export function appliesTo(policy: KyvernoPolicy, resource: Resource, world: KyvernoWorld): boolean {
  if (policy.namespace !== undefined && policy.namespace !== resource.namespace) return false;
  const conditions = policy.matchConditions();
  return conditions.length === 0 || unmetConditions(conditions, world.cel, celVariables(resource, world)) === undefined;
}

export function matchContextOf(resource: Resource, world: KyvernoWorld): MatchContext {
  const namespaceLabels = resource.namespace === '' ? undefined : world.namespaceLabels(resource.namespace);
  return {
    operation: world.operation ?? 'CREATE',
    ...(namespaceLabels !== undefined && { namespaceLabels }),
    ...(world.user !== undefined && { user: world.user }),
  };
}

/** The action of a rule that matches the resource. */
export type RuleBody = (run: RuleRun, context: EvalContext) => RuleOutcome | undefined;

export interface RuleRun {
  readonly policy: KyvernoPolicy;
  readonly rule: RuleFields;
  readonly resource: Resource;
  readonly world: KyvernoWorld;
  readonly matchContext: MatchContext;
}

/** Evaluates a rule: match, context, preconditions, then its body. Upstream: engine.invokeRuleHandler. */
export function checkRule(
  policy: KyvernoPolicy,
  rule: RuleFields,
  resource: Resource,
  world: KyvernoWorld,
  body: RuleBody,
): RuleOutcome | undefined {
  const name = `rule ${text(rule, 'name')} of policy ${policy.name}`;
  return guarded<RuleOutcome | undefined>(
    name,
    () => {
      const matchContext = matchContextOf(resource, world);
      if (!isMatched(rule, resource, matchContext)) return undefined;
      const context = ruleContext(policy, rule, resource, world);
      const attempted = attempt('failed to evaluate the rule', () => {
        const unmet = unmetPreconditions(rule.preconditions, context);
        return { outcome: unmet ?? body({ policy, rule, resource, world, matchContext }, context) };
      });
      return 'value' in attempted ? attempted.value.outcome : attempted.outcome;
    },
    outcome => outcome,
  );
}

function checkBody(run: RuleRun, context: EvalContext): RuleOutcome | undefined {
  const { policy, rule, resource, world, matchContext } = run;
  const name = text(rule, 'name');
  const validate = record(rule, 'validate') ?? {};
  const exceptions = exceptionsFor(policy, name, resource, matchContext, world, context);
  const isPartly =
    validate.podSecurity !== undefined && exceptions.every(it => records(record(it, 'spec'), 'podSecurity').length > 0);
  if (exceptions.length > 0 && !isPartly) {
    return {
      status: 'skip',
      message: `rule is skipped due to policy exceptions ${exceptions.map(exceptionName).join(', ')}`,
    };
  }
  if (validate.manifests !== undefined) {
    return {
      status: 'undecided',
      message: 'the rule verifies signatures of manifests, which takes the keys and registries of the cluster',
    };
  }
  if (validate.podSecurity !== undefined) {
    if (context.operation === 'DELETE') return undefined;
    const more = exceptions.flatMap(it => records(record(it, 'spec'), 'podSecurity'));
    return checkPodSecurity(rule, resource, world.podSecurity, more);
  }
  if (validate.cel !== undefined) return checkCelRule(rule, resource, world, world.cel);
  const { namespace } = policy;
  const check = { rule: name, message: text(validate, 'message'), resource, world, policyNamespace: namespace };
  return checkValidate(validate, check, context);
}

/**
 * The variable context of a rule, made when the rule first asks for a variable. Upstream: NewPolicyContext, with the values of
 * a test suite.
 */
export function ruleContext(
  policy: KyvernoPolicy,
  rule: RuleFields,
  resource: Resource,
  world: KyvernoWorld,
): EvalContext {
  const shared = {
    operation: world.operation ?? 'CREATE',
    jmespath: world.jmespath,
    budget: budgetOf(STEPS_OF_ONE_RULE),
  };
  return contextWhenAsked(shared, () => fullContext(shared, policy, rule, resource, world));
}

function fullContext(
  shared: Pick<EvalContext, 'operation' | 'jmespath' | 'budget'>,
  policy: KyvernoPolicy,
  rule: RuleFields,
  resource: Resource,
  world: KyvernoWorld,
): EvalContext {
  const { operation } = shared;
  const { value } = resource;
  const user = world.user;
  const request: JsonObject = {
    operation,
    namespace: resource.namespace,
    ...(operation !== 'DELETE' && { object: value }),
    ...(operation !== 'CREATE' && { oldObject: value }),
    ...(user !== undefined && {
      roles: user.roles,
      clusterRoles: user.clusterRoles,
      userInfo: { username: user.username, groups: user.groups },
    }),
  };
  const images = { name: 'images', load: () => ({ images: imagesOf(value) }) };
  const values = {
    ...world.valuesOf?.(policy.name, resource.name),
    ...world.ruleValuesOf?.(policy.name, text(rule, 'name')),
  };
  const base = evalContext({
    data: { request, ...(user !== undefined && serviceAccountOf(user.username)) },
    entries: [images],
    ...shared,
  });
  return withValues(base, values).withEntries(contextEntries(rule, world, policy.namespace));
}

/** Adds values by dotted names; each part of a name is a key. */
function withValues(context: EvalContext, values: Readonly<Record<string, JsonValue>>): EvalContext {
  return Object.entries(values).reduce((it, [name, value]) => it.plus(nested(partsOfName(name), value)), context);
}
