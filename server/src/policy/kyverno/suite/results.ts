import type { JsonObject } from '../../../base/json';
import { deleteWithCelPolicy } from '../celPolicies/deleting';
import { generateWithCelPolicy } from '../celPolicies/generating';
import { validateImagesWithCelPolicy } from '../celPolicies/imageValidating';
import { mutateWithCelPolicy, subjectAfter, targetsOfCelPolicy } from '../celPolicies/mutating';
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

/** What one rule says, and the object it leaves behind. */
export interface Said {
  readonly rule: string;
  readonly status: RuleStatus | 'warn';
  readonly message: string;
  readonly objects?: readonly JsonObject[];
}

/** What the policies of a name say of a resource. All mutations come first, then what is validated is their result. Upstream: ApplyPoliciesOnResource. */
export function saidBy(
  name: string,
  subject: Resource,
  policies: KyvernoPolicies,
  world: KyvernoWorld,
): readonly Said[] {
  const byRules = mutatedByRules(name, subject, policies, world);
  const mutated = mutatedByExpressions(name, byRules.subject, policies, world);
  return [
    ...byRules.said,
    ...mutated.said,
    ...policies.policies.filter(it => it.name === name).flatMap(it => saidByPolicy(it, mutated.subject, world)),
    ...policies.celPolicies
      .filter(it => it.name === name)
      .flatMap(it => saidByCelPolicy(it, mutated.subject, world) ?? []),
  ];
}

interface Mutated {
  readonly subject: Resource;
  /** By the policies of the name that is asked about; all change the subject. */
  readonly said: readonly Said[];
}

function mutatedByRules(name: string, subject: Resource, { policies }: KyvernoPolicies, world: KyvernoWorld): Mutated {
  return policies.reduce<Mutated>(
    (so, policy) => {
      const { subject: after, outcomes } = mutateWithPolicy(policy, so.subject, world);
      if (policy.name !== name) return { said: so.said, subject: after };
      const own = [...outcomes, ...mutateExisting(policy, subject, world)];
      return { subject: after, said: [...so.said, ...own.map(it => ({ ...it, objects: [after.value] }))] };
    },
    { subject, said: [] },
  );
}

function mutatedByExpressions(
  name: string,
  subject: Resource,
  { celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): Mutated {
  return celPolicies
    .filter(it => it.type === 'mutating')
    .reduce<Mutated>(
      (so, policy) => {
        const outcome = mutateWithCelPolicy(policy, so.subject, world);
        const after = outcome === undefined ? so.subject : subjectAfter(so.subject, outcome);
        if (policy.name !== name) return { said: so.said, subject: after };
        const own = outcome === undefined ? [] : [{ ...outcome, rule: '', objects: [after.value] }];
        // The trigger itself stays as it is, so that nothing is compared with it.
        const others = targetsOfCelPolicy(policy, after, world).map(it => ({ ...it, rule: '', objects: [{}] }));
        return { subject: after, said: [...so.said, ...own, ...others] };
      },
      { subject, said: [] },
    );
}

function saidByPolicy(policy: KyvernoPolicy, subject: Resource, world: KyvernoWorld): readonly Said[] {
  const warns = !isScored(policy);
  const validated = [...verifyImagesWithPolicy(policy, subject, world), ...validateWithPolicy(policy, subject, world)];
  return [
    ...validated.map(it => ({ ...it, status: warns && it.status === 'fail' ? ('warn' as const) : it.status })),
    ...generateWithPolicy(policy, subject, world),
  ];
}

/** What becomes of existing objects, each with its target. */
export function targetsSaidBy(
  name: string,
  trigger: Resource,
  { policies, celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): readonly (Said & { readonly target?: Resource })[] {
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

function saidByCelPolicy(policy: CelPolicy, subject: Resource, world: KyvernoWorld): Said | undefined {
  if (policy.type === 'generating') return generateWithCelPolicy(policy, subject, world);
  const judge = judges[policy.type];
  const outcome = judge?.(policy, subject, world);
  return outcome && { ...outcome, rule: '' };
}

const judges: Partial<Record<CelPolicyType, typeof validateWithCelPolicy>> = {
  validating: validateWithCelPolicy,
  deleting: deleteWithCelPolicy,
  imageValidating: validateImagesWithCelPolicy,
};
