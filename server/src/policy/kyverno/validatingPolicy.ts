import { labelMatcher } from '../../kube/labelSelector';
import type { LabelSelector } from '../../kube/types';
import type { JsonObject, JsonValue } from '../../manifest/manifest';
import { items, record, records, text, texts } from '../../rules/apiserver/validate/read';
import type { WorkspaceObject } from '../../workspace/workspace';
import { pathOfExpression } from './cel/celRule';
import { lazyVariables } from './cel/engine';
import { celVariables } from './cel/request';
import { attempt, type RuleOutcome } from './outcome';
import type { Subject } from './subject';
import { traverse } from './substitute';
import type { KyvernoWorld } from './world';

/** A ValidatingPolicy of policies.kyverno.io, as written or as it reaches controllers. */
export interface ValidatingPolicy {
  readonly object: WorkspaceObject;
  readonly name: string;
  /** Of a NamespacedValidatingPolicy. */
  readonly namespace?: string;
  readonly spec: JsonObject;
}

const kinds: ReadonlySet<string> = new Set(['ValidatingPolicy', 'NamespacedValidatingPolicy']);

/** The policy, and those made of it for controllers; empty for an object that is none. */
export function validatingPoliciesOf(object: WorkspaceObject): readonly ValidatingPolicy[] {
  if (object.group !== 'policies.kyverno.io' || !kinds.has(object.kind)) return [];
  const { value } = object.manifest;
  const metadata = record(value, 'metadata');
  const policy: ValidatingPolicy = {
    object,
    name: text(metadata, 'name'),
    ...(object.kind === 'NamespacedValidatingPolicy' && { namespace: text(metadata, 'namespace') || 'default' }),
    spec: record(value, 'spec') ?? {},
  };
  return [policy, ...madeForControllers(policy)];
}

/** Whether the policy looks at plain JSON and not at objects of a cluster. */
const isForJson = ({ spec }: ValidatingPolicy): boolean => text(record(spec, 'evaluation'), 'mode') === 'JSON';

/** undefined where the policy does not speak about the object. */
export function validateWithValidatingPolicy(
  policy: ValidatingPolicy,
  subject: Subject,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  const judged = attempt('error', () => ({ outcome: judge(policy, subject, world) }));
  return 'value' in judged ? judged.value.outcome : judged.outcome;
}

/** Upstream: vpol engine.handlePolicy. */
function judge(policy: ValidatingPolicy, subject: Subject, world: KyvernoWorld): RuleOutcome | undefined {
  const { spec, namespace } = policy;
  if (isForJson(policy) || (namespace !== undefined && namespace !== subject.namespace)) return undefined;
  if (!matchesConstraints(record(spec, 'matchConstraints'), subject, world)) return undefined;
  const given = celVariables(subject, world);
  const excepted = exceptionOutcome(policy, given, world);
  if (excepted !== undefined) return excepted;
  const stopped = unmet(records(spec, 'matchConditions'), given, world, text(spec, 'failurePolicy'));
  if (stopped !== undefined) return stopped;
  const definitions = records(spec, 'variables').map(it => ({
    name: text(it, 'name'),
    expression: text(it, 'expression'),
  }));
  const variables = { ...given, variables: lazyVariables(definitions, world.policyCel, given) };
  for (const [index, validation] of records(spec, 'validations').entries()) {
    const expression = text(validation, 'expression');
    const result = world.policyCel.evaluate(expression, variables);
    if ('undecided' in result) return { status: 'undecided', message: result.undecided };
    if ('error' in result) return { status: 'error', message: `error: ${result.error}` };
    if (result.value === true) continue;
    if (result.value !== false) return { status: 'error', message: 'error: the expression does not give a bool' };
    const at = pathOfExpression(expression, definitions, subject);
    return { status: 'fail', message: messageOf(validation, index, variables, world), at };
  }
  return { status: 'pass', message: 'success' };
}

/** A PolicyException of policies.kyverno.io that names the policy. Upstream: Policy.evaluateWithData. */
function exceptionOutcome(
  policy: ValidatingPolicy,
  given: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): RuleOutcome | undefined {
  for (const exception of world.celExceptions) {
    const spec = record(exception, 'spec');
    const isNamed = records(spec, 'policyRefs').some(
      it => text(it, 'name') === policy.name && text(it, 'kind') === policy.object.kind,
    );
    const isWhole = items(spec, 'images').length === 0 && items(spec, 'allowedValues').length === 0;
    if (!isNamed || !isWhole || unmet(records(spec, 'matchConditions'), given, world, 'Fail') !== undefined) continue;
    const name = text(record(exception, 'metadata'), 'name');
    const isPass = text(spec, 'reportResult') === 'pass';
    return {
      status: isPass ? 'pass' : 'skip',
      message: `rule is ${isPass ? 'passed' : 'skipped'} due to policy exception: ${name}`,
    };
  }
  return undefined;
}

function unmet(
  conditions: readonly JsonObject[],
  given: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
  failurePolicy: string,
): RuleOutcome | undefined {
  const results = conditions.map(it => world.policyCel.evaluate(text(it, 'expression'), given));
  if (results.some(it => 'value' in it && it.value === false)) return { status: 'skip', message: 'skip' };
  const broken = results.find(it => !('value' in it));
  if (broken === undefined || 'value' in broken) return undefined;
  if ('undecided' in broken) return { status: 'undecided', message: broken.undecided };
  if (failurePolicy === 'Ignore') return { status: 'skip', message: 'skip' };
  return { status: 'error', message: `failed to load context: ${broken.error}` };
}

function messageOf(
  validation: JsonObject,
  index: number,
  variables: Readonly<Record<string, unknown>>,
  world: KyvernoWorld,
): string {
  const expression = text(validation, 'messageExpression');
  const plain = text(validation, 'message') || `CEL expression validation failed at index ${index}`;
  if (expression === '') return plain;
  const told = world.policyCel.evaluate(expression, variables);
  if ('error' in told) return `failed to evaluate message expression: ${told.error}`;
  return 'value' in told && typeof told.value === 'string' && told.value !== '' ? told.value : plain;
}

/** Upstream: matching.Matcher.Match, which is the API server's for admission policies. */
function matchesConstraints(constraints: JsonObject | undefined, subject: Subject, world: KyvernoWorld): boolean {
  if (constraints === undefined) return false;
  // The rules leave out most objects, so they are asked before the selectors.
  const isRuled = (it: JsonObject) => matchesRule(it, subject, world);
  if (!records(constraints, 'resourceRules').some(isRuled)) return false;
  if (records(constraints, 'excludeResourceRules').some(isRuled)) return false;
  const { namespaceSelector, objectSelector } = constraints;
  if (objectSelector !== undefined && !selects(objectSelector, subject.labels)) return false;
  return namespaceSelector === undefined || isInNamespace(namespaceSelector, subject, world);
}

const selects = (selector: JsonValue, labels: Readonly<Record<string, string>>): boolean =>
  labelMatcher(selector as unknown as LabelSelector).matches(labels);

function isInNamespace(selector: JsonValue, { kind, group, namespace, labels }: Subject, world: KyvernoWorld): boolean {
  if (kind === 'Namespace' && group === '') return selects(selector, labels);
  if (namespace === '') return true;
  return selects(selector, { 'kubernetes.io/metadata.name': namespace, ...world.namespaceLabels(namespace) });
}

/** Upstream: rules.Matcher. */
function matchesRule(rule: JsonObject, subject: Subject, world: KyvernoWorld): boolean {
  const { group, version, kind, subresource, name, namespace } = subject;
  const resource = world.resourceName(group, version, kind);
  const path = subresource === '' ? resource : `${resource}/${subresource}`;
  const [names, scope] = [texts(rule, 'resourceNames'), text(rule, 'scope')];
  const includes = (field: string, value: string) => texts(rule, field).some(it => it === '*' || it === value);
  return (
    includes('operations', world.operation ?? 'CREATE') &&
    includes('apiGroups', group) &&
    includes('apiVersions', version) &&
    texts(rule, 'resources').some(
      it => it === '*/*' || it === path || (subresource === '' && it === '*') || it === `${resource}/*`,
    ) &&
    (names.length === 0 || names.includes(name)) &&
    (scope === '' || scope === '*' || (scope === 'Namespaced') === (namespace !== ''))
  );
}

interface Controller {
  readonly kind: string;
  readonly group: string;
}

const controllers: Readonly<Record<string, Controller>> = {
  daemonsets: { kind: 'DaemonSet', group: 'apps' },
  deployments: { kind: 'Deployment', group: 'apps' },
  replicasets: { kind: 'ReplicaSet', group: 'apps' },
  statefulsets: { kind: 'StatefulSet', group: 'apps' },
  jobs: { kind: 'Job', group: 'batch' },
  cronjobs: { kind: 'CronJob', group: 'batch' },
};

/** What a policy about Pods asks of what makes them. Upstream: vpol autogen.Autogen. */
function madeForControllers(policy: ValidatingPolicy): readonly ValidatingPolicy[] {
  const constraints = record(policy.spec, 'matchConstraints');
  const [rule] = records(constraints, 'resourceRules');
  if (constraints === undefined || rule === undefined || !isAboutPods(constraints)) return [];
  const podControllers = record(record(policy.spec, 'autogen'), 'podControllers');
  const wanted =
    podControllers?.controllers === undefined ? Object.keys(controllers) : texts(podControllers, 'controllers');
  const known = wanted.filter(it => Object.hasOwn(controllers, it));
  const groups = [
    { resources: known.filter(it => it !== 'cronjobs'), template: 'spec.template' },
    { resources: known.filter(it => it === 'cronjobs'), template: 'spec.jobTemplate.spec.template' },
  ];
  return groups
    .filter(it => it.resources.length > 0)
    .map(({ resources, template }) => ({
      ...policy,
      spec: madeSpec(policy.spec, constraints, rule, resources, template),
    }));
}

function madeSpec(
  spec: JsonObject,
  constraints: JsonObject,
  rule: JsonObject,
  resources: readonly string[],
  template: string,
): JsonObject {
  const operations = texts(rule, 'operations');
  const resourceRules = resources.map(it => ({
    apiGroups: [controllers[it]?.group ?? ''],
    apiVersions: ['v1'],
    resources: [it],
    operations,
  }));
  const { namespaceSelector } = constraints;
  const matchConstraints = { resourceRules, ...(namespaceSelector !== undefined && { namespaceSelector }) };
  return { ...(traverse(spec, '', it => rewritten(it, template)) as JsonObject), matchConstraints };
}

/** Upstream: autogen.CanAutoGen. */
function isAboutPods(constraints: JsonObject): boolean {
  const selector = record(constraints, 'objectSelector');
  const rules = records(constraints, 'resourceRules');
  const [rule] = rules;
  const isOnly = (field: string, value: string) => texts(rule, field).length === 1 && texts(rule, field)[0] === value;
  return (
    Object.keys(record(selector, 'matchLabels') ?? {}).length === 0 &&
    items(selector, 'matchExpressions').length === 0 &&
    items(constraints, 'excludeResourceRules').length === 0 &&
    rules.length === 1 &&
    texts(rule, 'resourceNames').length === 0 &&
    isOnly('apiGroups', '') &&
    isOnly('apiVersions', 'v1') &&
    isOnly('resources', 'pods')
  );
}

/** A namespace is that of the controller, too. Upstream: Replacement.Apply. */
function rewritten(written: string, template: string): string {
  const fields = ['spec', 'metadata'];
  const roots = ['object', 'oldObject'];
  return fields.reduce(
    (res, field) =>
      roots.reduce(
        (inner, root) =>
          inner.replace(
            new RegExp(`${root}\\.${field}(?!\\.namespace(?![A-Za-z0-9_]))`, 'g'),
            `${root}.${template}.${field}`,
          ),
        res,
      ),
    written,
  );
}
