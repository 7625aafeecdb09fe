import { keyListOf, keysFrom, type ListedMap } from '../base/layeredMap';
import { lazy, lazyByObject } from '../base/lazy';
import type { ManifestFile } from '../manifest/manifest';
import type { NamedBy } from './kustomize';
import type { WorkspaceObject } from './object';
import { isRenderedUri } from './rendered/names';
import type { Snapshot } from './workspace';

type Files = ReadonlyMap<string, ManifestFile>;

/** Some of the files of a workspace. */
export interface FileSubset {
  readonly includes: (uri: string) => boolean;
  /** Those of some uris that are included, in their order; absent: each is asked for. */
  readonly uris?: (all: readonly string[]) => readonly string[];
  /** Whether it is not said that just these files are deployed together. */
  readonly isGuess?: boolean;
  /** A part of a list, in its order, that holds all items of included files; absent: it is looked through. */
  readonly among?: <T>(all: readonly T[], uriOf: (item: T) => string) => readonly T[];
}

const EVERYTHING: FileSubset = { includes: () => true, uris: all => all };
const WRITTEN: FileSubset = { includes: uri => !isRenderedUri(uri) };

/** Shorter lists are looked through. */
const LONG_LIST = 32;

const uriOfObject = (it: WorkspaceObject): string => it.manifest.uri;
const uriOfNamer = (it: NamedBy): string => it.kustomization.uri;
const uriOfHolder = (it: { readonly object: WorkspaceObject }): string => it.object.manifest.uri;

/**
 * A snapshot without some of the files: the part of the workspace that one environment sees. It has no index of its
 * own, so any number of environments share one.
 */
export function snapshotSubset(snapshot: Snapshot, subset: FileSubset): Snapshot {
  return narrowed(snapshot, subset, subset.includes);
}

/** The objects that reach the cluster: if the output of a kustomization exists, its sources are not found by name. */
export function asDeployed(snapshot: Snapshot): Snapshot {
  const { roles } = snapshot;
  return roles.rendered.size === 0 ? snapshot : narrowed(snapshot, EVERYTHING, uri => !roles.isSource(uri));
}

/** The objects that people write: without the output of kustomizations and charts. */
export function asWritten(snapshot: Snapshot): Snapshot {
  return snapshot.roles.rendered.size === 0 ? snapshot : snapshotSubset(snapshot, WRITTEN);
}

/** A snapshot with only some of its files. Lookups by name and reference find only objects that `counts`. */
function narrowed(snapshot: Snapshot, subset: FileSubset, counts: (uri: string) => boolean): Snapshot {
  const { includes, among, isGuess } = subset;
  const isSeen = (it: WorkspaceObject): boolean => counts(it.manifest.uri);
  // Keyed by the whole list, which is released together with its snapshot: many objects may ask for one list.
  const narrowedLists = new WeakMap<readonly unknown[], readonly unknown[]>();
  const narrowedList = <T>(all: readonly T[], uriOf: (item: T) => string, isIn = counts): readonly T[] => {
    const known = narrowedLists.get(all) as readonly T[] | undefined;
    if (known !== undefined) return known;
    const isKept = (it: T): boolean => isIn(uriOf(it));
    const some = among !== undefined && all.length >= LONG_LIST ? among(all, uriOf) : all;
    const kept = some.every(isKept) ? some : some.filter(isKept);
    narrowedLists.set(all, kept);
    return kept;
  };
  const seen = (all: readonly WorkspaceObject[]): readonly WorkspaceObject[] => narrowedList(all, uriOfObject);
  const holding = <T extends { readonly object: WorkspaceObject }>(all: readonly T[]): readonly T[] =>
    narrowedList(all, uriOfHolder);
  const { references } = snapshot;
  return {
    files: filesOf(() => snapshot.files, subset),
    version() {
      const { entries, included } = snapshot.version();
      return { entries, included: [...included, includes] };
    },
    roles: snapshot.roles,
    namersOf(uri) {
      const all = snapshot.namersOf(uri);
      const own = narrowedList(all, uriOfNamer, includes);
      // What none of the files deploys is deployed as others of the workspace say.
      return own.length === 0 && isGuess === true ? all : own;
    },
    fileOfNamer: uri => (isGuess === true || includes(uri) ? snapshot.fileOfNamer(uri) : undefined),
    complete: snapshot.complete,
    ...(snapshot.namespace !== undefined && { namespace: snapshot.namespace }),
    objectsIn: uri => (includes(uri) ? snapshot.objectsIn(uri) : []),
    objectsOf: (group, kind) => seen(snapshot.objectsOf(group, kind)),
    objectsOfGroup: group => narrowedList(snapshot.objectsOfGroup(group), uriOfObject, includes),
    find: (group, kind, namespace, name) => seen(snapshot.find(group, kind, namespace, name)),
    references: {
      of: references.of,
      to: it => holding(references.to(it)),
      toPartsOf: it => holding(references.toPartsOf(it)),
      toPartsOfKind: (group, kind) => holding(references.toPartsOfKind(group, kind)),
      toPartsOfPods: () => holding(references.toPartsOfPods()),
      selectors: () => holding(references.selectors()),
      generatorsOf: it => holding(references.generatorsOf(it)),
      podsIn: namespace => holding(references.podsIn(namespace)),
      podsWith: (namespace, label, value) => holding(references.podsWith(namespace, label, value)),
      namespacesOfPods: lazy(() =>
        references.namespacesOfPods().filter(it => references.podsIn(it).some(pod => isSeen(pod.object))),
      ),
    },
  };
}

/** A single file is looked up without listing all. `all` is called each time, as a snapshot notes which files are read. */
function filesOf(
  all: () => Files,
  { includes, uris = (of: readonly string[]) => of.filter(includes) }: FileSubset,
): ListedMap<string, ManifestFile> {
  const listed = lazyByObject(uris);
  const list = (): readonly string[] => listed(keyListOf(all()));
  function* entries(): MapIterator<[string, ManifestFile]> {
    const files = all();
    for (const uri of listed(keyListOf(files))) yield [uri, files.get(uri)!];
  }
  const seen: ReturnType<typeof filesOf> = {
    get: uri => (includes(uri) ? all().get(uri) : undefined),
    has: uri => includes(uri) && all().has(uri),
    get size() {
      return list().length;
    },
    keys: () => list().values(),
    *values(): MapIterator<ManifestFile> {
      for (const [, file] of entries()) yield file;
    },
    entries,
    forEach(visit) {
      for (const [uri, file] of entries()) visit(file, uri, seen);
    },
    [Symbol.iterator]: entries,
    keyList: list,
    keysFrom: start => keysFrom(all(), start).filter(includes),
  };
  return seen;
}
