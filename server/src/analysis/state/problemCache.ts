import type { ToldOfObject } from '../../rules/engine/run';
import type { Problem } from '../../rules/framework/problem';
import { EVERYTHING, type Read, type Touched } from '../../workspace/reads';
import type { Snapshot } from '../../workspace/workspace';

/** Problems of a file, and what they hang on. */
export interface CachedProblems {
  readonly uri: string;
  readonly problems: readonly Problem[];
  readonly reads: ReadonlySet<Read>;
  /** more: on what policies and renderings say, too, so that they are found anew whenever somebody asks. */
  readonly dependsOn: 'reads' | 'more';
}

/** What the rules told of one object, and what they asked for it. */
export interface FoundInObject {
  readonly told: ToldOfObject;
  readonly reads: readonly Read[];
}

/** By `contentId`. */
export type FoundInObjects = ReadonlyMap<object, FoundInObject>;

/**
 * The problems of one environment's files that are known, for as long as nothing that they hang on changes. It belongs to
 * one moment at a time: handed on to the next one, it knows nothing for the one before.
 */
export interface ProblemCache {
  /** Only where they hang on nothing but what was read. */
  readonly known: (key: string) => readonly Problem[] | undefined;
  readonly keep: (key: string, told: CachedProblems, objects: FoundInObjects) => void;
  /** Forgets the problems of a file that nobody looks at, and keeps what they hang on; asked again, they are found anew. */
  readonly release: (key: string) => void;
  /** What was found in single objects of a file that is edited, as far as nothing that it hangs on has changed. */
  readonly objectsOf: (key: string) => FoundInObjects;
  /** The index of the newest moment, for what is worked out late. */
  readonly newest: () => Snapshot;
  /** Gives the files whose problems may be others now, too; those that changed are among them. */
  readonly carryOver: (
    snapshot: Snapshot,
    touched: Touched,
    changed: readonly string[],
  ) => { readonly memory: ProblemCache; readonly uris: readonly string[] };
}

interface Kept {
  newest: Snapshot;
  owner: object;
  readonly told: Map<string, CachedProblems | Released>;
  /** By the same keys; only of files that changed after they were told, the last ones. */
  readonly objects: Map<string, FoundInObjects>;
  readonly readers: Readers;
}

/** A file whose problems were told, and are not kept. */
interface Released extends Pick<CachedProblems, 'uri'> {
  /** As a list where they are kept for long, which takes less. */
  readonly reads: ReadonlySet<Read> | readonly Read[];
  /** Whether they told of places in other objects. */
  readonly tellsPlaces: boolean;
}

/** A person edits few files at a time. */
const MOST_EDITED = 16;

/** Keys of what is told by what it hangs on. Most reads have one reader, so that a set for each would be most of it. */
type Readers = Map<Read, string | Set<string>>;

export function createProblemCache(snapshot: Snapshot): ProblemCache {
  return ownedBy({}, { newest: snapshot, owner: {}, told: new Map(), objects: new Map(), readers: new Map() });
}

function ownedBy(owner: object, kept: Kept): ProblemCache {
  kept.owner = owner;
  return {
    known(key) {
      const told = kept.owner === owner ? kept.told.get(key) : undefined;
      return told !== undefined && 'problems' in told && told.dependsOn === 'reads' ? told.problems : undefined;
    },
    objectsOf: key => (kept.owner === owner ? kept.objects.get(key) : undefined) ?? NOTHING,
    keep(key, told, objects) {
      if (kept.owner !== owner) return;
      if (kept.objects.has(key)) kept.objects.set(key, objects);
      keepReads(key, told, kept);
      kept.told.set(key, told);
    },
    release(key) {
      const told = kept.owner === owner ? kept.told.get(key) : undefined;
      if (told !== undefined) kept.told.set(key, { ...released(told), reads: [...told.reads] });
    },
    newest: () => kept.newest,
    carryOver(now, touched, changed) {
      kept.newest = now;
      const keys = keysTouched(touched, changed, kept);
      const uris = new Set([...changed, ...keys.flatMap(it => kept.told.get(it)?.uri ?? [])]);
      keepObjects(kept, touched, keys, changed);
      for (const key of keys) {
        // A file that is edited is looked at again at once, and reads nearly the same.
        const told = kept.told.get(key);
        if (told !== undefined && changed.includes(told.uri) && now.files.has(told.uri))
          kept.told.set(key, released(told));
        else forget(key, kept);
      }
      return { memory: ownedBy({}, kept), uris: [...uris] };
    },
  };
}

function keysTouched({ content, places }: Touched, changed: readonly string[], kept: Kept): readonly string[] {
  const readersOf = (read: Read): readonly string[] => {
    const readers = kept.readers.get(read) ?? [];
    return typeof readers === 'string' ? [readers] : [...readers];
  };
  const keys = new Set([...content, ...changed.map(ownRead)].flatMap(readersOf));
  for (const [key, told] of kept.told) {
    if (!keys.has(key) && tellsPlaces(told) && someIn(told.reads, places())) keys.add(key);
  }
  return [...keys];
}

const someIn = (reads: Iterable<Read>, touched: ReadonlySet<Read>): boolean => {
  for (const it of reads) if (touched.has(it)) return true;
  return false;
};

const NOTHING: FoundInObjects = new Map();

/** Files that are edited from now on have their objects remembered; what is touched is forgotten. */
function keepObjects(
  { objects, told }: Kept,
  { content, places }: Touched,
  keys: readonly string[],
  changed: readonly string[],
): void {
  const isHit = ({ told, reads }: FoundInObject): boolean =>
    someIn(reads, content) || (told.all.some(it => it.problem.related.length > 0) && someIn(reads, places()));
  for (const [key, known] of objects) objects.set(key, new Map([...known].filter(([, it]) => !isHit(it))));
  for (const key of keys) {
    if (!changed.includes(told.get(key)?.uri ?? '')) continue;
    const known = objects.get(key) ?? NOTHING;
    objects.delete(key);
    objects.set(key, known);
  }
  for (const key of [...objects.keys()].slice(0, -MOST_EDITED)) objects.delete(key);
}

const released = (told: CachedProblems | Released): Released => ({
  uri: told.uri,
  reads: told.reads,
  tellsPlaces: tellsPlaces(told),
});

/** Of two lists of reads that are nearly the same only the difference is noted. */
function keepReads(key: string, now: CachedProblems, { told, readers }: Kept): void {
  const before = told.get(key);
  const reads = new Set(before?.reads);
  for (const it of reads) if (!now.reads.has(it)) removeReader(readers, it, key);
  for (const it of now.reads) if (!reads.has(it)) addReader(readers, it, key);
  if (before === undefined) addReader(readers, ownRead(now.uri), key);
}

function forget(key: string, { told, readers }: Kept): void {
  const known = told.get(key);
  if (known === undefined) return;
  for (const read of readsOf(known)) removeReader(readers, read, key);
  told.delete(key);
}

function addReader(readers: Readers, read: Read, key: string): void {
  const others = readers.get(read);
  if (others === undefined || others === key) readers.set(read, key);
  else if (typeof others === 'string') readers.set(read, new Set([others, key]));
  else others.add(key);
}

function removeReader(readers: Readers, read: Read, key: string): void {
  const others = readers.get(read);
  if (typeof others === 'object' && others.size > 1) others.delete(key);
  else readers.delete(read);
}

/** A file's problems hang on itself in any case. */
const readsOf = ({ uri, reads }: CachedProblems | Released): readonly Read[] => [...reads, ownRead(uri)];

const ownRead = (uri: string): Read => `problems ${uri}`;

/** Ranges of related places are those of the objects as they stood then. */
function tellsPlaces(told: CachedProblems | Released | undefined): boolean {
  if (told === undefined) return false;
  if (!('problems' in told)) return told.tellsPlaces;
  return told.reads.has(EVERYTHING) || told.problems.some(it => it.related.length > 0);
}
