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

/** What a suite has: its policies, its resources and its world. */
export interface SuiteEnvironment {
  readonly policies: KyvernoPolicies;
  /** All objects of the files of policies, those that are not evaluated among them. */
  readonly policyObjects: readonly WorkspaceObject[];
  readonly resources: readonly Resource[];
  /** What is there already, for policies that change it. */
  readonly targets: readonly Resource[];
  /** Whether the suite has plain JSON or requests to judge. */
  readonly hasPayloads: boolean;
  worldFor(policy: string, object: string): KyvernoWorld;
  objectsAt(path: string): readonly JsonObject[];
}

/** One expectation about one resource. */
export interface SuiteRow {
  readonly policy: string;
  readonly rule: string;
  readonly kind: string;
  /** `namespace/name`, or the name alone. */
  readonly resource: string;
  readonly expected: string;
  /** What the rules say; empty when none speaks about the resource, which the Kyverno CLI lets pass. */
  readonly statuses: readonly (RuleStatus | 'warn')[];
  readonly verdict: 'passed' | 'failed' | 'undecided';
  readonly message: string;
}

/** The rows of one entry of `results`; one that names nothing that is there means everything. Upstream: printTestResult. */
export function rowsOf(result: JsonObject, scene: SuiteEnvironment): readonly SuiteRow[] {
  const names = [...texts(result, 'resources'), ...(text(result, 'resource') === '' ? [] : [text(result, 'resource')])];
  const policy = text(result, 'policy').split('/').at(-1) ?? '';
  const unevaluated = notEvaluated(policy, scene);
  if (unevaluated !== undefined) return [rowWithout(result, policy, names, unevaluated)];
  const meant = (it: Resource) => isOfKind(it, text(result, 'kind')) && names.some(name => isNamed(it, name, result));
  const targets = scene.targets.filter(meant).map(it => targetRow(result, policy, it, scene));
  const named = scene.resources.filter(meant);
  const isNamedAtAll = named.length + targets.length > 0;
  const about = isNamedAtAll ? named : scene.resources.filter(it => isOfKind(it, text(result, 'kind')));
  const rows = [...targets, ...about.map(resource => rowOf(result, policy, resource, scene))];
  if (rows.length > 0) return rows;
  const reason = scene.hasPayloads
    ? { verdict: 'undecided' as const, message: 'payloads that are no objects of a cluster are not evaluated here' }
    : { verdict: 'failed' as const, message: 'the suite has no such resource' };
  return [rowWithout(result, policy, names, reason)];
}

/** A subresource is told by its own kind. */
const isOfKind = (it: Resource, kind: string): boolean => kind === '' || it.kind === kind || it.object.kind === kind;

type Reason = Pick<SuiteRow, 'verdict' | 'message'>;

/** Why a policy that a result names says nothing here. */
function notEvaluated(policy: string, { policyObjects, policies }: SuiteEnvironment): Reason | undefined {
  const named = policyObjects.filter(it => it.name === policy);
  if (named.length === 0) return { verdict: 'failed', message: `the suite has no policy ${policy}` };
  const known = [...policies.policies, ...policies.celPolicies, ...policies.cleanupPolicies].map(it => it.object);
  if (named.some(it => known.includes(it))) return undefined;
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

function rowOf(result: JsonObject, policy: string, resource: Resource, scene: SuiteEnvironment): SuiteRow {
  const said = guardedReports(policy, () => {
    const world = worldOf(result, policy, resource, scene);
    const given = withFieldValues(resource, world.valuesOf?.(policy, resource.name) ?? {});
    return reportsFor(policy, given, scene.policies, world);
  });
  return rowFrom(result, policy, resource, said, scene);
}

/** Where Berth fails at a row the others go on. */
const guardedReports = (policy: string, say: () => readonly RuleReport[]): readonly RuleReport[] =>
  guarded(`policy ${policy}`, say, it => [{ ...it, rule: '' }]);

/** What became of an object because others came. Upstream: extractPatchedTargetFromEngineResponse. */
function targetRow(result: JsonObject, policy: string, target: Resource, scene: SuiteEnvironment): SuiteRow {
  const isTarget = (it: { readonly target?: Resource }) =>
    it.target !== undefined && isSameName(it.target.value, target.value);
  const said = guardedReports(policy, () =>
    scene.resources.flatMap(trigger => {
      const world = worldOf(result, policy, trigger, scene);
      return targetReports(policy, trigger, scene.policies, world).filter(isTarget);
    }),
  );
  return rowFrom(result, policy, target, said, scene);
}

function worldOf(result: JsonObject, policy: string, resource: Resource, scene: SuiteEnvironment): KyvernoWorld {
  const operation = text(result, 'operation');
  const given = withCloneSource(scene.worldFor(policy, resource.name), text(result, 'cloneSourceResource'), scene);
  return operation === '' ? given : { ...given, operation: operation as Operation };
}

function rowFrom(
  result: JsonObject,
  policy: string,
  resource: Resource,
  all: readonly RuleReport[],
  scene: SuiteEnvironment,
): SuiteRow {
  const rule = text(result, 'rule');
  const expected = text(result, 'result') || text(result, 'status');
  const said = all.filter(it => isRule(it.rule, rule));
  const compared = comparison(result, said, path => scene.objectsAt(path));
  const wrong = compared === 'left out' ? undefined : said.find(it => it.status !== expected);
  const different = wrong === undefined && typeof compared === 'object' ? compared.difference : undefined;
  const isUndecided = wrong?.status === 'undecided' || wrong?.status === 'stopped';
  return {
    policy,
    rule,
    kind: resource.kind,
    resource: resource.namespace === '' ? resource.name : `${resource.namespace}/${resource.name}`,
    expected,
    statuses: said.map(it => it.status),
    verdict: isUndecided ? 'undecided' : wrong === undefined && different === undefined ? 'passed' : 'failed',
    message: different ?? wrong?.message ?? said[0]?.message ?? 'no rule speaks about the resource',
  };
}

/** Values may set fields of the object itself. Upstream: makePolicyContext. */
function withFieldValues(resource: Resource, values: Readonly<Record<string, JsonValue>>): Resource {
  const own = Object.entries(values).filter(([name]) => name.startsWith('request.object.'));
  if (own.length === 0) return resource;
  const value = own.reduce(
    (it, [name, given]) => mergedMaps(it, nested(partsOfName(name).slice(2), given)),
    resource.value,
  );
  return { ...resourceOf(resource.object, value), subresource: resource.subresource };
}

/** A rule is also meant by what autogen makes of it. Upstream: lookupRuleResponses. */
const isRule = (name: string, wanted: string): boolean =>
  wanted === '' || name === '' || [wanted, `autogen-${wanted}`, `autogen-cronjob-${wanted}`].includes(name);

/** A suite names the file of what is cloned, as it has no cluster. */
function withCloneSource(world: KyvernoWorld, path: string, scene: SuiteEnvironment): KyvernoWorld {
  if (path === '') return world;
  const sources = scene.objectsAt(path);
  const isOf = (it: JsonObject, apiVersion: string, kind: string) => it.apiVersion === apiVersion && it.kind === kind;
  const objectsOf = (apiVersion: string, kind: string) => [
    ...world.objectsOf(apiVersion, kind),
    ...sources.filter(it => isOf(it, apiVersion, kind)),
  ];
  return { ...world, objectsOf };
}
