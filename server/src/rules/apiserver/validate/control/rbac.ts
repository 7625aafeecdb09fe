import type { JsonObject } from '../../../../base/json';
import { items, mapItems, record, records, text, withDefaults } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import {
  type FieldError,
  invalid,
  invalids,
  type KindStrategy,
  notAmong,
  notSupported,
  required,
  type Validation,
} from '../errors';
import { validateKindMeta } from '../kindMeta';
import { pathSegmentErrors, validateLabelSelector } from '../metadata';
import { subdomain } from '../shared/checks';

/** Upstream: pkg/apis/rbac/validation. */

const GROUP = 'rbac.authorization.k8s.io';
const RULES = FieldPath.of('rules');

type Scope = 'namespaced' | 'cluster';

/** Upstream: ValidateRole. */
export const roleStrategy: KindStrategy = {
  *validate(object, validation) {
    yield* validateKindMeta(object, 'rbac.authorization.k8s.io/Role');
    yield* validateRules(object, 'namespaced', validation);
  },
};

/** Upstream: ValidateClusterRole. */
export const clusterRoleStrategy: KindStrategy = {
  *validate(object, validation) {
    yield* validateKindMeta(object, 'rbac.authorization.k8s.io/ClusterRole');
    yield* validateRules(object, 'cluster', validation);
    const aggregation = record(object, 'aggregationRule');
    if (aggregation === undefined) return;
    const at = FieldPath.of('aggregationRule', 'clusterRoleSelectors');
    const selectors = records(aggregation, 'clusterRoleSelectors');
    if (selectors.length === 0) {
      yield required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
    }
    for (const [i, selector] of selectors.entries()) {
      const errors = [...validateLabelSelector(selector, at.index(i))];
      yield* errors;
      // Upstream converts the selector as well, which fails for the same reasons.
      if (errors.length > 0) yield invalid(at.index(i), null, 'invalid label selector.');
    }
  },
};

function* validateRules(role: JsonObject, scope: Scope, { kube }: Validation): Iterable<FieldError> {
  const noVerbs = applies(minorChanges.verbsRequiredDeclaratively, kube) ? '' : 'verbs must contain at least one value';
  for (const [i, rule] of records(role, 'rules').entries()) {
    if (items(rule, 'verbs').length === 0) yield required(RULES.index(i).child('verbs'), noVerbs);
    yield* validateRule(rule, scope, RULES.index(i));
  }
}

/** All but the verbs. Upstream: ValidatePolicyRule. */
function* validateRule(rule: JsonObject, scope: Scope, at: FieldPath): Iterable<FieldError> {
  const has = (field: string): boolean => items(rule, field).length > 0;
  if (has('nonResourceURLs')) {
    const urlsAt = at.child('nonResourceURLs');
    const urls = items(rule, 'nonResourceURLs');
    if (scope === 'namespaced') yield invalid(urlsAt, urls, 'namespaced rules cannot apply to non-resource URLs');
    if (['apiGroups', 'resources', 'resourceNames'].some(has)) {
      yield invalid(urlsAt, urls, 'rules cannot apply to both regular resources and non-resource URLs');
    }
    return;
  }
  if (!has('apiGroups')) yield required(at.child('apiGroups'), 'resource rules must supply at least one api group');
  if (!has('resources')) yield required(at.child('resources'), 'resource rules must supply at least one resource');
}

/** Upstream: ValidateRoleBinding. */
export const roleBindingStrategy: KindStrategy = {
  defaults: bindingWithDefaults,
  *validate(object) {
    yield* validateKindMeta(object, 'rbac.authorization.k8s.io/RoleBinding');
    yield* validateBinding(object, 'namespaced', ['Role', 'ClusterRole']);
  },
};

/** Upstream: ValidateClusterRoleBinding. */
export const clusterRoleBindingStrategy: KindStrategy = {
  defaults: bindingWithDefaults,
  *validate(object) {
    yield* validateKindMeta(object, 'rbac.authorization.k8s.io/ClusterRoleBinding');
    yield* validateBinding(object, 'cluster', ['ClusterRole']);
  },
};

/** Upstream: SetDefaults_RoleBinding and SetDefaults_Subject. */
function bindingWithDefaults(object: JsonObject): JsonObject {
  const roleRef = withDefaults(record(object, 'roleRef') ?? {}, { apiGroup: GROUP });
  return mapItems({ ...object, roleRef }, 'subjects', it =>
    ['User', 'Group'].includes(text(it, 'kind')) ? withDefaults(it, { apiGroup: GROUP }) : it,
  );
}

function* validateBinding(object: JsonObject, scope: Scope, kinds: readonly string[]): Iterable<FieldError> {
  const role = record(object, 'roleRef');
  const at = FieldPath.of('roleRef');
  const group = text(role, 'apiGroup');
  const name = text(role, 'name');
  if (group !== GROUP) yield notSupported(at.child('apiGroup'), group, [GROUP]);
  if (!kinds.includes(text(role, 'kind'))) yield notAmong(at.child('kind'), text(role, 'kind'), kinds);
  if (name === '') yield required(at.child('name'));
  else yield* invalids(at.child('name'), name, pathSegmentErrors(name));
  for (const [i, subject] of records(object, 'subjects').entries()) {
    yield* validateSubject(subject, scope, FieldPath.of('subjects').index(i));
  }
}

/** Upstream: ValidateRoleBindingSubject. */
function* validateSubject(subject: JsonObject, scope: Scope, at: FieldPath): Iterable<FieldError> {
  const kind = text(subject, 'kind');
  const name = text(subject, 'name');
  const group = text(subject, 'apiGroup');
  if (name === '') yield required(at.child('name'));
  if (kind === 'ServiceAccount') {
    if (name !== '') yield* subdomain(name, at.child('name'));
    if (group !== '') yield notSupported(at.child('apiGroup'), group, ['']);
    if (scope === 'cluster' && text(subject, 'namespace') === '') yield required(at.child('namespace'));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== GROUP) yield notSupported(at.child('apiGroup'), group, [GROUP]);
  } else yield notAmong(at.child('kind'), kind, ['ServiceAccount', 'User', 'Group']);
}
