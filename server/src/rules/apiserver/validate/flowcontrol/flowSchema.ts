import type { JsonObject } from '../../../../base/json';
import {
  flag,
  type GoFields,
  get,
  has,
  int,
  mapField,
  record,
  records,
  text,
  texts,
  withField,
} from '../../../../kube/goFields';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, invalids, type KindStrategy, notSupported, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { nameOf } from '../metadata';
import { dropStatus } from '../shared/drops';
import { MANDATORY_SCHEMAS } from './mandatory';
import { isSameValue } from './sameSpec';

const SPEC = FieldPath.of('spec');

/** Upstream: pkg/registry/flowcontrol/flowschema and flowcontrol validation.ValidateFlowSchema. */
export const flowSchema: KindStrategy = {
  defaults: object =>
    mapField(object, 'spec', spec =>
      int(spec, 'matchingPrecedence') === 0 ? withField(spec, 'matchingPrecedence', 1000) : spec,
    ),
  drop: dropStatus,
  validate: object => {
    const name = nameOf(record(object, 'metadata'));
    const spec = record(object, 'spec') ?? { matchingPrecedence: 1000 };
    return [
      ...validateKindMeta(object, 'flowcontrol.apiserver.k8s.io/FlowSchema'),
      ...specErrors(spec, name),
      ...mandatoryErrors(spec, name),
    ];
  },
};

const MOST = 10_000;

function* specErrors(spec: JsonObject, name: string): Iterable<FieldError> {
  const precedence = int(spec, 'matchingPrecedence');
  const at = SPEC.child('matchingPrecedence');
  if (precedence <= 0) yield invalid(at, precedence, 'must be a positive value');
  if (precedence > MOST) yield invalid(at, precedence, `must not be greater than ${MOST}`);
  if (precedence === 1 && name !== 'exempt') {
    yield invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1");
  }
  const method = record(spec, 'distinguisherMethod');
  const methods = ['ByNamespace', 'ByUser'];
  if (method !== undefined && !methods.includes(text(method, 'type'))) {
    yield notSupported(SPEC.child('distinguisherMethod', 'type'), text(method, 'type'), methods);
  }
  const level = text(record(spec, 'priorityLevelConfiguration'), 'name');
  const levelAt = SPEC.child('priorityLevelConfiguration', 'name');
  if (level === '') yield required(levelAt, 'must reference a priority level');
  else yield* invalids(levelAt, level, dns1123SubdomainErrors(level));
  for (const [i, rule] of records(spec, 'rules').entries()) yield* ruleErrors(rule, SPEC.child('rules').index(i));
}

function mandatoryErrors(spec: JsonObject, name: string): readonly FieldError[] {
  const fixed = Object.hasOwn(MANDATORY_SCHEMAS, name) ? MANDATORY_SCHEMAS[name] : undefined;
  if (fixed === undefined || isSameValue(spec, fixed)) return [];
  return [invalid(SPEC, spec, `spec of '${name}' must equal the fixed value`)];
}

/** Upstream: ValidateFlowSchemaPolicyRulesWithSubjects. */
function* ruleErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  const subjects = records(rule, 'subjects');
  if (subjects.length === 0) yield required(at.child('subjects'), 'subjects must contain at least one value');
  for (const [i, it] of subjects.entries()) yield* subjectErrors(it, at.child('subjects').index(i));
  const resourceRules = records(rule, 'resourceRules');
  const otherRules = records(rule, 'nonResourceRules');
  if (resourceRules.length + otherRules.length === 0) {
    yield required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty');
  }
  for (const [i, it] of resourceRules.entries()) yield* resourceRuleErrors(it, at.child('resourceRules').index(i));
  for (const [i, it] of otherRules.entries()) yield* otherRuleErrors(it, at.child('nonResourceRules').index(i));
}

const SUBJECTS = [
  { kind: 'Group', field: 'group' },
  { kind: 'ServiceAccount', field: 'serviceAccount' },
  { kind: 'User', field: 'user' },
];

/** Upstream: ValidateFlowSchemaSubject. */
function* subjectErrors(subject: JsonObject, at: FieldPath): Iterable<FieldError> {
  const kind = text(subject, 'kind');
  const own = SUBJECTS.find(it => it.kind === kind);
  if (own === undefined) {
    yield notSupported(
      at.child('kind'),
      kind,
      SUBJECTS.map(it => it.kind),
    );
    return;
  }
  const body = record(subject, own.field);
  const bodyAt = at.child(own.field);
  if (body === undefined) yield required(bodyAt, `${own.field} is required when subject kind is '${kind}'`);
  else if (kind === 'ServiceAccount') yield* accountErrors(body, bodyAt);
  else if (text(body, 'name') === '') yield required(bodyAt.child('name'));
  for (const other of SUBJECTS) {
    if (other === own || !has(subject, other.field)) continue;
    const detail = `${other.field} is forbidden when subject kind is not '${other.kind}'`;
    yield forbidden(at.child(other.field), detail);
  }
}

/** Upstream: ValidateServiceAccountSubject. */
function* accountErrors(account: GoFields, at: FieldPath): Iterable<FieldError> {
  const [name, namespace] = [text(account, 'name'), text(account, 'namespace')];
  if (name === '') yield required(at.child('name'));
  else if (name !== '*') yield* invalids(at.child('name'), name, dns1123SubdomainErrors(name));
  if (namespace === '') yield required(at.child('namespace'), 'must specify namespace for service account');
  else yield* invalids(at.child('namespace'), namespace, dns1123LabelErrors(namespace));
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function* verbErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  const verbs = texts(rule, 'verbs');
  if (verbs.length === 0) yield required(at.child('verbs'), 'verbs must contain at least one value');
  else if (verbs.includes('*')) yield* onlyWildcard(verbs, at.child('verbs'), 'other verbs');
  else if (!verbs.every(it => VERBS.includes(it))) {
    yield { ...notSupported(at.child('verbs'), null, VERBS), value: get(rule, 'verbs') ?? [] };
  }
}

function* onlyWildcard(items: readonly string[], at: FieldPath, what: string): Iterable<FieldError> {
  if (items.length > 1 && items.includes('*')) {
    yield invalid(at, items, `if '*' is present, must not specify ${what}`);
  }
}

/** Upstream: ValidateFlowSchemaResourcePolicyRule. */
function* resourceRuleErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* verbErrors(rule, at);
  const lists = [
    { field: 'apiGroups', one: 'api group', others: 'other api groups' },
    { field: 'resources', one: 'resource', others: 'other resources' },
  ];
  for (const { field, one, others } of lists) {
    const items = texts(rule, field);
    if (items.length === 0) yield required(at.child(field), `resource rules must supply at least one ${one}`);
    yield* onlyWildcard(items, at.child(field), others);
  }
  const namespaces = texts(rule, 'namespaces');
  const namespacesAt = at.child('namespaces');
  if (namespaces.length === 0 && flag(rule, 'clusterScope') !== true) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    yield required(namespacesAt, detail);
  } else if (namespaces.includes('*')) yield* onlyWildcard(namespaces, namespacesAt, 'other namespaces');
  else {
    const rule = "each member of this list must be '*' or a DNS-1123 label; ";
    for (const [i, namespace] of namespaces.entries()) {
      yield* invalids(
        namespacesAt.index(i),
        namespace,
        dns1123LabelErrors(namespace).map(it => rule + it),
      );
    }
  }
}

/** Upstream: ValidateFlowSchemaNonResourcePolicyRule. */
function* otherRuleErrors(rule: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* verbErrors(rule, at);
  const urls = texts(rule, 'nonResourceURLs');
  const urlsAt = at.child('nonResourceURLs');
  if (urls.length === 0) yield required(urlsAt, 'nonResourceURLs must contain at least one value');
  else if (urls.includes('*')) yield* onlyWildcard(urls, urlsAt, 'other non-resource URLs');
  else {
    for (const [i, url] of urls.entries()) {
      const problem = urlProblem(url);
      if (problem !== undefined) yield invalid(urlsAt.index(i), url, problem);
    }
  }
}

/** Upstream: ValidateNonResourceURLPath. */
function urlProblem(path: string): string | undefined {
  if (path === '') return 'must not be empty';
  if (!path.startsWith('/')) return 'must start with slash';
  if (path.includes(' ')) return 'must not contain white-space';
  if (path.includes('//')) return 'must not contain double slash';
  const wildcards = path.split('*').length - 1;
  return wildcards > 1 || (wildcards === 1 && !path.endsWith('/*'))
    ? 'wildcard can only do suffix matching'
    : undefined;
}
