import { compareText } from '../base/compareText';
import { type LayeredMap, layeredMap } from '../base/layeredMap';

/**
 * An index to which the files of a workspace add values under keys. Immutable. Files are ordered by uri, so that the
 * first value of a key does not depend on the order in which files were opened or changed.
 */
export interface FileIndex<Entry, T> {
  get(key: string): readonly T[];
  keys(): readonly string[];
  /** The index after some files changed; it takes time in proportion to them if the index has been used before. */
  after(changes: readonly EntryChange<Entry>[], entries: Entries<Entry>): FileIndex<Entry, T>;
}

/** The files at one time. */
export interface Entries<Entry> {
  readonly all: () => Iterable<Entry>;
  readonly get: (uri: string) => Entry | undefined;
  /** Files for which an index may still hold values with old positions. */
  readonly moved: ReadonlySet<string>;
}

export const noEntries: Entries<never> = { all: () => [], get: () => undefined, moved: new Set() };

/** A file before and after a change; undefined if it does not exist. */
export interface EntryChange<Entry> {
  readonly uri: string;
  readonly before: Entry | undefined;
  readonly now: Entry | undefined;
  /** The same change as a step, if most of the objects only moved. */
  readonly step?: EntryStep<Entry>;
}

/** The removed and added objects, as if these were all of the file. Removed objects are identified by `contentId`. */
export interface EntryStep<Entry> {
  readonly removed: Entry;
  readonly added: Entry;
  readonly isGone: ReadonlySet<object>;
  /** The number of the file's objects before a given one. */
  readonly rankOf: (contentId: object) => number;
}

export interface IndexOptions<Entry, T> {
  /** The values of one file by key; computed once for each file. */
  readonly parts: (entry: Entry) => ReadonlyMap<string, readonly T[]>;
  /** The object of a value. */
  readonly objectOf: (value: T) => { readonly manifest: { readonly uri: string; readonly contentId: object } };
  /** A value with its current position in the file. */
  readonly placed: (value: T, entry: Entry) => T;
}

/** More changed files than this come from a scan of the folder, after which this index may never be used. */
const MANY = 256;

/** An index that is built at the first small change, or at the first lookup, and kept up to date from then on. */
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

/** The values with their current positions. */
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

/** The list itself if it is in order. */
function byFile<T>(list: readonly T[], uriOf: (value: T) => string): readonly T[] {
  const isInOrder = list.every((it, i) => i === 0 || uriOf(list[i - 1]!) <= uriOf(it));
  return isInOrder ? list : list.toSorted((a, b) => (uriOf(a) < uriOf(b) ? -1 : uriOf(a) > uriOf(b) ? 1 : 0));
}

/** The values of one file after a change, from those before it. */
type Change<T> = (before: readonly T[]) => readonly T[];

/** The lists of the keys for which the changed files had or have values. */
function changedLists<Entry, T>(
  { parts, objectOf }: IndexOptions<Entry, T>,
  map: LayeredMap<string, readonly T[]>,
  changes: readonly EntryChange<Entry>[],
): readonly (readonly [string, readonly T[] | undefined])[] {
  const byKey = new Map<string, Map<string, Change<T>>>();
  const add = (key: string, uri: string, change: Change<T>): void => {
    const byUri = byKey.get(key) ?? new Map<string, Change<T>>();
    byKey.set(key, byUri);
    const earlier = byUri.get(uri);
    byUri.set(uri, earlier === undefined ? change : list => change(earlier(list)));
  };
  for (const { uri, before, now, step } of changes) {
    const gone = step?.removed ?? before;
    const come = step?.added ?? now;
    const values = come === undefined ? new Map<string, readonly T[]>() : parts(come);
    for (const key of new Set([...(gone === undefined ? [] : parts(gone).keys()), ...values.keys()])) {
      const own = values.get(key) ?? [];
      add(key, uri, step === undefined ? () => own : list => stepped(list, own, step, objectOf));
    }
  }
  return [...byKey].map(([key, byUri]) => {
    const list = changedList(map.get(key) ?? [], byUri, objectOf);
    return [key, list.length === 0 ? undefined : list];
  });
}

/** More lists than these are no arguments of a call. */
const MOST_ARGUMENTS = 1_000;

/** A list, copied once, in which the values of some files have changed. */
function changedList<T>(
  list: readonly T[],
  byUri: ReadonlyMap<string, Change<T>>,
  objectOf: IndexOptions<never, T>['objectOf'],
): readonly T[] {
  const pieces: (readonly T[])[] = [];
  let end = 0;
  for (const [uri, change] of [...byUri].sort(([a], [b]) => compareText(a, b))) {
    const own = ofFile(list, uri, objectOf);
    pieces.push(list.slice(end, own.start), change(list.slice(own.start, own.end)));
    end = own.end;
  }
  pieces.push(list.slice(end));
  const filled = pieces.filter(it => it.length > 0);
  // Most keys have one file, whose list is not copied.
  if (filled.length < 2) return filled[0] ?? [];
  return filled.length <= MOST_ARGUMENTS ? ([] as readonly T[]).concat(...filled) : filled.flat();
}

/** The values of a file for a key after a step, in the order of its objects. */
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

/** The range of a file's values in a list that is ordered by uri. */
function ofFile<T>(
  list: readonly T[],
  uri: string,
  objectOf: IndexOptions<never, T>['objectOf'],
): { readonly start: number; readonly end: number } {
  const uriOf = (it: T): string => objectOf(it).manifest.uri;
  return { start: firstIndex(list, it => uriOf(it) >= uri), end: firstIndex(list, it => uriOf(it) > uri) };
}

/** The first index from which on a condition holds; the length if it never does. */
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
