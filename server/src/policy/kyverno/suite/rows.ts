import type { JsonObject, JsonValue } from '../../../base/json';
import { text, texts } from '../../../kube/goFields';
import type { WorkspaceObject } from '../../../workspace/object';
import { mergedMaps, nested, partsOfName } from '../context/context';
import type { KyvernoPolicies } from '../evaluation/evaluatePolicies';
import { type Operation, type Resource, resourceOf } from '../resource/resource';
import { guarded, type RuleStatus } from '../results/outcome';
import type { KyvernoWorld } from '../world';
import { comparison, isSameName } from './comparison';
import { type RuleReport, reportsFor, targetReports } from './results';

/** The contents of a suite: its policies, its resources and its world. */
export interface SuiteEnvironment {
  readonly policies: KyvernoPolicies;
  /** All objects in the policy files, unsupported kinds included. */
  readonly policyObjects: readonly WorkspaceObject[];
  readonly resources: readonly Resource[];
  /** Existing objects, for mutate-existing policies. */
  readonly targets: readonly Resource[];
  /** Whether the suite has JSON or HTTP payloads. */
  readonly hasPayloads: boolean;
  worldFor(policy: string, object: string): KyvernoWorld;
  objectsAt(path: string): readonly JsonObject[];
}

/** One expected result for one resource. */
export interface SuiteRow {
  readonly policy: string;
  readonly rule: string;
  readonly kind: string;
  /** `namespace/name`, or the name alone. */
  readonly resource: string;
  readonly expected: string;
  /** The statuses of the rules; empty when none matches the resource, which the Kyverno CLI counts as a pass. */
  readonly statuses: readonly (RuleStatus | 'warn')[];
  readonly verdict: 'passed' | 'failed' | 'undecided';
  readonly message: string;
}

/**
 * The rows of one entry of `results`. An entry that names no known resource applies to all of them. Upstream:
 * printTestResult.
 */
export function rowsOf(result: JsonObject, environment: SuiteEnvironment): readonly SuiteRow[] {
  const names = [...texts(result, 'resources'), ...(text(result, 'resource') === '' ? [] : [text(result, 'resource')])];
  const policy = text(result, 'policy').split('/').at(-1) ?? '';
  const unevaluated = notEvaluated(policy, environment);
  if (unevaluated !== undefined) return [rowWithout(result, policy, names, unevaluated)];
  const meant = (it: Resource) => isOfKind(it, text(result, 'kind')) && names.some(name => isNamed(it, name, result));
  const targets = environment.targets.filter(meant).map(it => targetRow(result, policy, it, environment));
  const named = environment.resources.filter(meant);
  const isNamedAtAll = named.length + targets.length > 0;
  const selected = isNamedAtAll ? named : environment.resources.filter(it => isOfKind(it, text(result, 'kind')));
  const rows = [...targets, ...selected.map(resource => rowOf(result, policy, resource, environment))];
  if (rows.length > 0) return rows;
  const reason = environment.hasPayloads
    ? { verdict: 'undecided' as const, message: 'payloads that are no objects of a cluster are not evaluated here' }
    : { verdict: 'failed' as const, message: 'the suite has no such resource' };
  return [rowWithout(result, policy, names, reason)];
}

/** A subresource is also selected by its own kind. */
const isOfKind = (it: Resource, kind: string): boolean => kind === '' || it.kind === kind || it.object.kind === kind;

type Reason = Pick<SuiteRow, 'verdict' | 'message'>;

/** Why a policy that a result names is not evaluated. */
function notEvaluated(policy: string, { policyObjects, policies }: SuiteEnvironment): Reason | undefined {
  const named = policyObjects.filter(it => it.name === policy);
  if (named.length === 0) return { verdict: 'failed', message: `the suite has no policy ${policy}` };
  const supported = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies].map(it => it.object);
  if (named.some(it => supported.includes(it))) return undefined;
  const kinds = [...new Set(named.map(it => it.kind))].join(', ');
  return { verdict: 'undecided', message: `suites of the Kyverno CLI are run here without ${kinds}` };
}

const rowWithout = (result: JsonObject, policy: string, names: readonly string[], reason: Reason): SuiteRow => ({
  policy,
  rule: text(result, 'rule'),
  kind: text(result, 'kind'),
  resource: names.join(', '),
  expected: text(result, 'result') || text(result, 'status'),
  statuses: [],
  ...reason,
});

function isNamed(resource: Resource, written: string, result: JsonObject): boolean {
  const [name = '', namespace = text(result, 'namespace')] = written.split('/').reverse();
  return resource.name === name && (namespace === '' || resource.namespace === namespace);
}

function rowOf(result: JsonObject, policy: string, resource: Resource, environment: SuiteEnvironment): SuiteRow {
  const reports = guardedReports(policy, () => {
    const world = worldOf(result, policy, resource, environment);
    const withValues = withFieldValues(resource, world.valuesOf?.(policy, resource.name) ?? {});
    return reportsFor(policy, withValues, environment.policies, world);
  });
  return rowFrom(result, policy, resource, reports, environment);
}

/** A bug of Berth in one row does not end the others. */
const guardedReports = (policy: string, say: () => readonly RuleReport[]): readonly RuleReport[] =>
  guarded(`policy ${policy}`, say, it => [{ ...it, rule: '' }]);

/**
 * The row of an existing object that is changed because others are admitted. Upstream:
 * extractPatchedTargetFromEngineResponse.
 */
function targetRow(result: JsonObject, policy: string, target: Resource, environment: SuiteEnvironment): SuiteRow {
  const isTarget = (it: { readonly target?: Resource }) =>
    it.target !== undefined && isSameName(it.target.value, target.value);
  const reports = guardedReports(policy, () =>
    environment.resources.flatMap(trigger => {
      const world = worldOf(result, policy, trigger, environment);
      return targetReports(policy, trigger, environment.policies, world).filter(isTarget);
    }),
  );
  return rowFrom(result, policy, target, reports, environment);
}

function worldOf(result: JsonObject, policy: string, resource: Resource, environment: SuiteEnvironment): KyvernoWorld {
  const operation = text(result, 'operation');
  const world = withCloneSource(
    environment.worldFor(policy, resource.name),
    text(result, 'cloneSourceResource'),
    environment,
  );
  return operation === '' ? world : { ...world, operation: operation as Operation };
}

function rowFrom(
  result: JsonObject,
  policy: string,
  resource: Resource,
  reports: readonly RuleReport[],
  environment: SuiteEnvironment,
): SuiteRow {
  const rule = text(result, 'rule');
  const expected = text(result, 'result') || text(result, 'status');
  const ofRule = reports.filter(it => isRule(it.rule, rule));
  const compared = comparison(result, ofRule, path => environment.objectsAt(path));
  const wrong = compared === 'left out' ? undefined : ofRule.find(it => it.status !== expected);
  const different = wrong === undefined && typeof compared === 'object' ? compared.difference : undefined;
  const isUndecided = wrong?.status === 'undecided' || wrong?.status === 'stopped';
  return {
    policy,
    rule,
    kind: resource.kind,
    resource: resource.namespace === '' ? resource.name : `${resource.namespace}/${resource.name}`,
    expected,
    statuses: ofRule.map(it => it.status),
    verdict: isUndecided ? 'undecided' : wrong === undefined && different === undefined ? 'passed' : 'failed',
    message: different ?? wrong?.message ?? ofRule[0]?.message ?? 'no rule speaks about the resource',
  };
}

/** Applies values that set fields of the resource itself. Upstream: makePolicyContext. */
function withFieldValues(resource: Resource, values: Readonly<Record<string, JsonValue>>): Resource {
  const own = Object.entries(values).filter(([name]) => name.startsWith('request.object.'));
  if (own.length === 0) return resource;
  const value = own.reduce(
    (it, [name, given]) => mergedMaps(it, nested(partsOfName(name).slice(2), given)),
    resource.value,
  );
  return { ...resourceOf(resource.object, value), subresource: resource.subresource };
}

/** A rule's name also selects its autogen rules. Upstream: lookupRuleResponses. */
const isRule = (name: string, wanted: string): boolean =>
  wanted === '' || name === '' || [wanted, `autogen-${wanted}`, `autogen-cronjob-${wanted}`].includes(name);

/** Adds the file that a suite names as the clone source, since there is no cluster. */
function withCloneSource(world: KyvernoWorld, path: string, environment: SuiteEnvironment): KyvernoWorld {
  if (path === '') return world;
  const sources = environment.objectsAt(path);
  const isOf = (it: JsonObject, apiVersion: string, kind: string) => it.apiVersion === apiVersion && it.kind === kind;
  const objectsOf = (apiVersion: string, kind: string) => [
    ...world.objectsOf(apiVersion, kind),
    ...sources.filter(it => isOf(it, apiVersion, kind)),
  ];
  return { ...world, objectsOf };
}
