import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text, texts } from '../../../kube/goFields';
import { traverse } from '../context/traverse';
import { isMap } from '../go/goValues';
import { type Filter, type KyvernoPolicy, kindsOf, type RuleFields } from './policy';

const CONTROLLERS = ['DaemonSet', 'Deployment', 'Job', 'StatefulSet', 'ReplicaSet', 'ReplicationController', 'CronJob'];
const ANNOTATION = 'pod-policies.kyverno.io/autogen-controllers';

const kindWithVersion: Readonly<Record<string, string>> = {
  DaemonSet: 'apps/v1/DaemonSet',
  Deployment: 'apps/v1/Deployment',
  Job: 'batch/v1/Job',
  StatefulSet: 'apps/v1/StatefulSet',
  ReplicaSet: 'apps/v1/ReplicaSet',
  ReplicationController: 'v1/ReplicationController',
  CronJob: 'batch/v1/CronJob',
};

/**
 * The rules of a policy for a kind: those written, and those generated from Pod rules. Upstream: autogen.ComputeRules.
 */
export function rulesFor(policy: KyvernoPolicy, kind: string): readonly RuleFields[] {
  const cached = policy.autogenRules.get(kind);
  if (cached !== undefined) return cached;
  const rules = computeRules(policy, kind);
  policy.autogenRules.set(kind, rules);
  return rules;
}

function computeRules(policy: KyvernoPolicy, kind: string): readonly RuleFields[] {
  const { rules } = policy;
  if (!controllersOf(policy).includes(kind)) return rules;
  const made = rules.flatMap(it => (kind === 'CronJob' ? cronJobRule(it) : controllerRule(it, kind)));
  return made.length === 0 ? rules : [...rules.filter(it => !isAutogen(text(it, 'name'))), ...made];
}

/** The controller kinds for which Pod rules are generated. */
export function controllersOf({ rules, annotations }: KyvernoPolicy): readonly string[] {
  if (!canMakeRules(rules)) return [];
  const wanted = annotations[ANNOTATION];
  return typeof wanted === 'string' ? wanted.split(',') : CONTROLLERS;
}

/** Upstream: autogen.CanAutoGen. */
function canMakeRules(rules: readonly RuleFields[]): boolean {
  const blocks = rules.flatMap(it =>
    [record(it, 'match'), record(it, 'exclude')].flatMap(block => (block ? [block] : [])),
  );
  const described = blocks
    .flatMap(it => [it, ...records(it, 'any'), ...records(it, 'all')])
    .map(it => record(it, 'resources') ?? {});
  const isNeeded = described.some(it => texts(it, 'kinds').some(kind => kind === 'Pod' || CONTROLLERS.includes(kind)));
  return isNeeded && !rules.some(isBarred) && described.every(isGeneral);
}

/** No rules are generated from rules that generate, or that patch by path. */
function isBarred(rule: RuleFields): boolean {
  const mutate = record(rule, 'mutate');
  const patches = [mutate, ...records(mutate, 'foreach')].map(it => text(it, 'patchesJson6902'));
  return record(rule, 'generate') !== undefined || patches.some(it => it !== '');
}

/** A Pod's name, labels and annotations differ from its controller's. Upstream: checkAutogenSupport. */
function isGeneral(resources: JsonObject): boolean {
  const kinds = texts(resources, 'kinds');
  return (
    text(resources, 'name') === '' &&
    texts(resources, 'names').length === 0 &&
    resources.selector === undefined &&
    resources.annotations === undefined &&
    !(kinds.length > 1 && containsKind(kinds, 'Pod'))
  );
}

/** Upstream: kube.ContainsKind. */
function containsKind(kinds: readonly string[], kind: string): boolean {
  return kinds.some(it => it.split('/').some(part => part === kind));
}

const isAutogen = (name: string): boolean => name.startsWith('autogen-');
const autogenName = (prefix: string, name: string): string => `${prefix}-${name}`.slice(0, 63);

function controllerRule(rule: RuleFields, kind: string): readonly RuleFields[] {
  const made = ruleForTemplate(rule, kind);
  return made === undefined ? [] : [rewritten(made, 'spec.template')];
}

function cronJobRule(rule: RuleFields): readonly RuleFields[] {
  const inner = ruleForTemplate(rule, 'CronJob');
  if (inner === undefined) return [];
  const kinds = [kindWithVersion.CronJob ?? ''];
  const made = wrapped(inner, 'jobTemplate', kinds, () => true);
  if (made === undefined) return [];
  return [
    rewritten({ ...made, name: autogenName('autogen-cronjob', text(rule, 'name')) }, 'spec.jobTemplate.spec.template'),
  ];
}

/** Upstream: generateRuleForControllers. */
function ruleForTemplate(rule: RuleFields, kind: string): RuleFields | undefined {
  const excluded = kindsOf(record(rule, 'exclude'));
  if (isAutogen(text(rule, 'name')) || !containsKind(kindsOf(record(rule, 'match')), 'Pod')) return undefined;
  if (excluded.length > 0 && !containsKind(excluded, 'Pod')) return undefined;
  const kinds = [kindWithVersion[kind] ?? kind];
  const made = wrapped(rule, 'template', kinds, it => containsKind(texts(record(it, 'resources'), 'kinds'), 'Pod'));
  return made && { ...made, name: autogenName('autogen', text(rule, 'name')) };
}

/** A rule for other kinds, with its body wrapped one level deeper. Upstream: generateRule. */
function wrapped(
  rule: RuleFields,
  key: 'template' | 'jobTemplate',
  kinds: readonly string[],
  isRenamed: (filter: Filter) => boolean,
): RuleFields | undefined {
  const body = wrappedBody(rule, key);
  if (body === undefined) return undefined;
  const exclude = record(rule, 'exclude');
  return {
    ...rule,
    ...body,
    match: renamed(record(rule, 'match') ?? {}, kinds, isRenamed, 'always'),
    ...(exclude && { exclude: renamed(exclude, kinds, isRenamed, 'where written') }),
  };
}

function renamed(
  block: JsonObject,
  kinds: readonly string[],
  isRenamed: (filter: Filter) => boolean,
  only: 'always' | 'where written',
): JsonObject {
  const withKinds = (it: JsonObject): JsonObject => ({ ...it, resources: { ...record(it, 'resources'), kinds } });
  for (const mode of ['any', 'all']) {
    const filters = records(block, mode);
    if (filters.length > 0) return { ...block, [mode]: filters.map(it => (isRenamed(it) ? withKinds(it) : it)) };
  }
  const hasKinds = texts(record(block, 'resources'), 'kinds').length > 0;
  return only === 'always' || hasKinds ? withKinds(block) : block;
}

const keptFields = ['message', 'failureAction', 'failureActionOverrides', 'allowExistingViolations'];

/** undefined for a rule from which none can be generated. */
function wrappedBody(rule: RuleFields, key: string): JsonObject | undefined {
  const inside = (it: JsonValue): JsonValue => ({ spec: { [key]: it } });
  const mutate = record(rule, 'mutate');
  if (mutate?.patchStrategicMerge !== undefined) {
    return { mutate: { patchStrategicMerge: inside(mutate.patchStrategicMerge) } };
  }
  const loops = records(mutate, 'foreach');
  if (loops.length > 0) {
    const foreach = loops.map(({ list = null, context, preconditions, patchStrategicMerge = null }) => ({
      list,
      ...(context !== undefined && { context }),
      ...(preconditions !== undefined && { preconditions }),
      patchStrategicMerge: inside(patchStrategicMerge),
    }));
    return { mutate: { foreach } };
  }
  const validate = record(rule, 'validate');
  if (validate === undefined) return rule.verifyImages === undefined ? undefined : {};
  const made = wrappedCheck(validate, inside);
  if (made === undefined) return rule.verifyImages === undefined ? undefined : {};
  return {
    validate: {
      ...Object.fromEntries(Object.entries(validate).filter(([name]) => keptFields.includes(name))),
      ...made,
    },
  };
}

function wrappedCheck(validate: JsonObject, inside: (it: JsonValue) => JsonValue): JsonObject | undefined {
  const { pattern, deny, podSecurity, anyPattern, foreach, cel } = validate;
  if (pattern !== undefined) return { pattern: inside(pattern) };
  if (deny !== undefined) return { deny };
  if (podSecurity !== undefined) return { podSecurity };
  if (Array.isArray(anyPattern)) return { anyPattern: anyPattern.map(inside) };
  if (foreach !== undefined) return { foreach };
  return cel === undefined ? undefined : { cel };
}

/** Rewrites paths in variables and expressions to lead into the template. Upstream: updateFields. */
function rewritten(rule: RuleFields, template: string): RuleFields {
  const roots = isMap(record(rule, 'validate')?.cel)
    ? ['object', 'oldObject']
    : ['request.object', 'request.oldObject'];
  const replacements = ['spec', 'metadata'].flatMap(field =>
    roots.map(root => [`${root}.${field}`, `${root}.${template}.${field}`] as const),
  );
  const rewrite = (it: string) => replacements.reduce((res, [from, to]) => res.replaceAll(from, to), it);
  return traverse(rule, '', rewrite) as RuleFields;
}
