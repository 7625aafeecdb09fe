import { joined } from '../base/joined';
import { keysFrom, type ListedMap } from '../base/layeredMap';
import { lazy } from '../base/lazy';
import type { ManifestFile } from '../manifest/manifest';
import type { FileEntry, Parts } from './fileEntry';
import type { WorkspaceObject } from './object';
import { movedObjects, objectChanges } from './objectChanges';
import { foldersAbove, startIn } from './paths';
import type { Lookup } from './references/index';
import { answersOf, type Indexes, partsOf, type SnapshotState, stateOf } from './snapshot';
import type { Snapshot } from './workspace';

/** What was read from a snapshot: an index and a key, or a file. */
export type Read = string;

/** Any change of the content of any object touches it. */
export const EVERYTHING: Read = 'everything';

/** The roles of files: touched if a kustomization or a chart is added, removed or changed. */
const ROLES: Read = 'roles';

/** The schema of a custom kind. */
export const schemaRead = (groupAndKind: string): Read => `schema ${groupAndKind}`;

const NAMES = [
  'kinds',
  'names',
  'groups',
  'uses',
  'made',
  'pods',
  'labelled',
] as const satisfies readonly (keyof Indexes)[];

const fileRead = (uri: string): Read => `file ${uri}`;
/** Which files there are of those whose uris begin with a text: touched if one in a folder of that name is added or removed. */
const listRead = (start: string): Read => `list ${start}`;
const allKeys = (index: keyof Indexes): Read => `${index} *`;

/**
 * A snapshot that reports each read. `now` is called for each read, so that a holder of the snapshot (a fix that is
 * computed on demand) neither keeps old files alive nor sees them.
 */
export function recordingReads(now: () => Snapshot, note: (read: Read) => void): Snapshot {
  const index = <T>(name: keyof Indexes, among: (indexes: Indexes) => Lookup<T>): Lookup<T> => ({
    get(key) {
      note(joined(name, ' ', key));
      return among(stateOf(now()).indexes).get(key);
    },
    keys() {
      note(allKeys(name));
      return among(stateOf(now()).indexes).keys();
    },
  });
  const indexes = {
    kinds: index('kinds', it => it.kinds),
    names: index('names', it => it.names),
    groups: index('groups', it => it.groups),
    uses: index('uses', it => it.uses),
    made: index('made', it => it.made),
    pods: index('pods', it => it.pods),
    labelled: index('labelled', it => it.labelled),
  };
  return {
    get files() {
      return notingFiles(now().files, note);
    },
    version() {
      note(EVERYTHING);
      return now().version();
    },
    get roles() {
      note(ROLES);
      return now().roles;
    },
    namersOf(uri) {
      note(ROLES);
      return now().namersOf(uri);
    },
    fileOfNamer(uri) {
      note(fileRead(uri));
      return now().fileOfNamer(uri);
    },
    complete: now().complete,
    ...(now().namespace !== undefined && { namespace: now().namespace }),
    objectsIn(uri) {
      note(fileRead(uri));
      return now().objectsIn(uri);
    },
    ...answersOf(indexes, stateOf(now()).references),
  };
}

function notingFiles(
  files: ReadonlyMap<string, ManifestFile>,
  note: (read: Read) => void,
): ListedMap<string, ManifestFile> {
  const all = (): typeof files => {
    note(EVERYTHING);
    return files;
  };
  return {
    get(uri) {
      note(fileRead(uri));
      return files.get(uri);
    },
    has(uri) {
      note(fileRead(uri));
      return files.has(uri);
    },
    get size() {
      return all().size;
    },
    keys: () => all().keys(),
    keysFrom(start) {
      note(listRead(start));
      return keysFrom(files, start);
    },
    values: () => all().values(),
    entries: () => all().entries(),
    forEach: visit => all().forEach(visit),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
}

/** The reads whose results a change may have altered. */
export interface Touched {
  /** An object was added, removed or changed. Computed on demand, since nobody may have asked for problems yet. */
  readonly content: () => ReadonlySet<Read>;
  /** An object has moved in its text. On demand, too, since few problems contain positions of other objects. */
  readonly positions: () => ReadonlySet<Read>;
}

/** The difference between two snapshots, one of which was derived from the other by changing files. */
export function touchedBetween(before: Snapshot, after: Snapshot, uris: readonly string[]): Touched {
  const difference = lazy(() => differenceOf(before, after, uris));
  return {
    content: () => difference().content,
    positions: lazy(() => readsOf(difference().moves, stateOf(after))),
  };
}

function differenceOf(
  before: Snapshot,
  after: Snapshot,
  uris: readonly string[],
): { readonly content: ReadonlySet<Read>; readonly moves: readonly OfEntry[] } {
  const [from, to] = [stateOf(before), stateOf(after)];
  const content = new Set<Read>();
  const moves: OfEntry[] = [];
  if (before.roles !== after.roles) content.add(ROLES);
  for (const uri of uris) {
    const [old, now] = [from.entries.get(uri), to.entries.get(uri)];
    if (old === now) continue;
    content.add(fileRead(uri));
    if (old === undefined || now === undefined) for (const it of foldersAbove(uri)) content.add(listRead(startIn(it)));
    const { removed, added } = objectChanges(old, now);
    if (old) addReads(content, removed, old, to);
    if (now) addReads(content, added, now, to);
    if (now) moves.push([now, movedObjects(old, now)]);
  }
  if (content.size > 0) content.add(EVERYTHING);
  return { content, moves };
}

function readsOf(objects: readonly OfEntry[], state: SnapshotState): ReadonlySet<Read> {
  const reads = new Set<Read>();
  for (const [entry, of] of objects) addReads(reads, of, entry, state);
  return reads;
}

type OfEntry = readonly [FileEntry, readonly WorkspaceObject[]];

function addReads(
  reads: Set<Read>,
  objects: readonly WorkspaceObject[],
  { role }: FileEntry,
  state: SnapshotState,
): void {
  if (objects.length === 0) return;
  const parts: Parts = partsOf(objects, role, state.references);
  for (const name of NAMES) {
    const keys = [...parts[name]().keys()];
    for (const key of keys) reads.add(`${name} ${key}`);
    if (keys.length > 0) reads.add(allKeys(name));
  }
}
