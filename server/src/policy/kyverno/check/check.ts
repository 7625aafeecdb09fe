import { record, text } from '../../../kube/goFields';
import { FieldPath } from '../../../manifest/fieldPath';
import type { WorkspaceObject } from '../../../workspace/object';
import type { PolicyResult } from '../../result';
import type { CelEngine } from '../cel/engine';
import type { CelPolicy } from '../celPolicies/types';
import type { KyvernoPolicies } from '../evaluation/evaluatePolicies';
import { firstPlaces, type KyvernoPolicy } from '../policies/policy';
import { guarded } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { wrongPolicyExpressions, wrongRuleExpressions } from './expressions';
import { wrongImages } from './images';
import { type Mistake, type MistakeCheck, refused, unchecked } from './mistake';
import { notEvaluated, wrongFilters, wrongKinds, wrongOperations, wrongPodSecurity, wrongWildcards } from './structure';
import { wrongConditions, wrongContext, wrongVariables } from './variables';

const ruleChecks: readonly MistakeCheck[] = [
  wrongOperations,
  wrongFilters,
  wrongWildcards,
  wrongPodSecurity,
  wrongContext,
  wrongConditions,
  wrongVariables,
  wrongImages,
  notEvaluated,
];

/**
 * What Kyverno's own webhook would reject in the policies, and what cannot be evaluated offline. Upstream:
 * pkg/validation/policy.
 */
export function checkPolicies(
  { policies, celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): readonly PolicyResult[] {
  const ofPolicies = policies.flatMap(policy =>
    [...mistakesOf(policy, world)].map(it => resultOf(policy.object, policy.name, it)),
  );
  // Autogen variants of a policy follow it.
  const policyList = new Map(celPolicies.toReversed().map(it => [it.object, it])).values();
  const ofExpressions = [...policyList].toReversed().flatMap(policy => {
    const at = FieldPath.of('spec');
    return checked(at, () => wrongPolicyExpressions(policy, at, engineOf(policy, world))).map(it =>
      resultOf(policy.object, policy.name, it),
    );
  });
  return [...ofPolicies, ...ofExpressions];
}

/** Runs a check. A bug of Berth in one check does not end the others. */
const checked = (at: FieldPath, check: () => Iterable<Mistake>): readonly Mistake[] =>
  guarded(
    "Kyverno's webhook",
    () => [...check()],
    it => [unchecked(at, it.message)],
  );

function* mistakesOf(policy: KyvernoPolicy, world: KyvernoWorld): Iterable<Mistake> {
  const { rules } = policy;
  // A policy without `spec` is reported by its schema.
  if (rules.length === 0 && record(policy.object.manifest.value, 'spec') !== undefined)
    yield refused(FieldPath.of('spec', 'rules'), 'A policy needs a rule at least.');
  const names = rules.map(it => text(it, 'name'));
  const places = firstPlaces(names);
  for (const [i, rule] of rules.entries()) {
    const at = FieldPath.of('spec', 'rules', i);
    const name = names[i] ?? '';
    if (name !== '' && places.get(name) !== i) yield refused(at.child('name'), `Duplicate rule name: ${name}`);
    const found = [
      ...ruleChecks.flatMap(check => checked(at, () => check({ policy, rule, at }))),
      ...checked(at, () => wrongKinds({ policy, rule, at }, world.kindLike)),
      ...checked(at, () => wrongRuleExpressions({ policy, rule, at }, world.cel)),
    ];
    const bugs = new Map(found.filter(it => it.kind === 'unchecked').map(it => [it.message, it])).values();
    yield* found.filter(it => it.kind !== 'unchecked');
    yield* bugs;
  }
}

const engineOf = ({ type }: CelPolicy, { policyCel, generatingCel }: KyvernoWorld): CelEngine =>
  type === 'generating' ? generatingCel : policyCel;

const severityOf: Readonly<Record<Mistake['kind'], PolicyResult['severity']>> = {
  refused: 'error',
  ineffective: 'warning',
  undecided: 'info',
  unchecked: 'warning',
};

function resultOf(object: WorkspaceObject, name: string, { at, message, kind }: Mistake): PolicyResult {
  const isRefused = kind === 'refused';
  return {
    engine: 'kyverno',
    policy: `policy-${kind}`,
    rule: name,
    outcome: isRefused ? 'error' : 'warn',
    severity: severityOf[kind],
    message: isRefused ? `Kyverno refuses this policy: ${message}` : message,
    location: { object, at, part: object.manifest.has(at) ? 'value' : 'key' },
  };
}
