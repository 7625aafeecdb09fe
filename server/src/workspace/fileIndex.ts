import { type LayeredMap, layeredMap } from '../base/layeredMap';

/**
 * What the files of a workspace add to an index, each to some keys. Immutable. Files come by their uris, so that which is the
 * first of a name does not hang on which was opened or changed first.
 */
export interface FileIndex<Entry, T> {
  get(key: string): readonly T[];
  keys(): readonly string[];
  /** The index after some files changed; it costs time in proportion to them once it was asked for anything. */
  after(changes: readonly EntryChange<Entry>[], entries: Entries<Entry>): FileIndex<Entry, T>;
}

/** The files of one moment. */
export interface Entries<Entry> {
  readonly all: () => Iterable<Entry>;
  readonly get: (uri: string) => Entry | undefined;
  /** Those of which an index may hold values as they stood before. */
  readonly moved: ReadonlySet<string>;
}

export const noEntries: Entries<never> = { all: () => [], get: () => undefined, moved: new Set() };

/** A file before and after a change; undefined where it is not there. */
export interface EntryChange<Entry> {
  readonly uri: string;
  readonly before: Entry | undefined;
  readonly now: Entry | undefined;
  /** The same where all but a few of its objects only moved. */
  readonly step?: EntryStep<Entry>;
}

/** What goes and what comes, as if these were all of the file. Objects go by their `contentId`. */
export interface EntryStep<Entry> {
  readonly gone: Entry;
  readonly come: Entry;
  readonly isGone: ReadonlySet<object>;
  /** How many objects of the file stand before one of them. */
  readonly rankOf: (contentId: object) => number;
}

export interface IndexOptions<Entry, T> {
  /** What one file adds, by key; to be worked out once a file. */
  readonly parts: (entry: Entry) => ReadonlyMap<string, readonly T[]>;
  /** The object that a value is of. */
  readonly objectOf: (value: T) => { readonly manifest: { readonly uri: string; readonly contentId: object } };
  /** A value as its file has it now. */
  readonly placed: (value: T, entry: Entry) => T;
}

/** A change of more files than that comes of who reads all at once, and may never ask this index. */
const MANY = 256;

/** An index that is made with the first small change, or when it is first asked, and kept up to date from then on. */
export function fileIndex<Entry, T>(
  options: IndexOptions<Entry, T>,
  entries: Entries<Entry>,
  known?: LayeredMap<string, readonly T[]>,
): FileIndex<Entry, T> {
  let made = known;
  const map = (): LayeredMap<string, readonly T[]> => {
    made ??= collected(options, entries.all());
    return made;
  };
  const asked = new Map<string, readonly T[]>();
  return {
    get(key) {
      const list = map().get(key) ?? [];
      if (entries.moved.size === 0 || list.length === 0) return list;
      const now = asked.get(key) ?? inPlace(list, options, entries);
      asked.set(key, now);
      return now;
    },
    keys: () => [...map().keys()],
    after(changes, then) {
      const before = made ?? (changes.length > MANY ? undefined : map());
      return fileIndex(options, then, before?.with(changedLists(options, before, changes)));
    },
  };
}

/** The values as their files have them now. */
function inPlace<Entry, T>(
  list: readonly T[],
  { objectOf, placed }: IndexOptions<Entry, T>,
  { get, moved }: Entries<Entry>,
): readonly T[] {
  let now = list;
  for (const uri of moved) {
    const entry = get(uri);
    const { start, end } = ofFile(list, uri, objectOf);
    if (entry === undefined || start === end) continue;
    const own = list.slice(start, end).map(it => placed(it, entry));
    if (own.some((it, i) => it !== list[start + i])) now = now.slice(0, start).concat(own, now.slice(end));
  }
  return now;
}

function collected<Entry, T>(
  { parts, objectOf }: IndexOptions<Entry, T>,
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
  return layeredMap([...all].map(([key, list]) => [key, byFile(list, it => objectOf(it).manifest.uri)] as const));
}

/** The very same list where it is in order. */
function byFile<T>(list: readonly T[], uriOf: (value: T) => string): readonly T[] {
  const isInOrder = list.every((it, i) => i === 0 || uriOf(list[i - 1]!) <= uriOf(it));
  return isInOrder ? list : list.toSorted((a, b) => (uriOf(a) < uriOf(b) ? -1 : uriOf(a) > uriOf(b) ? 1 : 0));
}

/** The lists of the keys that changed files add to or added to. */
function changedLists<Entry, T>(
  { parts, objectOf }: IndexOptions<Entry, T>,
  map: LayeredMap<string, readonly T[]>,
  changes: readonly EntryChange<Entry>[],
): readonly (readonly [string, readonly T[] | undefined])[] {
  const lists = new Map<string, readonly T[]>();
  const replace = (key: string, uri: string, values: (before: readonly T[]) => readonly T[]): void => {
    const list = lists.get(key) ?? map.get(key) ?? [];
    const { start, end } = ofFile(list, uri, objectOf);
    const own = values(list.slice(start, end));
    // Most keys have one file, whose list is not copied.
    const isAll = start === 0 && end === list.length;
    lists.set(key, isAll ? own : list.slice(0, start).concat(own, list.slice(end)));
  };
  for (const { uri, before, now, step } of changes) {
    const gone = step?.gone ?? before;
    const come = step?.come ?? now;
    const values = come === undefined ? new Map<string, readonly T[]>() : parts(come);
    for (const key of new Set([...(gone === undefined ? [] : parts(gone).keys()), ...values.keys()])) {
      const own = values.get(key) ?? [];
      replace(key, uri, step === undefined ? () => own : list => stepped(list, own, step, objectOf));
    }
  }
  return [...lists].map(([key, list]) => [key, list.length === 0 ? undefined : list]);
}

/** What a file adds to a key after a step, in the order of its objects. */
function stepped<Entry, T>(
  before: readonly T[],
  come: readonly T[],
  { isGone, rankOf }: EntryStep<Entry>,
  objectOf: IndexOptions<Entry, T>['objectOf'],
): readonly T[] {
  const idOf = (it: T): object => objectOf(it).manifest.contentId;
  const stays = before.filter(it => !isGone.has(idOf(it)));
  if (come.length === 0) return stays;
  return [...stays, ...come].sort((a, b) => rankOf(idOf(a)) - rankOf(idOf(b)));
}

/** Which values of a list in the order of uris are of a file. */
function ofFile<T>(
  list: readonly T[],
  uri: string,
  objectOf: IndexOptions<never, T>['objectOf'],
): { readonly start: number; readonly end: number } {
  const uriOf = (it: T): string => objectOf(it).manifest.uri;
  return { start: firstIndex(list, it => uriOf(it) >= uri), end: firstIndex(list, it => uriOf(it) > uri) };
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
