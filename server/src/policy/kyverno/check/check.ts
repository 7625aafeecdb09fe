import { FieldPath } from '../../../manifest/fieldPath';
import { record, text } from '../../../rules/apiserver/validate/read';
import type { WorkspaceObject } from '../../../workspace/workspace';
import type { PolicyResult } from '../../result';
import type { CelEngine } from '../cel/engine';
import type { CelPolicy } from '../celPolicies/celPolicy';
import type { KyvernoPolicies } from '../kyverno';
import type { KyvernoPolicy } from '../policy';
import type { KyvernoWorld } from '../world';
import { wrongPolicyExpressions, wrongRuleExpressions } from './expressions';
import { wrongImages } from './images';
import { type Mistake, type RuleCheck, refused } from './mistake';
import { notEvaluated, wrongFilters, wrongOperations, wrongPodSecurity, wrongWildcards } from './structure';
import { wrongConditions, wrongContext, wrongVariables } from './variables';

const ruleChecks: readonly RuleCheck[] = [
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

/** What Kyverno's own webhook refuses of the policies, and what cannot be evaluated here. Upstream: pkg/validation/policy. */
export function checkPolicies(
  { policies, celPolicies }: KyvernoPolicies,
  world: KyvernoWorld,
): readonly PolicyResult[] {
  const ofPolicies = policies.flatMap(policy =>
    [...mistakesOf(policy, world)].map(it => resultOf(policy.object, policy.name, it)),
  );
  const written = celPolicies.filter((it, i) => celPolicies.findIndex(other => other.object === it.object) === i);
  const ofExpressions = written.flatMap(policy =>
    [...wrongPolicyExpressions(policy, FieldPath.of('spec'), engineOf(policy, world))].map(it =>
      resultOf(policy.object, policy.name, it),
    ),
  );
  return [...ofPolicies, ...ofExpressions];
}

function* mistakesOf(policy: KyvernoPolicy, world: KyvernoWorld): Iterable<Mistake> {
  const { rules } = policy;
  // A policy without `spec` is told so by its schema.
  if (rules.length === 0 && record(policy.object.manifest.value, 'spec') !== undefined)
    yield refused(FieldPath.of('spec', 'rules'), 'A policy needs a rule at least.');
  const names = rules.map(it => text(it, 'name'));
  for (const [i, rule] of rules.entries()) {
    const at = FieldPath.of('spec', 'rules', i);
    if (names[i] !== '' && names.indexOf(names[i] ?? '') < i)
      yield refused(at.child('name'), `Duplicate rule name: ${names[i]}`);
    for (const check of ruleChecks) yield* check({ policy, rule, at });
    yield* wrongRuleExpressions({ policy, rule, at }, world.cel);
  }
}

const engineOf = ({ type }: CelPolicy, { policyCel, generatingCel }: KyvernoWorld): CelEngine =>
  type === 'generating' ? generatingCel : policyCel;

const severityOf: Readonly<Record<Mistake['kind'], PolicyResult['severity']>> = {
  refused: 'error',
  ineffective: 'warning',
  undecided: 'info',
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
    place: { object, at, part: object.manifest.has(at) ? 'value' : 'key' },
  };
}
