import type { JsonObject } from '../../../base/json';
import { deleteWithCelPolicy } from '../celPolicies/deleting';
import { generateWithCelPolicy } from '../celPolicies/generating';
import { validateImagesWithCelPolicy } from '../celPolicies/imageValidating';
import { mutateWithCelPolicy, resourceAfter, targetsOfCelPolicy } from '../celPolicies/mutating';
import type { CelPolicy, CelPolicyType } from '../celPolicies/types';
import { validateWithCelPolicy } from '../celPolicies/validating';
import { validateWithPolicy } from '../engine/evaluate';
import { generateWithPolicy } from '../engine/generate';
import { verifyImagesWithPolicy } from '../engine/verifyImages';
import type { KyvernoPolicies } from '../evaluation/evaluatePolicies';
import { mutateWithPolicy } from '../evaluation/mutations';
import { mutateExisting } from '../mutate/mutateExisting';
import type { MutateOutcome } from '../mutate/mutateRule';
import { isScored, type KyvernoPolicy } from '../policies/policy';
import type { Resource } from '../resource/resource';
import type { RuleStatus } from '../results/outcome';
import type { KyvernoWorld } from '../world';

/** The outcome of one rule, with the objects it produced. */
export interface RuleReport {
  readonly rule: string;
  readonly status: RuleStatus | 'warn';
  readonly message: string;
  readonly objects?: readonly JsonObject[];
}

/**
 * The outcomes of the policies with a name for a resource. All mutations come first; validation sees their result.
 * Upstream: ApplyPoliciesOnResource.
 */
export function reportsFor(
  name: string,
  resource: Resource,
  policies: KyvernoPolicies,
  world: KyvernoWorld,
): readonly RuleReport[] {
  const byRules = mutatedByRules(name, resource, policies, world);
  const mutated = mutatedByExpressions(name, byRules.resource, policies, world);
  return [
    ...byRules.reports,
    ...mutated.reports,
    ...policies.policies.filter(it => it.name === name).flatMap(it => reportsOfPolicy(it, mutated.resource, world)),
    ...policies.celPolicies
      .filter(it => it.name === name)
      .flatMap(it => reportOfCelPolicy(it, mutated.resource, world) ?? []),
  ];
}

interface Mutated {
  readonly resource: Resource;
  /** Outcomes of the policies with the requested name. All policies mutate the resource. */
  readonly reports: readonly RuleReport[];
}

function mutatedByRules(name: string, resource: Resource, { policies }: KyvernoPolicies, world: KyvernoWorld): Mutated {
  return policies.reduce<Mutated>(
    (state, policy) => {
      const { resource: after, outcomes } = mutateWithPolicy(policy, state.resource, world);
      if (policy.name !== name) return { reports: state.reports, resource: after };
      const own = [...outcomes, ...mutateExisting(policy, resource, world)];
      return { resource: after, reports: [...state.reports, ...own.map(it => ({ ...it, objects: [after.value] }))] };
    },
    { resource, reports: [] },
  );
}

function mutatedByExpressions(
  name: string,
  resource: Resource,
  { celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): Mutated {
  return celPolicies
    .filter(it => it.type === 'mutating')
    .reduce<Mutated>(
      (state, policy) => {
        const outcome = mutateWithCelPolicy(policy, state.resource, world);
        const after = outcome === undefined ? state.resource : resourceAfter(state.resource, outcome);
        if (policy.name !== name) return { reports: state.reports, resource: after };
        const own = outcome === undefined ? [] : [{ ...outcome, rule: '', objects: [after.value] }];
        // The trigger itself stays unchanged, so nothing is compared with it.
        const ofTargets = targetsOfCelPolicy(policy, after, world).map(it => ({ ...it, rule: '', objects: [{}] }));
        return { resource: after, reports: [...state.reports, ...own, ...ofTargets] };
      },
      { resource, reports: [] },
    );
}

function reportsOfPolicy(policy: KyvernoPolicy, resource: Resource, world: KyvernoWorld): readonly RuleReport[] {
  const warns = !isScored(policy);
  const validated = [
    ...verifyImagesWithPolicy(policy, resource, world),
    ...validateWithPolicy(policy, resource, world),
  ];
  return [
    ...validated.map(it => ({ ...it, status: warns && it.status === 'fail' ? ('warn' as const) : it.status })),
    ...generateWithPolicy(policy, resource, world),
  ];
}

/** The outcomes for existing objects, each with its target. */
export function targetReports(
  name: string,
  trigger: Resource,
  { policies, celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): readonly (RuleReport & { readonly target?: Resource })[] {
  const objectsOf = ({ value }: MutateOutcome) => (value === undefined ? [] : [value]);
  const ofRules = policies
    .filter(it => it.name === name)
    .flatMap(it => mutateExisting(it, trigger, world))
    .map(it => ({ ...it, objects: objectsOf(it) }));
  const ofPolicies = celPolicies
    .filter(it => it.name === name && it.type === 'mutating')
    .flatMap(it => targetsOfCelPolicy(it, trigger, world))
    .map(it => ({ ...it, rule: '', objects: objectsOf(it) }));
  return [...ofRules, ...ofPolicies];
}

function reportOfCelPolicy(policy: CelPolicy, resource: Resource, world: KyvernoWorld): RuleReport | undefined {
  if (policy.type === 'generating') return generateWithCelPolicy(policy, resource, world);
  const evaluate = evaluators[policy.type];
  const outcome = evaluate?.(policy, resource, world);
  return outcome && { ...outcome, rule: '' };
}

const evaluators: Partial<Record<CelPolicyType, typeof validateWithCelPolicy>> = {
  validating: validateWithCelPolicy,
  deleting: deleteWithCelPolicy,
  imageValidating: validateImagesWithCelPolicy,
};
