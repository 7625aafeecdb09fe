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
import { bugResult, isFailure, resultOf, resultOfCelPolicy, tooManyChangesResult } from './results';
import { countOfValues } from './work';

/** The policies that mutate resources at admission. */
export function mutatingPolicies({ policies, celPolicies }: KyvernoPolicies): KyvernoPolicies {
  return {
    policies: policies.filter(it => it.rules.some(isOwnMutation)),
    celPolicies: celPolicies.filter(it => it.type === 'mutating' && !mutatesExisting(it)),
    cleanupPolicies: [],
  };
}

export interface RuleMutation {
  /** After the rules so far. */
  readonly resource: Resource;
  readonly previews: readonly MutationPreview[];
  /** Results of rules that failed. */
  readonly results: readonly PolicyResult[];
  /** How many values were copied: each change makes the whole object anew. */
  readonly copied: number;
}

/** How many values are copied for one resource. */
const MOST_COPIED = 50_000;

/**
 * Applies the mutating policies in order: mutate rules first, then MutatingPolicies. Upstream: engine.Mutate, mpol
 * engine.Handle.
 */
export function mutationsOf(
  { policies, celPolicies }: KyvernoPolicies,
  resource: Resource,
  world: KyvernoWorld,
): RuleMutation {
  const none: RuleMutation = { resource, previews: [], results: [], copied: 0 };
  const guardedAt = (state: RuleMutation, policy: Named, change: () => RuleMutation): RuleMutation =>
    state.copied > MOST_COPIED
      ? state
      : guarded(`policy ${policy.name}`, change, it =>
          withChange(state, state.resource, policy, [bugResult(policy, resource, it)]),
        );
  const ofRules = policies.reduce(
    (state, policy) => guardedAt(state, policy, () => changedByRules(state, policy, world)),
    none,
  );
  const all = celPolicies
    .filter(it => it.type === 'mutating')
    .reduce((state, policy) => guardedAt(state, policy, () => changedByExpressions(state, policy, world)), ofRules);
  return all.copied > MOST_COPIED ? { ...all, results: [...all.results, tooManyChangesResult(resource)] } : all;
}

function changedByRules(state: RuleMutation, policy: KyvernoPolicy, world: KyvernoWorld): RuleMutation {
  const { resource, outcomes } = mutateWithPolicy(policy, state.resource, world);
  const failed = outcomes.filter(isFailure).map(it => resultOf(policy, it, state.resource, world));
  return withChange(state, resource, policy, failed);
}

function changedByExpressions(state: RuleMutation, policy: CelPolicy, world: KyvernoWorld): RuleMutation {
  const outcome = mutateWithCelPolicy(policy, state.resource, world);
  if (outcome === undefined) return state;
  const failed = isFailure(outcome) ? [resultOfCelPolicy(policy, outcome, state.resource)] : [];
  return withChange(state, resourceAfter(state.resource, outcome), policy, failed);
}

interface Named {
  readonly name: string;
  readonly object: WorkspaceObject;
}

/** Adds one policy's changes and failures to the state. */
function withChange(
  state: RuleMutation,
  after: Resource,
  { name, object }: Named,
  failed: readonly PolicyResult[],
): RuleMutation {
  if (after === state.resource && failed.length === 0) return state;
  const changes = changesBetween(state.resource.value, after.value);
  const more = changes.length === 0 ? [] : [{ policy: name, kind: object.kind, changes, source: object }];
  return {
    resource: after,
    previews: [...state.previews, ...more],
    results: [...state.results, ...failed],
    copied: state.copied + countOfValues(after.value),
  };
}

export interface NamedMutation extends MutateOutcome {
  readonly rule: string;
  readonly fields: RuleFields;
}

/** The outcomes of a policy's mutate rules, and the resource after all of them. Rules with targets are left out. */
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

const isExempt = ({ policy, rule, resource, matchContext, world }: RuleRun, context: EvalContext): boolean =>
  exceptionsFor(policy, text(rule, 'name'), resource, matchContext, world, context).length > 0;

/** A rule with targets changes other resources, later and in the background. */
function isOwnMutation(rule: RuleFields): boolean {
  const mutate = record(rule, 'mutate');
  return isMap(mutate) && Object.keys(mutate).length > 0 && records(mutate, 'targets').length === 0;
}
