import { record, records, text } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { changesBetween, type MutationPreview } from '../../mutation';
import type { PolicyResult } from '../../result';
import { mutatesExisting, mutateWithCelPolicy, resourceAfter } from '../celPolicies/mutating';
import type { CelPolicy } from '../celPolicies/types';
import type { EvalContext } from '../context/context';
import { appliesTo, checkRule, type RuleRun } from '../engine/evaluate';
import { isMap } from '../go/goValues';
import { type MutateOutcome, mutateObject } from '../mutate/mutateRule';
import { rulesFor } from '../policies/autogen';
import { exceptionsFor } from '../policies/exceptions';
import type { KyvernoPolicy, RuleFields } from '../policies/policy';
import { type Resource, resourceOf } from '../resource/resource';
import { guarded } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import type { KyvernoPolicies } from './evaluatePolicies';
import { bugResult, isFailure, resultOf, resultOfCelPolicy } from './results';

/** Those that change objects when they come. */
export function mutatingPolicies({ policies, celPolicies }: KyvernoPolicies): KyvernoPolicies {
  return {
    policies: policies.filter(it => it.rules.some(isOwnMutation)),
    celPolicies: celPolicies.filter(it => it.type === 'mutating' && !mutatesExisting(it)),
    cleanupPolicies: [],
  };
}

export interface RuleMutation {
  /** With what the rules have made of the object. */
  readonly resource: Resource;
  readonly previews: readonly MutationPreview[];
  /** Rules that failed. */
  readonly results: readonly PolicyResult[];
}

/**
 * What policies make of an object, one after the other: mutate rules first, then MutatingPolicies. Upstream:
 * engine.Mutate, mpol engine.Handle.
 */
export function mutationsOf(
  { policies, celPolicies }: KyvernoPolicies,
  resource: Resource,
  world: KyvernoWorld,
): RuleMutation {
  const none: RuleMutation = { resource, previews: [], results: [] };
  const guardedAt = (so: RuleMutation, policy: Named, change: () => RuleMutation): RuleMutation =>
    guarded(`policy ${policy.name}`, change, it =>
      withChange(so, so.resource, policy, [bugResult(policy, resource, it)]),
    );
  const ofRules = policies.reduce((so, policy) => guardedAt(so, policy, () => changedByRules(so, policy, world)), none);
  return celPolicies
    .filter(it => it.type === 'mutating')
    .reduce((so, policy) => guardedAt(so, policy, () => changedByExpressions(so, policy, world)), ofRules);
}

function changedByRules(so: RuleMutation, policy: KyvernoPolicy, world: KyvernoWorld): RuleMutation {
  const { resource, outcomes } = mutateWithPolicy(policy, so.resource, world);
  const failed = outcomes.filter(isFailure).map(it => resultOf(policy, it, so.resource, world));
  return withChange(so, resource, policy, failed);
}

function changedByExpressions(so: RuleMutation, policy: CelPolicy, world: KyvernoWorld): RuleMutation {
  const outcome = mutateWithCelPolicy(policy, so.resource, world);
  if (outcome === undefined) return so;
  const failed = isFailure(outcome) ? [resultOfCelPolicy(policy, outcome, so.resource)] : [];
  return withChange(so, resourceAfter(so.resource, outcome), policy, failed);
}

interface Named {
  readonly name: string;
  readonly object: WorkspaceObject;
}

/** What a policy has made of what others had made. */
function withChange(
  so: RuleMutation,
  after: Resource,
  { name, object }: Named,
  failed: readonly PolicyResult[],
): RuleMutation {
  if (after === so.resource && failed.length === 0) return so;
  const changes = changesBetween(so.resource.value, after.value);
  const more = changes.length === 0 ? [] : [{ policy: name, kind: object.kind, changes, source: object }];
  return { resource: after, previews: [...so.previews, ...more], results: [...so.results, ...failed] };
}

export interface NamedMutation extends MutateOutcome {
  readonly rule: string;
  readonly fields: RuleFields;
}

/** What each mutate rule of a policy says, and the object after them all. Rules about other objects are left out. */
export function mutateWithPolicy(
  policy: KyvernoPolicy,
  resource: Resource,
  world: KyvernoWorld,
): { readonly resource: Resource; readonly outcomes: readonly NamedMutation[] } {
  if (!policy.rules.some(isOwnMutation)) return { resource, outcomes: [] };
  const rules = rulesFor(policy, resource.kind).filter(isOwnMutation);
  if (rules.length === 0 || !appliesTo(policy, resource, world)) return { resource, outcomes: [] };
  const outcomes: NamedMutation[] = [];
  let current = resource;
  for (const fields of rules) {
    const made: MutateOutcome[] = [];
    const outcome = checkRule(policy, fields, current, world, (run, context) => {
      const mutation = isExempt(run, context) ? exceptedOutcome : mutateObject(run, context, run.resource.value);
      made.push(mutation);
      return mutation;
    });
    if (outcome === undefined) continue;
    const value = made[0]?.value;
    outcomes.push({ ...outcome, ...(value && { value }), rule: text(fields, 'name'), fields });
    if (value !== undefined) current = resourceOf(resource.object, value);
  }
  return { resource: current, outcomes };
}

const exceptedOutcome: MutateOutcome = { status: 'skip', message: 'rule is skipped due to policy exceptions' };

const isExempt = ({ policy, rule, resource, matchContext: facts, world }: RuleRun, context: EvalContext): boolean =>
  exceptionsFor(policy, text(rule, 'name'), resource, facts, world, context).length > 0;

/** A rule with targets changes other objects, later and in the background. */
function isOwnMutation(rule: RuleFields): boolean {
  const mutate = record(rule, 'mutate');
  return isMap(mutate) && Object.keys(mutate).length > 0 && records(mutate, 'targets').length === 0;
}
