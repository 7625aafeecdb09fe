import type { Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { asList, asText, fieldAt } from '../../rules/values';
import type { WorkspaceObject } from '../../workspace/workspace';
import { codePointOffset, wordAt } from '../celText';
import type { PolicyEngine } from '../engine/engine';
import type { PolicyResult } from '../result';
import { expressionsOf, type PolicyExpression } from './expressions';
import { kindsNamedBy, openApiOf } from './openApi';
import type { ApiResource } from './policies';

/** Line from 1, column and offset from 0, in code points of the expression. */
interface CelIssue {
  readonly message: string;
  readonly offset: number;
}

interface CompileAnswer {
  readonly results: readonly { readonly id: string; readonly issues?: readonly CelIssue[] }[];
}

interface TypeCheckAnswer {
  readonly issues: readonly (CelIssue & { readonly field: string; readonly kind: string })[];
}

/**
 * What a server would say to the expressions of a policy: it refuses what does not compile (an error), and tells in
 * `status.typeChecking` what the types of the matched kinds contradict (a warning).
 */
export async function checkPolicy(
  policy: WorkspaceObject,
  kube: Kube,
  resources: readonly ApiResource[],
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const expressions = expressionsOf(policy);
  if (expressions.length === 0) return [];
  const compiled = await compile(policy, expressions, kube, engine);
  if (compiled.length > 0 || policy.kind !== 'ValidatingAdmissionPolicy') return compiled;
  return typeCheck(policy, expressions, kube, resources, engine);
}

async function compile(
  policy: WorkspaceObject,
  expressions: readonly PolicyExpression[],
  kube: Kube,
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const answer = (await engine.call({
    op: 'compileCEL',
    kubernetesVersion: kube.minor,
    mode: 'write',
    hasParams: fieldAt(policy.manifest.value, 'spec', 'paramKind') !== undefined,
    hasAuthorizer: true,
    expressions: expressions.map(({ at, ...it }) => ({ id: at.toString(), ...it })),
  })) as CompileAnswer;
  return answer.results.flatMap(({ id, issues = [] }) => {
    const expression = expressions.find(it => it.at.toString() === id);
    return expression ? issues.map(it => complaint(policy, expression, it, it.message, 'error')) : [];
  });
}

async function typeCheck(
  policy: WorkspaceObject,
  expressions: readonly PolicyExpression[],
  kube: Kube,
  resources: readonly ApiResource[],
  engine: PolicyEngine,
): Promise<readonly PolicyResult[]> {
  const rules = rulesOf(policy);
  const kinds = kindsNamedBy(rules, kube);
  const named = new Set(rules.flatMap(it => it.resources));
  const answer = (await engine.call({
    op: 'typeCheckPolicy',
    policy: policy.manifest.value,
    resources: named.has('*') ? resources : resources.filter(it => named.has(it.resource)),
    ...openApiOf(kinds),
  })) as TypeCheckAnswer;
  return answer.issues.flatMap(it => {
    const expression = expressions.find(({ at }) => at.toString() === it.field);
    return expression ? [complaint(policy, expression, it, `${it.message} (${it.kind})`, 'warning')] : [];
  });
}

function complaint(
  policy: WorkspaceObject,
  { at, expression }: PolicyExpression,
  issue: CelIssue,
  message: string,
  severity: 'error' | 'warning',
): PolicyResult {
  const start = codePointOffset(expression, issue.offset);
  return {
    engine: 'vap',
    policy: policy.name ?? '',
    outcome: severity === 'error' ? 'error' : 'warn',
    severity,
    message: `CEL: ${message}`,
    place: { object: policy, at, part: 'value', within: { start, end: start + wordAt(expression, start) } },
  };
}

/** The groups and resources of the rules that a policy matches by. */
export function rulesOf(
  policy: WorkspaceObject,
): readonly { readonly groups: readonly string[]; readonly resources: readonly string[] }[] {
  const texts = (value: ReturnType<typeof fieldAt>) =>
    asList(value).flatMap(it => asText(it) ?? (it === '' ? [''] : []));
  return asList(fieldAt(policy.manifest.value, 'spec', 'matchConstraints', 'resourceRules')).map(it => ({
    groups: texts(fieldAt(it, 'apiGroups')),
    resources: texts(fieldAt(it, 'resources')),
  }));
}

/** Policies that no binding names: they are never asked, which is most often an oversight. */
export function unboundPolicies(
  policies: readonly WorkspaceObject[],
  bindings: readonly WorkspaceObject[],
): readonly PolicyResult[] {
  const bound = new Set(bindings.map(it => asText(fieldAt(it.manifest.value, 'spec', 'policyName'))));
  return policies
    .filter(it => it.name !== undefined && !bound.has(it.name))
    .map(policy => ({
      engine: 'vap',
      policy: policy.name ?? '',
      outcome: 'warn',
      severity: 'info',
      message: `No ${policy.kind}Binding of the workspace names this policy, so it says nothing about any object.`,
      place: { object: policy, at: FieldPath.of('metadata', 'name'), part: 'value' },
    }));
}
