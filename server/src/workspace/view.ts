import { lazy } from '../base/lazy';
import type { ManifestFile } from '../manifest/manifest';
import type { WorkspaceObject } from './object';
import { isRenderedUri } from './rendered/names';
import type { Snapshot } from './workspace';

/**
 * A snapshot in which some of the files do not exist: what one environment sees of the workspace. It holds nothing of its
 * own, so that any number of environments share one index.
 */
export function viewOf(snapshot: Snapshot, includes: (uri: string) => boolean): Snapshot {
  return narrowed(snapshot, includes, includes);
}

/** What reaches the cluster: where the output of kustomizations is there, what it is made from is found by no name. */
export function asDeployed(snapshot: Snapshot): Snapshot {
  const { roles } = snapshot;
  return roles.rendered.size === 0
    ? snapshot
    : narrowed(
        snapshot,
        () => true,
        uri => !roles.isSource(uri),
      );
}

/** What people write: the output of kustomizations and charts is not there. */
export function asWritten(snapshot: Snapshot): Snapshot {
  return snapshot.roles.rendered.size === 0 ? snapshot : viewOf(snapshot, uri => !isRenderedUri(uri));
}

/** A snapshot with some of its files only; by names and references, objects of `counts` are found. */
function narrowed(snapshot: Snapshot, includes: (uri: string) => boolean, counts: (uri: string) => boolean): Snapshot {
  const isSeen = (it: WorkspaceObject): boolean => counts(it.manifest.uri);
  const seen = (objects: readonly WorkspaceObject[]): readonly WorkspaceObject[] =>
    objects.every(isSeen) ? objects : objects.filter(isSeen);
  const holding = <T extends { readonly object: WorkspaceObject }>(all: readonly T[]): readonly T[] =>
    all.every(it => isSeen(it.object)) ? all : all.filter(it => isSeen(it.object));
  const { references } = snapshot;
  // By the whole list, which a snapshot that follows the newest moment gives up with that moment.
  const kinds = new WeakMap<readonly WorkspaceObject[], readonly WorkspaceObject[]>();
  return {
    files: filesOf(() => snapshot.files, includes),
    roles: snapshot.roles,
    complete: snapshot.complete,
    ...(snapshot.namespace !== undefined && { namespace: snapshot.namespace }),
    objectsIn: uri => (includes(uri) ? snapshot.objectsIn(uri) : []),
    objectsOf(group, kind) {
      const all = snapshot.objectsOf(group, kind);
      const known = kinds.get(all) ?? seen(all);
      kinds.set(all, known);
      return known;
    },
    find: (group, kind, namespace, name) => seen(snapshot.find(group, kind, namespace, name)),
    references: {
      of: references.of,
      to: it => holding(references.to(it)),
      toPartsOf: it => holding(references.toPartsOf(it)),
      toPartsOfKind: (group, kind) => holding(references.toPartsOfKind(group, kind)),
      toPartsOfPods: () => holding(references.toPartsOfPods()),
      selectors: () => holding(references.selectors()),
      makersOf: it => holding(references.makersOf(it)),
      podsIn: namespace => holding(references.podsIn(namespace)),
      podsWith: (namespace, label, value) => holding(references.podsWith(namespace, label, value)),
      namespacesOfPods: lazy(() =>
        references.namespacesOfPods().filter(it => references.podsIn(it).some(pod => isSeen(pod.object))),
      ),
    },
  };
}

/** One file is looked up without listing all. `all` is asked anew each time, and what is listed of it is kept as long as it is. */
function filesOf(
  all: () => ReadonlyMap<string, ManifestFile>,
  includes: (uri: string) => boolean,
): ReadonlyMap<string, ManifestFile> {
  const listed = new WeakMap<ReadonlyMap<string, ManifestFile>, ReadonlyMap<string, ManifestFile>>();
  const seen = (): ReadonlyMap<string, ManifestFile> => {
    const files = all();
    const known = listed.get(files) ?? new Map([...files].filter(([uri]) => includes(uri)));
    listed.set(files, known);
    return known;
  };
  return {
    get: uri => (includes(uri) ? all().get(uri) : undefined),
    has: uri => includes(uri) && all().has(uri),
    get size() {
      return seen().size;
    },
    keys: () => seen().keys(),
    values: () => seen().values(),
    entries: () => seen().entries(),
    forEach: visit => seen().forEach(visit),
    [Symbol.iterator]: () => seen()[Symbol.iterator](),
  };
}
