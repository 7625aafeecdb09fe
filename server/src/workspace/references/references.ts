import { isObject, type JsonObject, type JsonValue } from '../../base/json';
import { ownOf } from '../../base/ownOf';
import { printed } from '../../base/printed';
import { type LabelMatcher, labelMapMatcher, labelMatcher } from '../../kube/labelSelector';
import type { LabelSelector } from '../../kube/types';
import { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../object';
import { prefixOf, stepsOf, textIn, valueAt } from './pattern';
import type { ReferenceRow, RowTarget } from './row';
import { sharedPath } from './sharedPath';
import { type PlacedRow, type RowTree, rowsOf } from './table';

export interface ObjectTarget {
  readonly to: 'object';
  readonly group: string;
  readonly kind: string;
  /** undefined for a cluster-scoped kind. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** unknown: only the reference gives the kind, so it may be cluster-scoped. */
  readonly scope: 'known' | 'unknown';
}

export type Target =
  | ObjectTarget
  /** A name inside one object: a key, a port. `names` are patterns from that object's root. */
  | { readonly to: 'part'; readonly of: ObjectTarget; readonly what: string; readonly names: readonly string[] }
  /** A name inside any object of a kind. */
  | { readonly to: 'partOfAny'; readonly group: string; readonly kind: string; readonly names: readonly string[] }
  /** A name inside the same object; `names` are patterns below `scope`. */
  | { readonly to: 'local'; readonly scope: FieldPath; readonly what: string; readonly names: readonly string[] }
  /** A name inside the Pods that a selector matches; `names` are patterns below their PodSpec. */
  | {
      readonly to: 'podPart';
      readonly pods: PodsTarget;
      readonly what: string;
      readonly names: readonly string[];
    }
  | PodsTarget;

export interface PodsTarget {
  readonly to: 'pods';
  readonly namespaces: readonly string[] | 'any';
  readonly matcher: LabelMatcher;
}

/**
 * A field of one object that refers to something. Relative to the object, so that it stays valid when the text moves.
 */
export interface Reference {
  readonly row: ReferenceRow;
  readonly at: FieldPath;
  /** '' for a selector. */
  readonly name: string;
  /** Set if a missing target does no harm. */
  readonly isOptional: boolean;
  readonly target: Target;
}

/** A reference with the object that contains it. */
export interface Use {
  readonly object: WorkspaceObject;
  readonly reference: Reference;
}

/** Whether objects of a kind may hold references. */
export function mayRefer(object: Pick<WorkspaceObject, 'group' | 'kind'>): boolean {
  return rowsOf(object) !== undefined;
}

/** Every reference of an object. `Snapshot.references` caches them by `contentId`. */
export function findReferences(object: WorkspaceObject): readonly Reference[] {
  const tree = rowsOf(object);
  if (tree === undefined) return NONE;
  const found: Reference[] = [];
  walk(tree, object.manifest.value, FieldPath.root, undefined, (placed, value, at, parent) => {
    const name = nameOf(placed, value);
    const target = name === undefined ? undefined : targetOf(placed, { object, name, value, at, parent });
    if (name === undefined || target === undefined) return;
    found.push({
      row: placed.row,
      at: sharedPath(at),
      name,
      isOptional: isOptional(placed, object, at, parent),
      target,
    });
  });
  return found.length === 0 ? NONE : found;
}

/** The possible targets of the field at a path, whatever its current value: for a field that is being typed. */
export function targetsAt(object: WorkspaceObject, at: FieldPath): readonly Target[] {
  const tree = at.segments.reduce<RowTree | undefined>(
    (it, segment) =>
      typeof segment === 'number' ? it?.items : it?.fields.get(typeof segment === 'string' ? segment : segment.key),
    rowsOf(object),
  );
  const root = object.manifest.value;
  const value = valueAt(root, at) ?? '';
  const parent = [...parentsOf(at)].map(it => valueAt(root, it)).find(isObject);
  return (tree?.rows ?? []).flatMap(
    it => targetOf(it, { object, name: typeof value === 'string' ? value : '', value, at, parent }) ?? [],
  );
}

const NONE: readonly Reference[] = [];

function* parentsOf(at: FieldPath): Iterable<FieldPath> {
  for (let it = at.parent; it !== undefined; it = it.parent) yield it;
}

type Visit = (row: PlacedRow, value: JsonValue, at: FieldPath, parent: JsonObject | undefined) => void;

/** Visits the values for which there are rows; `parent` is the nearest enclosing object. */
function walk(tree: RowTree, value: JsonValue, at: FieldPath, parent: JsonObject | undefined, visit: Visit): void {
  for (const row of tree.rows) visit(row, value, at, parent);
  if (tree.items !== undefined && Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) walk(tree.items, value[i]!, at.index(i), parent, visit);
  }
  if (tree.fields.size === 0 || !isObject(value)) return;
  for (const [name, next] of tree.fields) {
    const below = ownOf(value, name);
    if (below === undefined || below === null) continue;
    walk(next, below, name.includes('.') ? at.key(name) : at.child(name), value, visit);
  }
}

interface Written {
  readonly object: WorkspaceObject;
  readonly name: string;
  readonly value: JsonValue;
  readonly at: FieldPath;
  readonly parent: JsonObject | undefined;
}

function targetOf(placed: PlacedRow, written: Written): Target | undefined {
  const { row, part, ownerDepth = 0 } = placed;
  if (part !== undefined) {
    const of = ownerOf(placed, written, ownerDepth);
    return of?.to === 'object' ? { to: 'part', of, what: part.what, names: part.names } : undefined;
  }
  if (row.when !== undefined && !row.when.is.includes(textIn(written.parent, row.when.field) ?? '')) return undefined;
  return aimedAt(placed, written);
}

/** The object that contains the part: the target of the row itself, by the name that is given further up. */
function ownerOf({ row, depthOf }: PlacedRow, { object, at }: Written, depth: number): Target | undefined {
  const holder = prefixOf(at, depth);
  const parent = valueAt(object.manifest.value, holder);
  const field = stepsOf(row.at).at(-1) ?? '';
  const name = isObject(parent) ? textIn(parent, field) : undefined;
  if (!isObject(parent) || name === undefined) return undefined;
  return targetOf({ row, depthOf }, { object, name, value: name, at: holder.child(field), parent });
}

function aimedAt({ row: { aim }, depthOf }: PlacedRow, written: Written): Target | undefined {
  const { object, name, at } = written;
  switch (aim.to) {
    case 'object': {
      const { group, kind, scope } = aim.kind;
      if (scope === 'cluster') return { to: 'object', group, kind, namespace: undefined, name, scope: 'known' };
      const namespace = namespaceFor(aim.namespaceField, written);
      return namespace === undefined ? undefined : { to: 'object', group, kind, namespace, name, scope: 'known' };
    }
    case 'typed':
      return typedTarget(aim, written);
    case 'partOfAny':
      return { to: 'partOfAny', group: aim.kind.group, kind: aim.kind.kind, names: aim.names };
    case 'local':
      return { to: 'local', scope: sharedPath(prefixOf(at, depthOf[aim.scope])), what: aim.what, names: aim.names };
    case 'podPart': {
      const value = valueAt(object.manifest.value, FieldPath.of(...stepsOf(aim.selector))) ?? null;
      const selected = { to: 'pods', form: aim.form, namespaces: 'own' } as const;
      const pods = podsTarget(selected, { ...written, value }, object.namespace ?? 'default');
      return pods && { to: 'podPart', pods, what: aim.what, names: aim.names };
    }
    case 'pods':
      return podsTarget(aim, written, object.namespace ?? 'default');
  }
}

/** The namespace that is given beside the name, else the own one; undefined if there is none. */
function namespaceFor(field: string | undefined, { object, parent }: Written): string | undefined {
  if (field === undefined) return object.namespace ?? 'default';
  return textIn(parent, field) ?? object.namespace;
}

function typedTarget(aim: Extract<RowTarget, { to: 'typed' }>, written: Written): Target | undefined {
  const kind = textIn(written.parent, 'kind') ?? aim.defaultKind?.kind;
  const own = namespaceFor(aim.namespaceField, written);
  if (kind === undefined) return undefined;
  // No schema says of these kinds that they are namespaced.
  const namespace = aim.defaultKind === undefined ? own : (own ?? 'default');
  // An empty group is the core group, where a default stands for a missing one.
  const isGiven = written.parent?.[aim.groupField] !== undefined;
  const given = textIn(written.parent, aim.groupField) ?? (isGiven ? '' : (aim.defaultKind?.group ?? ''));
  const slash = given.indexOf('/');
  const group = aim.groupField !== 'apiVersion' ? given : slash < 0 ? '' : given.slice(0, slash);
  return { to: 'object', group, kind, namespace, name: written.name, scope: 'unknown' };
}

function podsTarget(
  { form, namespaces }: Extract<RowTarget, { to: 'pods' }>,
  { value, parent }: Written,
  own: string,
): PodsTarget | undefined {
  if (!isObject(value)) return undefined;
  const matcher = form === 'labels' ? labelMapMatcher(textsOf(value)) : labelMatcher(selectorOf(value));
  if (namespaces === 'own') return { to: 'pods', namespaces: [own], matcher };
  if (isObject(parent?.namespaceSelector)) return { to: 'pods', namespaces: 'any', matcher };
  const listed = Array.isArray(parent?.namespaces) ? parent.namespaces.filter(it => typeof it === 'string') : [];
  return { to: 'pods', namespaces: listed.length > 0 ? listed : [own], matcher };
}

/** The valid part of a selector: the decoder reports values of a wrong type. */
export function selectorOf({ matchLabels, matchExpressions }: JsonObject): LabelSelector {
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isObject) : [];
  return {
    matchLabels: textsOf(matchLabels),
    matchExpressions: expressions.map(it => ({
      key: textIn(it, 'key') ?? '',
      operator: textIn(it, 'operator') ?? '',
      values: Array.isArray(it.values) ? it.values.map(printed) : [],
    })),
  };
}

/** The labels of a map; values that are not strings are printed. */
export function textsOf(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, printed(it)]));
}

function isOptional(
  { row, part, ownerDepth = 0 }: PlacedRow,
  { manifest }: WorkspaceObject,
  at: FieldPath,
  parent: JsonObject | undefined,
): boolean {
  if (row.isOptional === true) return true;
  if (row.optionalField === undefined) return false;
  const holder = part === undefined ? parent : valueAt(manifest.value, prefixOf(at, ownerDepth));
  return isObject(holder) && holder[row.optionalField] === true;
}

/** Names are strings. Ports may be numbers, which refer to a port if the row allows that. '' for a selector. */
function nameOf({ row, part }: PlacedRow, value: JsonValue): string | undefined {
  if (row.aim.to === 'pods') return '';
  if (part !== undefined && typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
