import { FieldPath } from '../../../manifest/fieldPath';
import type { WorkspaceObject } from '../../../workspace/object';
import type { PolicyResult } from '../../result';
import { celPoliciesOf } from '../celPolicies/celPolicy';
import { validateImagesWithCelPolicy } from '../celPolicies/imageValidating';
import type { CelPolicy, CelPolicyType } from '../celPolicies/types';
import { validateWithCelPolicy } from '../celPolicies/validating';
import { type CleanupPolicy, cleanupPolicyOf } from '../engine/cleanup';
import { validateWithPolicy } from '../engine/evaluate';
import { verifyImagesWithPolicy } from '../engine/verifyImages';
import { type KyvernoPolicy, kyvernoPolicyOf } from '../policies/policy';
import type { Resource } from '../resource/resource';
import { guarded } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { bugResult, resultOf, resultOfCelPolicy } from './results';

/** The policies of both policy languages, kyverno.io and policies.kyverno.io. */
export interface KyvernoPolicies {
  readonly policies: readonly KyvernoPolicy[];
  readonly celPolicies: readonly CelPolicy[];
  readonly cleanupPolicies: readonly CleanupPolicy[];
}

export function kyvernoPoliciesOf(objects: readonly WorkspaceObject[]): KyvernoPolicies {
  return {
    policies: objects.flatMap(it => kyvernoPolicyOf(it) ?? []),
    celPolicies: objects.flatMap(celPoliciesOf),
    cleanupPolicies: objects.flatMap(it => cleanupPolicyOf(it) ?? []),
  };
}

/** Evaluates all policies on all resources: one result for each rule that matches a resource. */
export function evaluateKyverno(
  policies: KyvernoPolicies,
  resources: readonly Resource[],
  world: KyvernoWorld,
): readonly PolicyResult[] {
  return resources.flatMap(it => resultsFor(policies, it, world));
}

/** The types of CEL policies that validate the resource itself. */
const evaluators: Partial<Record<CelPolicyType, typeof validateWithCelPolicy>> = {
  validating: validateWithCelPolicy,
  imageValidating: validateImagesWithCelPolicy,
};

function resultsFor(
  { policies, celPolicies }: KyvernoPolicies,
  resource: Resource,
  world: KyvernoWorld,
): readonly PolicyResult[] {
  const guardedAt = <T extends Pick<CelPolicy, 'name' | 'object'>>(
    policy: T,
    resultsOf: (policy: T, resource: Resource, world: KyvernoWorld) => readonly PolicyResult[],
  ) =>
    guarded(
      `policy ${policy.name}`,
      () => resultsOf(policy, resource, world),
      it => [bugResult(policy, resource, it)],
    );
  return [
    ...policies.flatMap(it => guardedAt(it, resultsOfRules)),
    ...celPolicies.flatMap(it => guardedAt(it, resultsOfExpressions)),
  ];
}

const resultsOfRules = (policy: KyvernoPolicy, resource: Resource, world: KyvernoWorld): readonly PolicyResult[] =>
  joined(verifyImagesWithPolicy(policy, resource, world), validateWithPolicy(policy, resource, world)).map(it =>
    it.status === 'stopped' ? stoppedResult(policy, it.rule, it.message) : resultOf(policy, it, resource, world),
  );

const joined = <T>(a: readonly T[], b: readonly T[]): readonly T[] => (a.length === 0 ? b : [...a, ...b]);

function resultsOfExpressions(policy: CelPolicy, resource: Resource, world: KyvernoWorld): readonly PolicyResult[] {
  const outcome = evaluators[policy.type]?.(policy, resource, world);
  if (outcome === undefined) return [];
  if (outcome.status === 'stopped')
    return [stoppedAt(policy.object, policy.name, FieldPath.of('metadata', 'name'), outcome.message)];
  return [resultOfCelPolicy(policy, outcome, resource)];
}

/** Located at the policy, which is responsible whatever the resource is. */
function stoppedResult({ object, name, locationOf }: KyvernoPolicy, rule: string, message: string): PolicyResult {
  return { ...stoppedAt(object, name, locationOf(rule)?.at ?? FieldPath.of('metadata', 'name'), message), rule };
}

const stoppedAt = (object: WorkspaceObject, policy: string, at: FieldPath, message: string): PolicyResult => ({
  engine: 'kyverno',
  policy,
  outcome: 'error',
  severity: 'error',
  message,
  location: { object, at, part: 'value' },
});
