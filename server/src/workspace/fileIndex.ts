import { type LayeredMap, layeredMap } from './layeredMap';

/**
 * What the files of a workspace add to an index, each to some keys. Immutable. Files come by their uris, so that which is the
 * first of a name does not hang on which was opened or changed first.
 */
export interface FileIndex<Entry, T> {
  get(key: string): readonly T[];
  keys(): readonly string[];
  /** The index after some files changed; it costs time in proportion to them once it was asked for anything. */
  after(changes: readonly EntryChange<Entry>[], entries: () => Iterable<Entry>): FileIndex<Entry, T>;
}

/** A file before and after a change; undefined where it is not there. */
export interface EntryChange<Entry> {
  readonly uri: string;
  readonly before: Entry | undefined;
  readonly now: Entry | undefined;
}

/** What one file adds, by key; to be worked out once a file. */
type Parts<Entry, T> = (entry: Entry) => ReadonlyMap<string, readonly T[]>;

/** A change of more files than that comes of who reads all at once, and may never ask this index. */
const MANY = 256;

/**
 * An index that is made with the first small change, or when it is first asked, and kept up to date from then on; `uriOf`
 * tells which file added a value.
 */
export function fileIndex<Entry, T>(
  parts: Parts<Entry, T>,
  uriOf: (value: T) => string,
  entries: () => Iterable<Entry>,
  known?: LayeredMap<string, readonly T[]>,
): FileIndex<Entry, T> {
  let made = known;
  const map = (): LayeredMap<string, readonly T[]> => {
    made ??= collected(parts, uriOf, entries());
    return made;
  };
  return {
    get: key => map().get(key) ?? [],
    keys: () => [...map().keys()],
    after(changes, then) {
      const before = made ?? (changes.length > MANY ? undefined : map());
      return fileIndex(parts, uriOf, then, before?.with(changedLists(parts, uriOf, before, changes)));
    },
  };
}

function collected<Entry, T>(
  parts: Parts<Entry, T>,
  uriOf: (value: T) => string,
  entries: Iterable<Entry>,
): LayeredMap<string, readonly T[]> {
  const all = new Map<string, T[]>();
  for (const entry of entries) {
    for (const [key, values] of parts(entry)) {
      const list = all.get(key);
      if (list === undefined) all.set(key, [...values]);
      else for (const it of values) list.push(it);
    }
  }
  return layeredMap([...all].map(([key, list]) => [key, byFile(list, uriOf)] as const));
}

/** The very same list where it is in order. */
function byFile<T>(list: readonly T[], uriOf: (value: T) => string): readonly T[] {
  const isInOrder = list.every((it, i) => i === 0 || uriOf(list[i - 1]!) <= uriOf(it));
  return isInOrder ? list : list.toSorted((a, b) => (uriOf(a) < uriOf(b) ? -1 : uriOf(a) > uriOf(b) ? 1 : 0));
}

/** The lists of the keys that changed files add to or added to. */
function changedLists<Entry, T>(
  parts: Parts<Entry, T>,
  uriOf: (value: T) => string,
  map: LayeredMap<string, readonly T[]>,
  changes: readonly EntryChange<Entry>[],
): readonly (readonly [string, readonly T[] | undefined])[] {
  const byKey = new Map<string, Map<string, readonly T[]>>();
  const isReplaced = new Set<string>();
  const note = (key: string, uri: string, values: readonly T[]): void => {
    const ofKey = byKey.get(key) ?? new Map<string, readonly T[]>();
    byKey.set(key, ofKey.set(uri, values));
  };
  for (const { uri, before, now } of changes) {
    for (const key of before === undefined ? [] : parts(before).keys()) {
      note(key, uri, []);
      isReplaced.add(key);
    }
    for (const [key, values] of now === undefined ? [] : parts(now)) note(key, uri, values);
  }
  return [...byKey].map(([key, ofFiles]) => {
    const old = map.get(key) ?? [];
    const list = isReplaced.has(key) ? replaced(old, uriOf, ofFiles) : extended(old, [...ofFiles.values()]);
    return [key, list.length === 0 ? undefined : byFile(list, uriOf)];
  });
}

/** The lists behind one another; not copied where there is only one, which most keys have. */
function extended<T>(list: readonly T[], more: readonly (readonly T[])[]): readonly T[] {
  const [only] = more;
  return list.length === 0 && more.length === 1 && only !== undefined ? only : list.concat(...more);
}

/** A list with what some files add to it now, at the place of what they added before, else at the end. */
function replaced<T>(
  list: readonly T[],
  uriOf: (value: T) => string,
  ofFiles: ReadonlyMap<string, readonly T[]>,
): readonly T[] {
  const res: T[] = [];
  const placed = new Set<string>();
  for (const it of list) {
    const uri = uriOf(it);
    const now = ofFiles.get(uri);
    if (now === undefined) res.push(it);
    else if (!placed.has(uri)) res.push(...now);
    if (now !== undefined) placed.add(uri);
  }
  for (const [uri, values] of ofFiles) if (!placed.has(uri)) res.push(...values);
  return res;
}
