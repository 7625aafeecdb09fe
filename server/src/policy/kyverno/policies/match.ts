import type { JsonObject, JsonValue } from '../../../base/json';
import { lazyByObject } from '../../../base/lazy';
import { hasWildcard, matchesAnyWildcard, matchesWildcard } from '../../../base/wildcard';
import { record, records, text, texts } from '../../../kube/goFields';
import { labelMatcher } from '../../../kube/labelSelector';
import type { LabelSelector, StringMap } from '../../../kube/types';
import { isMap } from '../go/goValues';
import { type Operation, type RequestInfo, type Resource, textsOf } from '../resource/resource';
import { type Filter, filtersOf, type RuleFields } from './policy';

/** The part of a request that filters use beside the resource. */
export interface MatchContext {
  readonly operation: Operation;
  /** Labels of the resource's namespace; undefined when unknown. */
  readonly namespaceLabels?: StringMap;
  /** Without it, filters by user match everybody and exclude nobody. */
  readonly user?: RequestInfo;
}

/** Whether a rule matches a resource. Upstream: utils.MatchesResourceDescription. */
export function isMatched(rule: RuleFields, resource: Resource, matchContext: MatchContext): boolean {
  const match = readGroup(record(rule, 'match') ?? NO_BLOCK);
  const who = matchContext.user === undefined ? 'everybody' : 'user';
  const wanted = (it: ReadFilter) => matchesFilter(it, resource, matchContext, who);
  if (!(match.mode === 'any' ? match.filters.some(wanted) : match.filters.every(wanted))) return false;
  const exclude = readGroup(record(rule, 'exclude') ?? NO_BLOCK);
  const excluded = (it: ReadFilter) => matchesFilter(it, resource, matchContext, 'user');
  return !(exclude.mode === 'all' ? exclude.filters.every(excluded) : exclude.filters.some(excluded));
}

const NO_BLOCK: JsonObject = {};

/** A quick, conservative test: false only when a resource certainly does not match. */
export type ResourcePredicate = (resource: Resource) => boolean;

/** The quick test of a rule for resources of the kind of `one`; undefined when the rule matches none of them. */
export function predicateFor(rule: RuleFields, one: Resource): ResourcePredicate | undefined {
  const { mode, filters } = filtersOf(record(rule, 'match') ?? {});
  const predicates = filters.map(it => predicateForResources(record(it, 'resources'), one));
  const possible = predicates.filter(it => it !== undefined);
  if (mode === 'any') return possible.length === 0 ? undefined : it => possible.some(predicate => predicate(it));
  return possible.length < predicates.length ? undefined : it => possible.every(look => look(it));
}

function predicateForResources(resources: JsonObject | undefined, one: Resource): ResourcePredicate | undefined {
  const kinds = texts(resources, 'kinds');
  if (kinds.length > 0 && !kinds.some(it => isKind(it, one))) return undefined;
  const names = exactly(texts(resources, 'names'));
  const namespaces = exactly(texts(resources, 'namespaces'));
  return ({ kind, name, namespace }) =>
    (names?.has(name) ?? true) && (namespaces?.has(kind === 'Namespace' ? name : namespace) ?? true);
}

/** undefined for patterns that may match any text. */
const exactly = (patterns: readonly string[]): ReadonlySet<string> | undefined =>
  patterns.length === 0 || patterns.some(hasWildcard) ? undefined : new Set(patterns);

/** Whether an exception's filters match; one or all of them have to. Upstream: utils.checkMatchesResources. */
export function isExcepted(match: JsonObject, resource: Resource, matchContext: MatchContext): boolean {
  const { mode, filters } = readGroup(match);
  const holds = (it: ReadFilter) => matchesFilter(it, resource, matchContext, 'user');
  return mode !== 'only' && (mode === 'any' ? filters.some(holds) : filters.every(holds));
}

/** A filter whose fields have been read. */
interface ReadFilter {
  /** Whether `resources` is there. */
  readonly hasResources: boolean;
  readonly operations: readonly string[];
  readonly kinds: readonly KindSelector[];
  readonly name: string;
  readonly names: readonly string[];
  readonly namespaces: readonly string[];
  readonly annotations: StringMap;
  readonly selector: JsonValue | undefined;
  readonly namespaceSelector: JsonValue | undefined;
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  readonly subjects: readonly JsonObject[];
  /** Whether it says anything about users. */
  readonly hasUser: boolean;
}

/** By the block: a rule is asked about many resources. */
const readGroup = lazyByObject((block: JsonObject) => {
  const { mode, filters } = filtersOf(block);
  return { mode, filters: filters.map(readFilter) };
});

const userFields = ['subjects', 'roles', 'clusterRoles'] as const;

function readFilter(filter: Filter): ReadFilter {
  const resources = record(filter, 'resources') ?? {};
  return {
    hasResources: Object.keys(resources).length > 0,
    operations: texts(resources, 'operations'),
    kinds: texts(resources, 'kinds').map(parseKind),
    name: text(resources, 'name'),
    names: texts(resources, 'names'),
    namespaces: texts(resources, 'namespaces'),
    annotations: textsOf(resources.annotations),
    selector: resources.selector,
    namespaceSelector: resources.namespaceSelector,
    roles: texts(filter, 'roles'),
    clusterRoles: texts(filter, 'clusterRoles'),
    subjects: records(filter, 'subjects'),
    hasUser: userFields.some(it => records(filter, it).length + texts(filter, it).length > 0),
  };
}

/** An empty filter matches nothing. Upstream: doesResourceMatchConditionBlock. */
function matchesFilter(
  filter: ReadFilter,
  resource: Resource,
  matchContext: MatchContext,
  who: 'user' | 'everybody',
): boolean {
  const isForAll = who === 'everybody';
  if (!filter.hasResources && (isForAll || !filter.hasUser)) return false;
  return matchesResources(filter, resource, matchContext) && (isForAll || matchesUser(filter, matchContext.user));
}

function matchesResources(filter: ReadFilter, resource: Resource, matchContext: MatchContext): boolean {
  const { operations, kinds, names, namespaces, annotations, selector } = filter;
  const { name } = resource;
  return (
    (operations.length === 0 || operations.includes(matchContext.operation)) &&
    (kinds.length === 0 || kinds.some(it => isOfKind(it, resource))) &&
    (filter.name === '' || matchesWildcard(filter.name, name)) &&
    (names.length === 0 || matchesAnyWildcard(names, name)) &&
    (namespaces.length === 0 ||
      matchesAnyWildcard(namespaces, resource.kind === 'Namespace' ? name : resource.namespace)) &&
    hasAnnotations(annotations, resource) &&
    (selector === undefined || hasLabels(selector, resource.labels)) &&
    isInNamespace(filter.namespaceSelector, resource, matchContext)
  );
}

function isInNamespace(
  selector: JsonValue | undefined,
  { kind }: Resource,
  { namespaceLabels = {} }: MatchContext,
): boolean {
  if (selector === undefined) return true;
  return kind !== 'Namespace' && hasLabels(selector, namespaceLabels);
}

/** Upstream: match.CheckKind. */
export const isKind = (written: string, resource: Resource): boolean => isOfKind(parseKind(written), resource);

function isOfKind(wanted: KindSelector, { group, version, kind, subresource }: Resource): boolean {
  if (!matchesWildcard(wanted.group, group) || !matchesWildcard(wanted.version, version)) return false;
  return matchesWildcard(wanted.kind, kind) && matchesWildcard(wanted.subresource, subresource);
}

interface KindSelector {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
}

const isVersion = (it: string): boolean => /^(v\d+((alpha|beta)\d+)?|\*)$/.test(it);

/** `Pod`, `v1/Pod`, `apps/v1/Deployment`, `Pod/exec`, `apps/v1/Deployment/scale`, `*`. Upstream: kube.ParseKindSelector. */
export function parseKind(written: string): KindSelector {
  if (!/[/.]/.test(written)) return { group: '*', version: '*', kind: written, subresource: '' };
  const parts = written.split('/');
  const [a = '', b = '', c = '', d = ''] = [...parts.slice(0, -1), ...(parts.at(-1) ?? '').split('.')];
  const length = parts.length - 1 + (parts.at(-1) ?? '').split('.').length;
  const any = { group: '*', version: '*', subresource: '' };
  if (length === 2 && a === '*' && b === '*') return { ...any, kind: '*', subresource: '*' };
  if (length === 2 && a === '*' && b.toLowerCase() === b) return { ...any, kind: a, subresource: b };
  if (length === 2) return isVersion(a) ? { ...any, version: a, kind: b } : { ...any, kind: a, subresource: b };
  if (length === 3) {
    return isVersion(a)
      ? { group: '*', version: a, kind: b, subresource: c }
      : { group: a, version: b, kind: c, subresource: '' };
  }
  return length === 4
    ? { group: a, version: b, kind: c, subresource: d }
    : { group: '', version: '', kind: '', subresource: '' };
}

/** Upstream: match.CheckAnnotations. */
function hasAnnotations(wanted: StringMap, resource: Pick<Resource, 'annotations'>): boolean {
  return Object.entries(wanted).every(([key, value]) =>
    Object.entries(resource.annotations).some(([name, it]) => matchesWildcard(key, name) && matchesWildcard(value, it)),
  );
}

/** Whether labels match a selector, with wildcards in `matchLabels`. Upstream: match.CheckSelector. */
export function hasLabels(selector: JsonValue, labels: StringMap): boolean {
  if (!isMap(selector)) return false;
  const exact = Object.entries(textsOf(selector.matchLabels)).map(([key, value]) => expandLabel(key, value, labels));
  const expanded = { ...selector, matchLabels: Object.fromEntries(exact) };
  const matcher = labelMatcher(expanded as unknown as LabelSelector);
  return matcher.error === undefined && matcher.matches(labels);
}

function expandLabel(key: string, value: string, labels: StringMap): readonly [string, string] {
  if (!hasWildcard(key) && !hasWildcard(value)) return [key, value];
  const found = Object.entries(labels).find(([name, it]) => matchesWildcard(key, name) && matchesWildcard(value, it));
  return found ?? [key.replace(/[*?]/g, '0'), value.replace(/[*?]/g, '0')];
}

/** Upstream: match.CheckSubjects and the roles. */
function matchesUser({ roles, clusterRoles, subjects }: ReadFilter, user: RequestInfo | undefined): boolean {
  return (
    (roles.length === 0 || roles.some(it => user?.roles.includes(it))) &&
    (clusterRoles.length === 0 || clusterRoles.some(it => user?.clusterRoles.includes(it))) &&
    (subjects.length === 0 || subjects.some(it => isSubject(it, user)))
  );
}

function isSubject(subject: JsonObject, user: RequestInfo | undefined): boolean {
  const name = text(subject, 'name');
  const { username = '', groups = [] } = user ?? {};
  switch (text(subject, 'kind')) {
    case 'ServiceAccount':
      return matchesWildcard(`system:serviceaccount:${text(subject, 'namespace')}:${name}`, username);
    case 'Group':
      return groups.some(it => matchesWildcard(name, it));
    case 'User':
      return matchesWildcard(name, username);
    default:
      return false;
  }
}
