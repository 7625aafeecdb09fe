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
  const note = (key: string, uri: string, values: readonly T[]): void => {
    const ofKey = byKey.get(key) ?? new Map<string, readonly T[]>();
    byKey.set(key, ofKey.set(uri, values));
  };
  for (const { uri, before, now } of changes) {
    for (const key of before === undefined ? [] : parts(before).keys()) note(key, uri, []);
    for (const [key, values] of now === undefined ? [] : parts(now)) note(key, uri, values);
  }
  return [...byKey].map(([key, ofFiles]) => {
    const list = [...ofFiles].reduce((all, [uri, values]) => withFile(all, uri, values, uriOf), map.get(key) ?? []);
    return [key, list.length === 0 ? undefined : list];
  });
}

/** A list in the order of uris with what one file adds to it now, in place of what it added before. */
function withFile<T>(list: readonly T[], uri: string, values: readonly T[], uriOf: (value: T) => string): readonly T[] {
  const start = firstIndex(list, it => uriOf(it) >= uri);
  const end = firstIndex(list, it => uriOf(it) > uri);
  // Most keys have one file, whose list is not copied.
  return start === 0 && end === list.length ? values : list.slice(0, start).concat(values, list.slice(end));
}

/** The first index of an item that a condition holds for, as it does for all behind it; the length when there is none. */
function firstIndex<T>(list: readonly T[], isBehind: (it: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBehind(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
