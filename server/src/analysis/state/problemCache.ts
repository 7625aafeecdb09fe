import type { ObjectProblems } from '../../rules/engine/ruleOptions';
import type { Problem } from '../../rules/framework/problem';
import { EVERYTHING, type Read, type Touched } from '../../workspace/reads';
import type { Snapshot } from '../../workspace/workspace';

/** Problems of a file, and what they depend on. */
export interface CachedProblems {
  readonly uri: string;
  readonly problems: readonly Problem[];
  readonly reads: ReadonlySet<Read>;
  /** more: also on results of policies or renderings, so that the problems are computed again for each request. */
  readonly dependsOn: 'reads' | 'more';
}

/** What the rules found in one object, and what they read for that. */
export interface FoundInObject {
  readonly findings: ObjectProblems;
  readonly reads: readonly Read[];
}

/** By `contentId`. */
export type FoundInObjects = ReadonlyMap<object, FoundInObject>;

/**
 * Problems of the files of all environments that share an index, kept until something changes that they depend on: one look
 * finds what an edit touches in thousands of environments. The cache belongs to one workspace state at a time: once it is
 * carried over to the next state, it is empty for the previous one. Keys are those of `problemKey`.
 */
export interface ProblemCache {
  /** undefined: not cached, or dependent on more than reads. */
  readonly problemsOf: (key: string) => readonly Problem[] | undefined;
  readonly keep: (key: string, problems: CachedProblems, objects: FoundInObjects) => void;
  /** Frees the problems of a file that is not open and keeps their dependencies. The next request computes them again. */
  readonly release: (key: string) => void;
  /** Findings in single objects of a file that is being edited, without those whose dependencies changed. */
  readonly objectsOf: (uri: string, key: string) => FoundInObjects;
  /** The index of the newest state, for problem parts that are computed lazily. */
  readonly newest: () => Snapshot;
  /**
   * The cache for the next state, and the uris of files whose problems may differ, including those that changed. What
   * is known in the environments `dropped` (their ids) is forgotten.
   */
  readonly carryOver: (
    snapshot: Snapshot,
    touched: Touched,
    changed: readonly string[],
    dropped: ReadonlySet<string>,
  ) => { readonly cache: ProblemCache; readonly uris: readonly string[] };
}

const BEHIND_ENVIRONMENT = '\n';

/** The key of the problems of a file in an environment, which is given by its id. */
export const problemKey = (environment: string, pace: string, uri: string): string =>
  `${environment}${BEHIND_ENVIRONMENT}${pace} ${uri}`;

const environmentOf = (key: string): string => key.slice(0, key.lastIndexOf(BEHIND_ENVIRONMENT));

interface Kept {
  newest: Snapshot;
  owner: object;
  readonly problems: Map<string, CachedProblems | Released>;
  /** By uri, and then by the same keys; only of the last files that changed after their problems were computed. */
  readonly objects: Map<string, Map<string, FoundInObjects>>;
  readonly readers: Readers;
}

/** A file whose problems were computed and then freed. */
interface Released extends Pick<CachedProblems, 'uri'> {
  /** A list where they are kept for long, because it takes less memory. */
  readonly reads: ReadonlySet<Read> | readonly Read[];
  /** Whether the problems had locations in other objects. */
  readonly hasLocations: boolean;
}

/** A person edits few files at a time. */
const MOST_EDITED = 16;

/** Keys of problems by their reads. Most reads have one reader: sets for those would be most of the memory. */
type Readers = Map<Read, string | Set<string>>;

export function createProblemCache(snapshot: Snapshot): ProblemCache {
  return ownedBy({}, { newest: snapshot, owner: {}, problems: new Map(), objects: new Map(), readers: new Map() });
}

function ownedBy(owner: object, kept: Kept): ProblemCache {
  kept.owner = owner;
  return {
    problemsOf(key) {
      const cached = kept.owner === owner ? kept.problems.get(key) : undefined;
      return cached !== undefined && 'problems' in cached && cached.dependsOn === 'reads' ? cached.problems : undefined;
    },
    objectsOf: (uri, key) => (kept.owner === owner ? kept.objects.get(uri)?.get(key) : undefined) ?? NOTHING,
    keep(key, problems, objects) {
      if (kept.owner !== owner) return;
      const ofFile = kept.objects.get(problems.uri);
      if (ofFile?.has(key)) ofFile.set(key, objects);
      keepReads(key, problems, kept);
      kept.problems.set(key, problems);
    },
    release(key) {
      const cached = kept.owner === owner ? kept.problems.get(key) : undefined;
      if (cached !== undefined) kept.problems.set(key, { ...released(cached), reads: [...cached.reads] });
    },
    newest: () => kept.newest,
    carryOver(now, touched, changed, dropped) {
      kept.newest = now;
      if (dropped.size > 0) drop(dropped, kept);
      if (kept.problems.size === 0) {
        kept.objects.clear();
        return { cache: ownedBy({}, kept), uris: changed };
      }
      const keys = keysTouched(touched, changed, kept);
      const uris = new Set([...changed, ...keys.flatMap(it => kept.problems.get(it)?.uri ?? [])]);
      keepObjects(kept, touched, keys, changed);
      for (const key of keys) {
        // An edited file is checked again at once, with nearly the same reads.
        const cached = kept.problems.get(key);
        if (cached !== undefined && changed.includes(cached.uri) && now.files.has(cached.uri))
          kept.problems.set(key, released(cached));
        else forget(key, kept);
      }
      return { cache: ownedBy({}, kept), uris: [...uris] };
    },
  };
}

function keysTouched(
  { content, positions: places }: Touched,
  changed: readonly string[],
  kept: Kept,
): readonly string[] {
  const readersOf = (read: Read): readonly string[] => {
    const readers = kept.readers.get(read) ?? [];
    return typeof readers === 'string' ? [readers] : [...readers];
  };
  const keys = new Set([...content(), ...changed.map(ownRead)].flatMap(readersOf));
  for (const [key, cached] of kept.problems) {
    if (!keys.has(key) && hasLocations(cached) && someIn(cached.reads, places())) keys.add(key);
  }
  return [...keys];
}

const someIn = (reads: Iterable<Read>, touched: ReadonlySet<Read>): boolean => {
  for (const it of reads) if (touched.has(it)) return true;
  return false;
};

const NOTHING: FoundInObjects = new Map();

/** Keeps findings in objects of edited files, and drops those that the change touches. */
function keepObjects(
  { objects, problems }: Kept,
  { content, positions: places }: Touched,
  keys: readonly string[],
  changed: readonly string[],
): void {
  const isHit = ({ findings, reads }: FoundInObject): boolean =>
    someIn(reads, content()) || (findings.all.some(it => it.problem.related.length > 0) && someIn(reads, places()));
  for (const ofFile of objects.values()) {
    for (const [key, known] of ofFile) ofFile.set(key, new Map([...known].filter(([, it]) => !isHit(it))));
  }
  for (const key of keys) {
    const uri = problems.get(key)?.uri;
    if (uri === undefined || !changed.includes(uri)) continue;
    const ofFile = objects.get(uri) ?? new Map<string, FoundInObjects>();
    objects.delete(uri);
    objects.set(uri, ofFile.set(key, ofFile.get(key) ?? NOTHING));
  }
  for (const uri of [...objects.keys()].slice(0, -MOST_EDITED)) objects.delete(uri);
}

function drop(environments: ReadonlySet<string>, kept: Kept): void {
  const isDropped = (key: string): boolean => environments.has(environmentOf(key));
  for (const key of [...kept.problems.keys()].filter(isDropped)) forget(key, kept);
  for (const ofFile of kept.objects.values()) {
    for (const key of [...ofFile.keys()].filter(isDropped)) ofFile.delete(key);
  }
}

const released = (cached: CachedProblems | Released): Released => ({
  uri: cached.uri,
  reads: cached.reads,
  hasLocations: hasLocations(cached),
});

/** Updates the readers with the difference to the previous reads only. */
function keepReads(key: string, now: CachedProblems, { problems, readers }: Kept): void {
  const before = problems.get(key);
  const reads = new Set(before?.reads);
  for (const it of reads) if (!now.reads.has(it)) removeReader(readers, it, key);
  for (const it of now.reads) if (!reads.has(it)) addReader(readers, it, key);
  if (before === undefined) addReader(readers, ownRead(now.uri), key);
}

function forget(key: string, { problems, readers }: Kept): void {
  const cached = problems.get(key);
  if (cached === undefined) return;
  for (const read of readsOf(cached)) removeReader(readers, read, key);
  problems.delete(key);
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

/** Problems of a file always depend on the file itself. */
const readsOf = ({ uri, reads }: CachedProblems | Released): readonly Read[] => [...reads, ownRead(uri)];

const ownRead = (uri: string): Read => `problems ${uri}`;

/** Related locations are ranges at the time when the problems were computed. */
function hasLocations(cached: CachedProblems | Released | undefined): boolean {
  if (cached === undefined) return false;
  if (!('problems' in cached)) return cached.hasLocations;
  return cached.reads.has(EVERYTHING) || cached.problems.some(it => it.related.length > 0);
}
