import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text, texts } from '../../../kube/goFields';
import type { Operation, RequestInfo, Resource } from '../resource/resource';

/** The values of a suite. Upstream: cli.kyverno.io Values. */
export interface SuiteValues {
  valuesOf(policy: string, object: string): Readonly<Record<string, JsonValue>>;
  ruleValuesOf(policy: string, rule: string): Readonly<Record<string, JsonValue>>;
  namespace(name: string): JsonObject | undefined;
  operation(policy: string, object: string): Operation;
}

const operations: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

export function suiteValues(values: JsonObject | undefined): SuiteValues {
  const policyNamed = (name: string) => records(values, 'policies').find(it => text(it, 'name') === name);
  const valuesOf = (policy: string, object: string) => {
    const own = records(policyNamed(policy), 'resources').find(it => text(it, 'name') === object);
    return { ...record(values, 'globalValues'), ...record(own, 'values') };
  };
  return {
    valuesOf,
    ruleValuesOf: (policy, rule) => {
      const names = [rule, rule.replace(/^autogen-(cronjob-)?/, '')];
      const found = records(policyNamed(policy), 'rules').find(it => names.includes(text(it, 'name')));
      const ofLoops = Object.entries(record(found, 'foreachValues') ?? {}).map(([key, it]) => [
        key,
        Array.isArray(it) ? (it[0] ?? null) : it,
      ]);
      return { ...record(found, 'values'), ...Object.fromEntries(ofLoops) };
    },
    namespace: name => namespaceIn(values, name),
    operation: (policy, object) => {
      const operation = valuesOf(policy, object)['request.operation'];
      return typeof operation === 'string' && operations.has(operation) ? (operation as Operation) : 'CREATE';
    },
  };
}

function namespaceIn(values: JsonObject | undefined, name: string): JsonObject | undefined {
  const whole = records(values, 'namespaces').find(it => text(record(it, 'metadata'), 'name') === name);
  const selected = records(values, 'namespaceSelector').find(it => text(it, 'name') === name);
  if (whole !== undefined || selected === undefined) return whole;
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: record(selected, 'labels') ?? {} } };
}

/** The user of a UserInfo file; undefined when there is none. Upstream: cli.kyverno.io UserInfo. */
export function requestInfoOf(info: JsonObject | undefined): RequestInfo | undefined {
  if (info === undefined) return undefined;
  const user = record(info, 'userInfo');
  return {
    roles: texts(info, 'roles'),
    clusterRoles: texts(info, 'clusterRoles'),
    username: text(user, 'username'),
    groups: texts(user, 'groups'),
  };
}

/** An object that represents a subresource gets the kind of its parent. Upstream: ValuesSpec.Subresources. */
export function asSubresource(resource: Resource, values: JsonObject | undefined): Resource {
  const isOwn = (it: JsonObject | undefined) =>
    text(it, 'group') === resource.group &&
    text(it, 'version') === resource.version &&
    text(it, 'kind') === resource.kind;
  const found = records(values, 'subresources').find(it => isOwn(record(it, 'subresource')));
  if (found === undefined) return resource;
  const parent = record(found, 'parentResource');
  const subresource = text(record(found, 'subresource'), 'name').split('/')[1] ?? '';
  return {
    ...resource,
    group: text(parent, 'group'),
    version: text(parent, 'version'),
    kind: text(parent, 'kind'),
    subresource,
  };
}
