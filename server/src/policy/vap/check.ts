import { asList, asText } from '../../base/json';
import { lazyByObject } from '../../base/lazy';
import { isSameList } from '../../base/sameValue';
import { codePointOffset, wordAt } from '../../kube/cel/position';
import type { KindInfo, Kube } from '../../kube/kube';
import { FieldPath } from '../../manifest/fieldPath';
import { fieldAt } from '../../manifest/valueAt';
import type { Severity } from '../../rules/framework/problem';
import type { WorkspaceObject } from '../../workspace/object';
import type { PolicyEngine } from '../engine/engine';
import { sha256 } from '../hashes';
import type { PolicyResult } from '../result';
import type { VapAdmission } from './admission';
import { expressionsOf, type PolicyExpression } from './expressions';
import { kindsNamedBy, nameOf, type OpenApi, openApiOf, openApiOfNamed } from './openApi';
import { MOST_EXPRESSIONS, MOST_POLICIES } from './policies';

/** Message and offset (from 0, in code points) of a problem in an expression. */
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

/** The kinds whose schemas the engine needs to answer, and does not have. */
interface WantedSchemas {
  readonly wanted: readonly string[];
}

/** How many policies of a kind are checked by the engine, which takes some 15 ms for each, and 50 ms for each kind that they match. */
export const MOST_CHECKED = 40;

/**
 * The server's checks of a policy's expressions: expressions that do not compile are rejected (errors); conflicts with
 * the types of matched kinds, which `status.typeChecking` would list, are warnings.
 */
export async function checkPolicy(policy: WorkspaceObject, admission: VapAdmission): Promise<readonly PolicyResult[]> {
  const expressions = expressionsOf(policy);
  if (expressions.length === 0) return [];
  const { compiled, typed } = await checkedOnce(policy, expressions, admission);
  const compileErrors = compiled.flatMap(({ id, issues = [] }) => {
    const expression = expressions.find(it => it.at.toString() === id);
    return expression ? issues.map(it => issueResult(policy, expression, it, it.message, 'error')) : [];
  });
  const conflicts = typed.flatMap(it => {
    const expression = expressions.find(({ at }) => at.toString() === it.field);
    return expression ? [issueResult(policy, expression, it, `${it.message} (${it.kind})`, 'warning')] : [];
  });
  return [...compileErrors, ...conflicts];
}

/** What the engine says of a policy. */
interface CheckAnswer {
  readonly compiled: CompileAnswer['results'];
  /** Empty where the policy does not compile. */
  readonly typed: TypeCheckAnswer['issues'];
}

/** Of a policy as it is written, by its content, with what else the answer follows from. */
const answers = lazyByObject(
  (_: PolicyEngine) => new WeakMap<object, CheckAnswer & Pick<VapAdmission, 'kube' | 'definitions'>>(),
);

/** The answer about a policy that was asked for already, in an earlier set of policies, unless it may differ now. */
async function checkedOnce(
  policy: WorkspaceObject,
  expressions: readonly PolicyExpression[],
  admission: VapAdmission,
): Promise<CheckAnswer> {
  const { kube, definitions, engine } = admission;
  const { contentId } = policy.manifest;
  const known = answers(engine).get(contentId);
  if (known?.kube === kube && isSameList(known.definitions, definitions)) return known;
  const compiled = await compile(policy, expressions, admission);
  const isCompiled = compiled.every(it => (it.issues ?? []).length === 0);
  const isTyped = isCompiled && policy.kind === 'ValidatingAdmissionPolicy';
  const answer = { compiled, typed: isTyped ? await typeCheck(policy, admission) : [] };
  answers(engine).set(contentId, { ...answer, kube, definitions });
  return answer;
}

async function compile(
  policy: WorkspaceObject,
  expressions: readonly PolicyExpression[],
  { kube, engine }: VapAdmission,
): Promise<CompileAnswer['results']> {
  const answer = (await engine.call({
    op: 'compileCEL',
    kubernetesVersion: kube.minor,
    mode: 'write',
    hasParams: fieldAt(policy.manifest.value, 'spec', 'paramKind') !== undefined,
    hasAuthorizer: true,
    expressions: expressions.map(({ at, ...it }) => ({ id: at.toString(), ...it })),
  })) as CompileAnswer;
  return answer.results;
}

async function typeCheck(
  policy: WorkspaceObject,
  { kube, resources, custom, engine }: VapAdmission,
): Promise<TypeCheckAnswer['issues']> {
  const rules = rulesOf(policy);
  const paramKind = fieldAt(policy.manifest.value, 'spec', 'paramKind');
  const [apiVersion, kind] = [asText(fieldAt(paramKind, 'apiVersion')) ?? '', asText(fieldAt(paramKind, 'kind')) ?? ''];
  const params = kube.kindOf(apiVersion, kind);
  const named = new Set(rules.flatMap(it => it.resources));
  const matched = resources.filter(it => named.has(it.resource));
  const kinds = [...kindsNamedBy(rules, kube), ...(params ? [params] : [])];
  const request = {
    op: 'typeCheckPolicy',
    policy: policy.manifest.value,
    resources: matched,
    types: typesOf([...matched.map(nameOf), `${apiVersion}/${kind}`], kinds, custom),
  };
  const ask = async (schemas: ReadonlySet<string>): Promise<TypeCheckAnswer['issues']> => {
    const sent = schemas.size === 0 ? {} : openApiOfNamed(schemas, kinds, custom);
    const answer = (await engine.call({ ...request, ...sent })) as TypeCheckAnswer | WantedSchemas;
    return 'issues' in answer ? answer.issues : ask(new Set([...schemas, ...answer.wanted]));
  };
  return ask(new Set());
}

/** The engine keeps schemas by their content: equal ones have one name. */
function typesOf(
  names: readonly string[],
  kinds: readonly KindInfo[],
  custom: OpenApi,
): Readonly<Record<string, string>> {
  const builtIn = new Map(kinds.map(it => [nameOf(it), it]));
  const types = names.flatMap(name => {
    if (Object.hasOwn(custom.kinds, name)) return [[name, hashOf(openApiOfNamed(new Set([name]), [], custom))]];
    const kind = builtIn.get(name);
    return kind === undefined ? [] : [[name, hashOfBuiltIn(kind)]];
  });
  return Object.fromEntries(types);
}

const hashOf = (schemas: OpenApi): string => sha256(JSON.stringify(schemas));
const hashOfBuiltIn = lazyByObject((kind: KindInfo) => hashOf(openApiOf([kind])));

function issueResult(
  policy: WorkspaceObject,
  { at, expression }: PolicyExpression,
  issue: CelIssue,
  message: string,
  severity: 'error' | 'warning',
): PolicyResult {
  return {
    engine: 'vap',
    policy: policy.name ?? '',
    outcome: severity === 'error' ? 'error' : 'warn',
    severity,
    message: `CEL: ${message}`,
    location: {
      object: policy,
      at,
      part: 'value',
      within: wordAt(expression, codePointOffset(expression, issue.offset)),
    },
  };
}

/** The API groups and resources of a policy's match rules. */
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

/** What is told of a policy itself, at its name. */
const told = (policy: WorkspaceObject, severity: Severity, message: string): PolicyResult => ({
  engine: 'vap',
  policy: policy.name ?? '',
  outcome: 'warn',
  severity,
  message,
  location: { object: policy, at: FieldPath.of('metadata', 'name'), part: 'value' },
});

/** Mutating policies that this minor does not evaluate by default. */
export function offPolicies(policies: readonly WorkspaceObject[], kube: Kube): readonly PolicyResult[] {
  return policies.map(policy =>
    told(
      policy,
      'info',
      `Kubernetes ${kube.minor} asks mutating policies only with the feature gate ${policy.kind}, which is off, ` +
        'so this one changes nothing.',
    ),
  );
}

/** Policies with more expressions than are compiled. */
export function largePolicies(policies: readonly WorkspaceObject[]): readonly PolicyResult[] {
  return policies.map(policy => {
    const count = expressionsOf(policy).length.toLocaleString('en');
    const message =
      `This policy has ${count} expressions, and Berth compiles at most ${MOST_EXPRESSIONS} of one policy: ` +
      'it is not evaluated here, though an API server may do so. What it refuses or changes is not reported.';
    return { ...told(policy, 'warning', message), location: { object: policy, at: FieldPath.of('spec'), part: 'key' } };
  });
}

/** Policies that are not asked, since so many others are. */
export function surplusPolicies(policies: readonly WorkspaceObject[]): readonly PolicyResult[] {
  return policies.map(policy =>
    told(
      policy,
      'warning',
      `Berth asks at most ${MOST_POLICIES} policies of a kind: this one is not evaluated here, though an API server ` +
        'does so. What it refuses or changes is not reported.',
    ),
  );
}

/** Policies whose expressions are evaluated, but not compared with the types of the matched kinds. */
export function uncheckedPolicies(policies: readonly WorkspaceObject[]): readonly PolicyResult[] {
  return policies.map(policy =>
    told(
      policy,
      'info',
      `Berth checks the expressions of ${MOST_CHECKED} policies of a kind against the types of the kinds that they match: ` +
        'those of this one are evaluated, and not checked so.',
    ),
  );
}

/** Policies without a binding: they are never evaluated, which is usually an oversight. */
export function unboundPolicies(
  policies: readonly WorkspaceObject[],
  bindings: readonly WorkspaceObject[],
): readonly PolicyResult[] {
  const bound = new Set(bindings.map(it => asText(fieldAt(it.manifest.value, 'spec', 'policyName'))));
  return policies
    .filter(it => it.name !== undefined && !bound.has(it.name))
    .map(policy =>
      told(
        policy,
        'info',
        `No ${policy.kind}Binding of the workspace names this policy, so it says nothing about any object.`,
      ),
    );
}
