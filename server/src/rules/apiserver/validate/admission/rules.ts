import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { type GoFields, optionalText, record, records, text, texts } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, invalid, notSupported, required } from '../errors';
import { pathSegmentErrors, validateLabelSelector } from '../metadata';
import { oneOfIfSet } from '../shared/checks';

/** What webhooks and policies match. Upstream: pkg/apis/admissionregistration/validation. */

export const FAILURE_POLICIES = ['Fail', 'Ignore'];
export const MATCH_POLICIES = ['Equivalent', 'Exact'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];
const OPERATIONS = ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const MUTATING_OPERATIONS = OPERATIONS.filter(it => it !== 'DELETE');

/** Upstream: validateRuleWithOperations. */
export function* ruleErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  const operations = texts(rule, 'operations');
  yield* requiredList(operations, at.child('operations'), "if '*' is present, must not specify other operations");
  for (const [i, it] of operations.entries()) {
    if (!OPERATIONS.includes(it)) yield notSupported(at.child('operations').index(i), it, OPERATIONS);
  }
  const only = (what: string) => `if '*' is present, must not specify other API ${what}`;
  yield* requiredList(texts(rule, 'apiGroups'), at.child('apiGroups'), only('groups'));
  const versions = texts(rule, 'apiVersions');
  yield* requiredList(versions, at.child('apiVersions'), only('versions'));
  for (const [i, it] of versions.entries()) if (it === '') yield required(at.child('apiVersions').index(i));
  yield* resourceErrors(texts(rule, 'resources'), at.child('resources'));
  yield* oneOfIfSet(rule, 'scope', at.child('scope'), SCOPES);
}

/** A list that needs an entry, of which `*` stands alone. */
function* requiredList(items: readonly string[], at: FieldPath, onlyOne: string): Iterable<FieldError> {
  if (items.length === 0) yield required(at);
  if (items.length > 1 && items.includes('*')) yield invalid(at, items, onlyOne);
}

/** Upstream: validateResources, which asks the last name without a slash alone whether `*` has others beside it. */
function* resourceErrors(resources: readonly string[], at: FieldPath): Iterable<FieldError> {
  if (resources.length === 0) yield required(at);
  const wholes = new Set<string>();
  const subs = new Set<string>();
  let plain: string | undefined;
  for (const [i, it] of resources.entries()) {
    const slash = it.indexOf('/');
    if (it === '') yield required(at.index(i));
    else if (slash < 0) plain = it;
    else {
      const [resource, sub] = [it.slice(0, slash), it.slice(slash + 1)];
      if (wholes.has(resource)) yield invalid(at.index(i), it, `if '${resource}/*' is present, must not specify ${it}`);
      if (subs.has(sub)) yield invalid(at.index(i), it, `if '*/${sub}' is present, must not specify ${it}`);
      if (sub === '*') wholes.add(resource);
      if (resource === '*') subs.add(sub);
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    yield invalid(at, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && plain !== '*') {
    yield invalid(at, resources, "if '*' is present, must not specify other resources without subresources");
  }
}

/** Upstream: validateMatchResources, after defaults. */
export function* matchResourcesErrors(match: GoFields, at: FieldPath): Iterable<FieldError> {
  if (match === undefined) return;
  yield* oneOfIfSet(match, 'matchPolicy', at.child('matchPolicy'), MATCH_POLICIES);
  yield* validateLabelSelector(record(match, 'namespaceSelector'), at.child('namespaceSelector'));
  yield* validateLabelSelector(record(match, 'objectSelector'), at.child('objectSelector'));
  for (const list of ['resourceRules', 'excludeResourceRules']) {
    for (const [i, rule] of records(match, list).entries()) yield* namedRuleErrors(rule, at.child(list).index(i));
  }
}

/** Upstream: validateNamedRuleWithOperations. */
function* namedRuleErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  const names = texts(rule, 'resourceNames');
  const repeated = repeatedAt(names);
  for (const [i, name] of names.entries()) {
    const nameAt = at.child('resourceNames').index(i);
    for (const it of pathSegmentErrors(name)) yield invalid(nameAt, name, it);
    if (repeated.has(i)) yield duplicate(nameAt, name);
  }
  yield* ruleErrors(rule, at);
}

/** Operations that mutating policies do not see; the path has no indexes, as in upstream. */
export function* mutatingOperationErrors(match: GoFields, at: FieldPath): Iterable<FieldError> {
  const operationsAt = at.child('resourceRules', 'operations');
  for (const operation of records(match, 'resourceRules').flatMap(it => texts(it, 'operations'))) {
    if (!MUTATING_OPERATIONS.includes(operation)) yield notSupported(operationsAt, operation, MUTATING_OPERATIONS);
  }
}

/** Upstream: ValidateStaticSuffix. */
export function* reservedNameErrors(name: string, at: FieldPath): Iterable<FieldError> {
  if (!name.endsWith(RESERVED_SUFFIX)) return;
  yield invalid(at, name, RESERVED);
}

/** Upstream: WarningsForStaticSuffix. */
export function reservedNameWarnings(name: string): readonly string[] {
  return name.endsWith(RESERVED_SUFFIX) ? [`metadata.name: ${RESERVED}`] : [];
}

const RESERVED_SUFFIX = '.static.k8s.io';
const RESERVED =
  'names ending with ".static.k8s.io" are reserved for static manifest-based configurations and cannot be managed ' +
  'via the API';

/** A field that has a default, unless a name that is not supported is written. */
export function* policyErrors(
  of: GoFields,
  field: string,
  at: FieldPath,
  choices: readonly string[],
): Iterable<FieldError> {
  const value = optionalText(of, field);
  if (value !== undefined && !choices.includes(value)) yield notSupported(at.child(field), text(of, field), choices);
}
