import type { ManifestFile, ManifestObject } from '../manifest/manifest';
import { joined } from './joined';
import type { Lookup } from './references/index';
import { answersOf, type FileEntry, type Indexes, type Parts, partsOf, type State, stateOf } from './snapshot';
import type { Snapshot, WorkspaceObject } from './workspace';

/** A question that a snapshot answered: an index and a key, or a file. */
export type Read = string;

/** Any change of the content of any object touches it. */
export const EVERYTHING: Read = 'everything';

/** What files are to Kustomize and Helm: a kustomization or a chart came, went or says something else. */
const ROLES: Read = 'roles';

const NAMES = ['kinds', 'names', 'uses', 'made', 'pods', 'labelled'] as const satisfies readonly (keyof Indexes)[];

const fileRead = (uri: string): Read => `file ${uri}`;
const allKeys = (index: keyof Indexes): Read => `${index} *`;

/**
 * A snapshot that tells what it is asked. `now` is asked anew for each answer, so that who keeps it (a fix that is worked
 * out when someone wants it) neither keeps old files alive nor sees them.
 */
export function noting(now: () => Snapshot, note: (read: Read) => void): Snapshot {
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
    uses: index('uses', it => it.uses),
    made: index('made', it => it.made),
    pods: index('pods', it => it.pods),
    labelled: index('labelled', it => it.labelled),
  };
  return {
    get files() {
      return notingFiles(now().files, note);
    },
    get roles() {
      note(ROLES);
      return now().roles;
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
): ReadonlyMap<string, ManifestFile> {
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
    values: () => all().values(),
    entries: () => all().entries(),
    forEach: visit => all().forEach(visit),
    [Symbol.iterator]: () => all()[Symbol.iterator](),
  };
}

/** The reads whose answers a change may have altered. */
export interface Touched {
  /** An object is new, gone, or says something else. */
  readonly content: ReadonlySet<Read>;
  /** An object stands at another place of its text. */
  readonly places: ReadonlySet<Read>;
}

/** What differs between two snapshots of which one was derived from the other by changing files. */
export function touchedBetween(before: Snapshot, after: Snapshot, uris: readonly string[]): Touched {
  const [from, to] = [stateOf(before), stateOf(after)];
  const content = new Set<Read>();
  const places = new Set<Read>();
  if (before.roles !== after.roles) content.add(ROLES);
  for (const uri of uris) {
    const [old, now] = [from.entries.get(uri), to.entries.get(uri)];
    if (old === now) continue;
    content.add(fileRead(uri));
    const { changed, moved } = comparison(old, now);
    for (const [entry, objects] of changed) addReads(content, objects, entry, to);
    for (const [entry, objects] of moved) addReads(places, objects, entry, to);
  }
  if (content.size > 0) content.add(EVERYTHING);
  return { content, places };
}

type OfEntry = readonly [FileEntry, readonly WorkspaceObject[]];

function comparison(
  before: FileEntry | undefined,
  now: FileEntry | undefined,
): { readonly changed: readonly OfEntry[]; readonly moved: readonly OfEntry[] } {
  const old = new Map((before?.objects ?? []).map(it => [it.manifest.contentId, it]));
  const isKept = ({ manifest }: WorkspaceObject): boolean => before?.role === now?.role && old.has(manifest.contentId);
  const kept = (now?.objects ?? []).filter(isKept);
  const keptIds = new Set(kept.map(it => it.manifest.contentId));
  const stayed = (before?.objects ?? []).filter(it => keptIds.has(it.manifest.contentId));
  // Which of several comes first is part of what is said.
  const isInOrder =
    stayed.length === kept.length && stayed.every((it, i) => it.manifest.contentId === kept[i]?.manifest.contentId);
  const gone = isInOrder
    ? (before?.objects ?? []).filter(it => !keptIds.has(it.manifest.contentId))
    : (before?.objects ?? []);
  const come = isInOrder ? (now?.objects ?? []).filter(it => !isKept(it)) : (now?.objects ?? []);
  const moved = kept.filter(it => !isAtSamePlace(it.manifest, old.get(it.manifest.contentId)?.manifest));
  return {
    changed: [...(before ? [[before, gone] as const] : []), ...(now ? [[now, come] as const] : [])],
    moved: now ? [[now, moved] as const] : [],
  };
}

function isAtSamePlace(a: ManifestObject, b: ManifestObject | undefined): boolean {
  return a.span.start === b?.span.start && a.document === b.document && a.item === b.item;
}

function addReads(reads: Set<Read>, objects: readonly WorkspaceObject[], { role }: FileEntry, state: State): void {
  if (objects.length === 0) return;
  const parts: Parts = partsOf(objects, role, state.references);
  for (const name of NAMES) {
    const keys = [...parts[name]().keys()];
    for (const key of keys) reads.add(`${name} ${key}`);
    if (keys.length > 0) reads.add(allKeys(name));
  }
}
