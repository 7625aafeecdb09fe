import type { JsonObject, JsonValue } from '../../../manifest/manifest';
import { record, text, texts } from '../../../rules/apiserver/validate/read';
import type { WorkspaceObject } from '../../../workspace/workspace';
import type { CelPolicy, CelPolicyType } from '../celPolicies/celPolicy';
import { deleteWithCelPolicy } from '../celPolicies/deleting';
import { generateWithCelPolicy } from '../celPolicies/generating';
import { validateImagesWithCelPolicy } from '../celPolicies/imageValidating';
import { mutateWithCelPolicy, subjectAfter, targetsOfCelPolicy } from '../celPolicies/mutating';
import { validateWithCelPolicy } from '../celPolicies/validating';
import { mergedMaps, nested, partsOfName } from '../context';
import { validateWithPolicy } from '../evaluate';
import { generateWithPolicy } from '../generate';
import { deepEqual, isList, isMap } from '../goValues';
import type { KyvernoPolicies } from '../kyverno';
import { mutateExisting } from '../mutate/existing';
import type { MutateOutcome } from '../mutate/mutateRule';
import { mutateWithPolicy } from '../mutations';
import { guarded, type RuleStatus } from '../outcome';
import { isScored } from '../policy';
import { type Operation, type Subject, subjectOf } from '../subject';
import { verifyImagesWithPolicy } from '../verifyImages';
import type { KyvernoWorld } from '../world';

/** What a suite has: its policies, its resources and its world. */
export interface SuiteScene {
  readonly policies: KyvernoPolicies;
  /** All objects of the files of policies, those that are not evaluated among them. */
  readonly policyObjects: readonly WorkspaceObject[];
  readonly subjects: readonly Subject[];
  /** What is there already, for policies that change it. */
  readonly targets: readonly Subject[];
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

/** What one rule says, and the object it leaves behind. */
interface Said {
  readonly rule: string;
  readonly status: RuleStatus | 'warn';
  readonly message: string;
  readonly objects?: readonly JsonObject[];
}

/** The rows of one entry of `results`; one that names nothing that is there means everything. Upstream: printTestResult. */
export function rowsOf(result: JsonObject, scene: SuiteScene): readonly SuiteRow[] {
  const names = [...texts(result, 'resources'), ...(text(result, 'resource') === '' ? [] : [text(result, 'resource')])];
  const policy = text(result, 'policy').split('/').at(-1) ?? '';
  const unevaluated = notEvaluated(policy, scene);
  if (unevaluated !== undefined) return [rowWithout(result, policy, names, unevaluated)];
  const meant = (it: Subject) => isOfKind(it, text(result, 'kind')) && names.some(name => isNamed(it, name, result));
  const targets = scene.targets.filter(meant).map(it => targetRow(result, policy, it, scene));
  const named = scene.subjects.filter(meant);
  const isNamedAtAll = named.length + targets.length > 0;
  const about = isNamedAtAll ? named : scene.subjects.filter(it => isOfKind(it, text(result, 'kind')));
  const rows = [...targets, ...about.map(subject => rowOf(result, policy, subject, scene))];
  if (rows.length > 0) return rows;
  const reason = scene.hasPayloads
    ? { verdict: 'undecided' as const, message: 'payloads that are no objects of a cluster are not evaluated here' }
    : { verdict: 'failed' as const, message: 'the suite has no such resource' };
  return [rowWithout(result, policy, names, reason)];
}

/** A subresource is told by its own kind. */
const isOfKind = (it: Subject, kind: string): boolean => kind === '' || it.kind === kind || it.object.kind === kind;

type Reason = Pick<SuiteRow, 'verdict' | 'message'>;

/** Why a policy that a result names says nothing here. */
function notEvaluated(policy: string, { policyObjects, policies }: SuiteScene): Reason | undefined {
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

function isNamed(subject: Subject, written: string, result: JsonObject): boolean {
  const [name = '', namespace = text(result, 'namespace')] = written.split('/').reverse();
  return subject.name === name && (namespace === '' || subject.namespace === namespace);
}

function rowOf(result: JsonObject, policy: string, subject: Subject, scene: SuiteScene): SuiteRow {
  const said = saidOrBroken(policy, () => {
    const world = worldOf(result, policy, subject, scene);
    const given = withGivenFields(subject, world.valuesOf?.(policy, subject.name) ?? {});
    return saidBy(policy, given, scene, world);
  });
  return judgedRow(result, policy, subject, said, scene);
}

/** Where Berth fails at a row the others go on. */
const saidOrBroken = (policy: string, say: () => readonly Said[]): readonly Said[] =>
  guarded(`policy ${policy}`, say, it => [{ ...it, rule: '' }]);

/** What became of an object because others came. Upstream: extractPatchedTargetFromEngineResponse. */
function targetRow(result: JsonObject, policy: string, target: Subject, scene: SuiteScene): SuiteRow {
  const isTarget = (it: { readonly target?: Subject }) =>
    it.target !== undefined && isSameName(it.target.value, target.value);
  const said = saidOrBroken(policy, () =>
    scene.subjects.flatMap(trigger => {
      const world = worldOf(result, policy, trigger, scene);
      return targetsSaidBy(policy, trigger, scene, world).filter(isTarget);
    }),
  );
  return judgedRow(result, policy, target, said, scene);
}

function worldOf(result: JsonObject, policy: string, subject: Subject, scene: SuiteScene): KyvernoWorld {
  const operation = text(result, 'operation');
  const given = withCloneSource(scene.worldFor(policy, subject.name), text(result, 'cloneSourceResource'), scene);
  return operation === '' ? given : { ...given, operation: operation as Operation };
}

function judgedRow(
  result: JsonObject,
  policy: string,
  subject: Subject,
  all: readonly Said[],
  scene: SuiteScene,
): SuiteRow {
  const rule = text(result, 'rule');
  const expected = text(result, 'result') || text(result, 'status');
  const said = all.filter(it => isRule(it.rule, rule));
  const compared = comparison(result, said, scene);
  const wrong = compared === 'left out' ? undefined : said.find(it => it.status !== expected);
  const different = wrong === undefined && typeof compared === 'object' ? compared.difference : undefined;
  const isUndecided = wrong?.status === 'undecided' || wrong?.status === 'stopped';
  return {
    policy,
    rule,
    kind: subject.kind,
    resource: subject.namespace === '' ? subject.name : `${subject.namespace}/${subject.name}`,
    expected,
    statuses: said.map(it => it.status),
    verdict: isUndecided ? 'undecided' : wrong === undefined && different === undefined ? 'passed' : 'failed',
    message: different ?? wrong?.message ?? said[0]?.message ?? 'no rule speaks about the resource',
  };
}

/** Values may set fields of the object itself. Upstream: makePolicyContext. */
function withGivenFields(subject: Subject, values: Readonly<Record<string, JsonValue>>): Subject {
  const own = Object.entries(values).filter(([name]) => name.startsWith('request.object.'));
  if (own.length === 0) return subject;
  const value = own.reduce(
    (it, [name, given]) => mergedMaps(it, nested(partsOfName(name).slice(2), given)),
    subject.value,
  );
  return { ...subjectOf(subject.object, value), subresource: subject.subresource };
}

/** A rule is also meant by what autogen makes of it. Upstream: lookupRuleResponses. */
const isRule = (name: string, wanted: string): boolean =>
  wanted === '' || name === '' || [wanted, `autogen-${wanted}`, `autogen-cronjob-${wanted}`].includes(name);

/** All mutations come first, then what is validated is their result. Upstream: ApplyPoliciesOnResource. */
function saidBy(name: string, subject: Subject, scene: SuiteScene, world: KyvernoWorld): readonly Said[] {
  const res: Said[] = [];
  let current = subject;
  for (const policy of scene.policies.policies) {
    const { subject: after, outcomes } = mutateWithPolicy(policy, current, world);
    current = after;
    if (policy.name !== name) continue;
    res.push(...outcomes.map(it => ({ ...it, objects: [after.value] })));
    res.push(...mutateExisting(policy, subject, world).map(it => ({ ...it, objects: [after.value] })));
  }
  for (const policy of scene.policies.celPolicies.filter(it => it.type === 'mutating')) {
    const outcome = mutateWithCelPolicy(policy, current, world);
    if (outcome !== undefined) current = subjectAfter(current, outcome);
    if (policy.name !== name) continue;
    if (outcome !== undefined) res.push({ ...outcome, rule: '', objects: [current.value] });
    const targets = targetsOfCelPolicy(policy, current, world);
    // The trigger itself stays as it is, so that nothing is compared with it.
    res.push(...targets.map(it => ({ ...it, rule: '', objects: [{}] })));
  }
  for (const policy of scene.policies.policies.filter(it => it.name === name)) {
    const warns = !isScored(policy);
    const validated = [
      ...verifyImagesWithPolicy(policy, current, world),
      ...validateWithPolicy(policy, current, world),
    ];
    res.push(
      ...validated.map(it => ({ ...it, status: warns && it.status === 'fail' ? ('warn' as const) : it.status })),
    );
    res.push(...generateWithPolicy(policy, current, world));
  }
  const own = scene.policies.celPolicies.filter(it => it.name === name);
  return [...res, ...own.flatMap(it => saidByCelPolicy(it, current, world) ?? [])];
}

/** What becomes of existing objects, each with its target. */
function targetsSaidBy(
  name: string,
  trigger: Subject,
  { policies }: SuiteScene,
  world: KyvernoWorld,
): readonly (Said & { readonly target?: Subject })[] {
  const objectsOf = ({ value }: MutateOutcome) => (value === undefined ? [] : [value]);
  const ofRules = policies.policies
    .filter(it => it.name === name)
    .flatMap(it => mutateExisting(it, trigger, world))
    .map(it => ({ ...it, objects: objectsOf(it) }));
  const ofPolicies = policies.celPolicies
    .filter(it => it.name === name && it.type === 'mutating')
    .flatMap(it => targetsOfCelPolicy(it, trigger, world))
    .map(it => ({ ...it, rule: '', objects: objectsOf(it) }));
  return [...ofRules, ...ofPolicies];
}

function saidByCelPolicy(policy: CelPolicy, subject: Subject, world: KyvernoWorld): Said | undefined {
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

/** A suite names the file of what is cloned, as it has no cluster. */
function withCloneSource(world: KyvernoWorld, path: string, scene: SuiteScene): KyvernoWorld {
  if (path === '') return world;
  const sources = scene.objectsAt(path);
  const isOf = (it: JsonObject, apiVersion: string, kind: string) => it.apiVersion === apiVersion && it.kind === kind;
  const objectsOf = (apiVersion: string, kind: string) => [
    ...world.objectsOf(apiVersion, kind),
    ...sources.filter(it => isOf(it, apiVersion, kind)),
  ];
  return { ...world, objectsOf };
}

/**
 * Whether the objects that are expected are those that were made. One that the expected file does not name is left out,
 * whatever was said of it, unless the suite wants it to be there. Upstream: checkResult.
 */
function comparison(
  result: JsonObject,
  said: readonly Said[],
  scene: SuiteScene,
): 'same' | 'left out' | { readonly difference: string } {
  const files = ['patchedResource', 'patchedResources', 'generatedResource'].flatMap(it => text(result, it) || []);
  const expected = [...files, ...texts(result, 'generatedResources')].flatMap(it => scene.objectsAt(it));
  const made = said.flatMap(it => it.objects ?? []);
  if (expected.length === 0 || made.length === 0) return 'same';
  const named = made.filter(it => expected.some(other => isSameName(it, other)));
  if (named.length === 0 && result.failOnMissingResources !== true) return 'left out';
  const missing = named.find(it => !expected.some(other => isSameObject(it, other)));
  if (missing === undefined) return 'same';
  const name = `${text(missing, 'kind')} ${text(record(missing, 'metadata'), 'name')}`;
  return { difference: `${name} is not as the suite expects it: ${JSON.stringify(missing)}` };
}

const idOf = (it: JsonObject): readonly string[] => {
  const metadata = record(it, 'metadata');
  return [text(it, 'kind'), text(metadata, 'name'), text(metadata, 'namespace') || 'default'];
};

const isSameName = (a: JsonObject, b: JsonObject): boolean => idOf(a).join('/') === idOf(b).join('/');

/** A namespace that is not written counts as `default`, and what is empty as missing. Upstream: resource.Compare. */
function isSameObject(a: JsonObject, b: JsonObject): boolean {
  const plain = (it: JsonObject) => tidy({ ...it, metadata: { namespace: 'default', ...record(it, 'metadata') } });
  return deepEqual(plain(a), plain(b));
}

function tidy(value: JsonValue): JsonValue | undefined {
  if (value === null) return undefined;
  if (isList(value)) {
    const items = value.flatMap(it => tidy(it) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (!isMap(value)) return value;
  const entries = Object.entries(value).flatMap(([key, it]): [string, JsonValue][] => {
    const inner = tidy(it);
    return inner === undefined ? [] : [[key, inner]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
