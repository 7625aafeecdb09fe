import type { JsonObject, JsonValue } from '../../../base/json';
import { record, records, text, texts } from '../../../kube/goFields';
import { labelMatcher } from '../../../kube/labelSelector';
import type { LabelSelector } from '../../../kube/types';
import type { Resource } from '../resource/resource';
import type { KyvernoWorld } from '../world';
import type { CelPolicy } from './types';

/** Whether a policy selects a resource. */
export function selectsResource({ namespace, spec }: CelPolicy, resource: Resource, world: KyvernoWorld): boolean {
  if (namespace !== undefined && namespace !== resource.namespace) return false;
  return matchesConstraints(record(spec, 'matchConstraints'), resource, world);
}

/** Constraints that match every operation, for resources that exist already. */
export function atAnyTime(constraints: JsonObject | undefined): JsonObject {
  return {
    ...constraints,
    resourceRules: records(constraints, 'resourceRules').map(it => ({ ...it, operations: ['*'] })),
  };
}

/** Upstream: matching.Matcher.Match, which is the API server's for admission policies. */
export function matchesConstraints(
  constraints: JsonObject | undefined,
  resource: Resource,
  world: KyvernoWorld,
): boolean {
  if (constraints === undefined) return false;
  // Rules exclude most resources, so they are checked before the selectors.
  const isRuled = (it: JsonObject) => matchesRule(it, resource, world);
  if (!records(constraints, 'resourceRules').some(isRuled)) return false;
  if (records(constraints, 'excludeResourceRules').some(isRuled)) return false;
  const { namespaceSelector, objectSelector } = constraints;
  if (objectSelector !== undefined && !selects(objectSelector, resource.labels)) return false;
  return namespaceSelector === undefined || isInNamespace(namespaceSelector, resource, world);
}

const selects = (selector: JsonValue, labels: Readonly<Record<string, string>>): boolean =>
  labelMatcher(selector as unknown as LabelSelector).matches(labels);

function isInNamespace(
  selector: JsonValue,
  { kind, group, namespace, labels }: Resource,
  world: KyvernoWorld,
): boolean {
  if (kind === 'Namespace' && group === '') return selects(selector, labels);
  if (namespace === '') return true;
  return selects(selector, { 'kubernetes.io/metadata.name': namespace, ...world.namespaceLabels(namespace) });
}

/** Whether constraints name the kind of a resource, so that resources of that kind may match. */
export const namesKind = (constraints: JsonObject | undefined, one: Resource, world: KyvernoWorld): boolean =>
  records(constraints, 'resourceRules').some(it => isOfKind(it, one, world));

/** Upstream: rules.Matcher. */
function matchesRule(rule: JsonObject, resource: Resource, world: KyvernoWorld): boolean {
  const [names, scope] = [texts(rule, 'resourceNames'), text(rule, 'scope')];
  return (
    includes(rule, 'operations', world.operation ?? 'CREATE') &&
    isOfKind(rule, resource, world) &&
    (names.length === 0 || names.includes(resource.name)) &&
    (scope === '' || scope === '*' || (scope === 'Namespaced') === (resource.namespace !== ''))
  );
}

const includes = (rule: JsonObject, field: string, value: string): boolean =>
  texts(rule, field).some(it => it === '*' || it === value);

function isOfKind(rule: JsonObject, { group, version, kind, subresource }: Resource, world: KyvernoWorld): boolean {
  const resource = world.resourceName(group, version, kind);
  const path = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    includes(rule, 'apiGroups', group) &&
    includes(rule, 'apiVersions', version) &&
    texts(rule, 'resources').some(
      it => it === '*/*' || it === path || (subresource === '' && it === '*') || it === `${resource}/*`,
    )
  );
}
