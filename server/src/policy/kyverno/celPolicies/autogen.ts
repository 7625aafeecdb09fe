import type { JsonObject } from '../../../base/json';
import { items, record, records, text, texts } from '../../../kube/goFields';
import { traverse } from '../context/traverse';
import type { CelPolicy } from './types';

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

type Rewrite = (spec: JsonObject, template: string) => JsonObject;

const rewriteAll: Rewrite = (spec, template) => traverse(spec, '', it => rewritten(it, template)) as JsonObject;

const rewriteOf: Readonly<Record<CelPolicy['type'], Rewrite | undefined>> = {
  validating: rewriteAll,
  imageValidating: rewriteAll,
  mutating: rewriteMutations,
  generating: undefined,
  deleting: undefined,
};

/** The policies that apply a Pod policy to Pod controllers. Upstream: autogen.Autogen of vpol, mpol and ivpol. */
export function autogenPolicies(policy: CelPolicy): readonly CelPolicy[] {
  const rewrite = rewriteOf[policy.type];
  const constraints = record(policy.spec, 'matchConstraints');
  const [rule] = records(constraints, 'resourceRules');
  if (rewrite === undefined || constraints === undefined || rule === undefined || !isAboutPods(constraints)) return [];
  const podControllers = record(record(policy.spec, 'autogen'), 'podControllers');
  const wanted =
    podControllers?.controllers === undefined ? Object.keys(controllers) : texts(podControllers, 'controllers');
  const supported = wanted.filter(it => Object.hasOwn(controllers, it));
  const groups = [
    { resources: supported.filter(it => it !== 'cronjobs'), template: 'spec.template' },
    { resources: supported.filter(it => it === 'cronjobs'), template: 'spec.jobTemplate.spec.template' },
  ];
  return groups
    .filter(it => it.resources.length > 0)
    .map(({ resources, template }) => ({
      ...policy,
      spec: { ...rewrite(policy.spec, template), matchConstraints: constraintsFor(constraints, rule, resources) },
    }));
}

function constraintsFor(constraints: JsonObject, rule: JsonObject, resources: readonly string[]): JsonObject {
  const operations = texts(rule, 'operations');
  const resourceRules = resources.map(it => ({
    apiGroups: [controllers[it]?.group ?? ''],
    apiVersions: ['v1'],
    resources: [it],
    operations,
  }));
  const { namespaceSelector } = constraints;
  return { resourceRules, ...(namespaceSelector !== undefined && { namespaceSelector }) };
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

/** The controller has the same namespace as its Pods. Upstream: Replacement.Apply. */
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

/** Rewrites match conditions and mutations only. Upstream: mpol autogen.generateRuleForControllers. */
function rewriteMutations(spec: JsonObject, template: string): JsonObject {
  const expressionIn = (it: JsonObject, change: (expression: string) => string): JsonObject => ({
    ...it,
    expression: change(text(it, 'expression')),
  });
  return {
    ...spec,
    matchConditions: records(spec, 'matchConditions').map(it => expressionIn(it, at => insideTemplate(at, template))),
    mutations: records(spec, 'mutations').map(it => {
      const applied = record(it, 'applyConfiguration');
      if (applied === undefined) return it;
      return {
        ...it,
        applyConfiguration: expressionIn(applied, at => wrapped(insideTemplate(at, template), template)),
      };
    }),
  };
}

/** Upstream: convertPodToTemplateExpression. */
function insideTemplate(expression: string, template: string): string {
  return expression
    .replace(/\b(object|oldObject|Object)\.spec/g, `$1.${template}.spec`)
    .replace(/\b(object|oldObject|Object)\.metadata\.(labels|annotations)/g, `$1.${template}.metadata.$2`);
}

/** `Object{…}` as the Pod template of a controller. */
function wrapped(expression: string, template: string): string {
  const [, content] = /^\s*Object\s*\{([\s\S]*)$/.exec(expression) ?? [];
  const end = content === undefined ? -1 : closingBrace(content);
  if (content === undefined || end < 0) return expression;
  const steps = template.split('.');
  const opened = steps.map((it, i) => `${it}: Object.${steps.slice(0, i + 1).join('.')}{`).join('');
  return `Object{${opened}${content.slice(0, end)}${'}'.repeat(steps.length + 1)}${content.slice(end + 1)}`;
}

/** The position of the brace that closes the one opened before the text; -1 if there is none. */
function closingBrace(content: string): number {
  let open = 1;
  for (let i = 0; i < content.length; i++) {
    if (content[i] === '{') open += 1;
    if (content[i] === '}') open -= 1;
    if (open === 0) return i;
  }
  return -1;
}
