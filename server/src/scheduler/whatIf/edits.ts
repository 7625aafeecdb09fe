import { asList, isObject, objectOrEmpty, type UnknownObject } from '../../base/json';
import { createMemo } from '../../base/memo';
import { push } from '../../base/multiMap';
import { printed } from '../../base/printed';
import { decoded } from '../../cluster/decode/documents';

export type PathStep = string | number;

/**
 * One object of the cluster by its identity for the API server; cluster-scoped objects have the namespace `default`
 * here.
 */
export interface ObjectRef {
  readonly group: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** One change of one object, as plain data. */
export interface Edit {
  readonly object: ObjectRef;
  /** From the object's root, for example `spec`, `tolerations`. */
  readonly path: readonly PathStep[];
  /** append: adds an item to the end of a list, which is created if necessary. */
  readonly action: 'set' | 'append' | 'remove';
  /** JSON; absent for a removal. */
  readonly value?: unknown;
}

export function refOf({ apiVersion, kind, metadata }: UnknownObject): ObjectRef {
  const { namespace, name } = objectOrEmpty(metadata);
  const version = printed(apiVersion ?? '');
  return {
    group: version.includes('/') ? version.slice(0, version.indexOf('/')) : '',
    kind: printed(kind ?? ''),
    namespace: printed(namespace || 'default'),
    name: printed(name ?? ''),
  };
}

export const keyOfRef = ({ group, kind, namespace, name }: ObjectRef): string =>
  `${group}/${kind}/${namespace}/${name}`;

export const isSameRef = (a: ObjectRef, b: ObjectRef): boolean => a === b || keyOfRef(a) === keyOfRef(b);

/** The value with one change; unchanged parts are shared. */
export function edited(value: unknown, path: readonly PathStep[], { action, value: wanted }: Edit): unknown {
  const [step, ...rest] = path;
  if (step === undefined) {
    if (action !== 'append') return wanted;
    return [...(Array.isArray(value) ? (value as readonly unknown[]) : []), wanted];
  }
  const isRemoved = rest.length === 0 && action === 'remove';
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? (value as readonly unknown[]) : [];
    if (isRemoved) return list.filter((_, i) => i !== step);
    return list.map((it, i) => (i === step ? edited(it, rest, { action, value: wanted } as Edit) : it));
  }
  const { [step]: old, ...others } = (value ?? {}) as UnknownObject;
  if (isRemoved) return others;
  return { ...(value as UnknownObject | undefined), [step]: edited(old, rest, { action, value: wanted } as Edit) };
}

/** The value at a path; undefined when there is none. */
export function valueIn(value: unknown, path: readonly PathStep[]): unknown {
  return path.reduce<unknown>(
    (it, step) => (it as Readonly<Record<PathStep, unknown>> | null | undefined)?.[step],
    value,
  );
}

/** Documents as read from files, Lists included, with their objects by name. */
export interface Documents {
  readonly all: readonly UnknownObject[];
  /** The object as read; the first of several with one name, as everywhere. */
  written(ref: ObjectRef): UnknownObject | undefined;
  /** The object as the server decodes it; undefined for one that it cannot decode, which takes part in nothing. */
  find(ref: ObjectRef): UnknownObject | undefined;
  /** The objects that the server can decode. */
  ofKind(group: string, kind: string): readonly UnknownObject[];
}

export function documentsOf(all: readonly UnknownObject[]): Documents {
  const byKey = new Map<string, UnknownObject>();
  const byKind = new Map<string, UnknownObject[]>();
  const add = (it: UnknownObject): void => {
    const items = itemsOf(it);
    if (items) {
      items.forEach(add);
      return;
    }
    const ref = refOf(it);
    const key = keyOfRef(ref);
    if (byKey.has(key)) return;
    byKey.set(key, it);
    push(byKind, `${ref.group}/${ref.kind}`, it);
  };
  for (const it of all) if (isObject(it)) add(it);
  const written = (ref: ObjectRef): UnknownObject | undefined => byKey.get(keyOfRef(ref));
  const memory = createMemo();
  const decodable = (it: UnknownObject | undefined): UnknownObject | undefined =>
    it && memory.of<UnknownObject | undefined>('decoded', it, [], () => decodedOrNothing(it));
  return {
    all,
    written,
    find: ref => decodable(written(ref)),
    ofKind: (group, kind) => (byKind.get(`${group}/${kind}`) ?? []).map(decodable).filter(it => it !== undefined),
  };
}

function decodedOrNothing(written: UnknownObject): UnknownObject | undefined {
  const found = decoded(written);
  return 'object' in found ? found.object : undefined;
}

/**
 * The documents after some changes, applied in order: the path of a later change refers to the result of the earlier
 * ones.
 */
export function withEdits({ all, written, find }: Documents, edits: readonly Edit[]): readonly UnknownObject[] {
  const changed = new Map<UnknownObject, UnknownObject>();
  for (const edit of edits) {
    const before = written(edit.object);
    if (before === undefined) continue;
    const now = changed.get(before) ?? find(edit.object) ?? before;
    changed.set(before, edited(now, edit.path, edit) as UnknownObject);
  }
  const swapped = (it: UnknownObject): UnknownObject => {
    const items = isObject(it) ? itemsOf(it) : undefined;
    if (!items) return changed.get(it) ?? it;
    return items.some(item => swapped(item) !== item) ? { ...it, items: items.map(swapped) } : it;
  };
  return all.map(swapped);
}

function itemsOf({ kind, items }: UnknownObject): readonly UnknownObject[] | undefined {
  const isList = typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
  return isList ? asList(items).filter(it => isObject(it)) : undefined;
}
