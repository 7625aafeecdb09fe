import { joined } from '../base/joined';
import { isObject, type JsonObject } from '../base/json';
import { type LayeredMap, layeredMap } from '../base/layeredMap';
import { lazy } from '../base/lazy';
import { push } from '../base/multiMap';
import { groupOf } from '../kube/apiVersion';
import type { ManifestFile, ManifestObject } from '../manifest/manifest';
import type { FileEntry, Parts } from './fileEntry';
import { type Entries, type EntryChange, type FileIndex, fileIndex, noEntries } from './fileIndex';
import { type FileRole, type FileRoles, fileRolesOf } from './fileRoles';
import { isKustomizationName } from './kustomize';
import type { WorkspaceObject } from './object';
import { objectChanges } from './objectChanges';
import { baseNameOf } from './paths';
import type { GeneratedObject } from './references/generatedObjects';
import {
  fileReferences,
  type Lookup,
  type PodLabels,
  type ReferenceCache,
  type ReferenceIndexes,
  referenceIndex,
} from './references/index';
import type { Use } from './references/references';
import { isRenderedUri } from './rendered/names';
import type { Snapshot } from './workspace';

/** Whether a kind is namespaced; undefined if that is unknown (a custom resource without a schema). */
export type IsNamespaced = (group: string, version: string, kind: string) => boolean | undefined;

export interface FileChange {
  readonly uri: string;
  /** undefined for a removed file. */
  readonly file: ManifestFile | undefined;
}

export interface SnapshotOptions {
  /** Whether the files and the `complete` sources contain every object; false when absent. */
  readonly complete?: boolean;
  /** The namespace of objects that are written without one; `default` when absent. */
  readonly namespace?: string;
}

/** The indexes of a snapshot. */
export interface Indexes {
  readonly kinds: FileIndex<FileEntry, WorkspaceObject>;
  readonly names: FileIndex<FileEntry, WorkspaceObject>;
  readonly groups: FileIndex<FileEntry, WorkspaceObject>;
  readonly uses: FileIndex<FileEntry, Use>;
  readonly made: FileIndex<FileEntry, GeneratedObject>;
  readonly pods: FileIndex<FileEntry, PodLabels>;
  readonly labelled: FileIndex<FileEntry, PodLabels>;
}

export interface SnapshotState {
  readonly isNamespaced: IsNamespaced;
  readonly complete: boolean;
  readonly namespace: string | undefined;
  readonly files: LayeredMap<string, ManifestFile>;
  readonly roles: FileRoles;
  readonly entries: LayeredMap<string, FileEntry>;
  /** Files for which the indexes hold objects with old positions. */
  readonly moved: ReadonlySet<string>;
  readonly indexes: Indexes;
  readonly references: ReferenceCache;
}

/** Roles of files whose objects are found by name, and of those with references. */
const DEFINING: ReadonlySet<FileRole> = new Set(['objects', 'source', 'kustomization']);
const NAMING: ReadonlySet<FileRole> = new Set(['objects', 'source', 'kustomization', 'patch']);

const STATE = Symbol('state');

interface IndexedSnapshot extends Snapshot {
  readonly [STATE]: SnapshotState;
}

/** A snapshot without files. */
export function emptySnapshot(isNamespaced: IsNamespaced, options: SnapshotOptions = {}): Snapshot {
  const { complete = false, namespace } = options;
  const files = layeredMap<string, ManifestFile>();
  return snapshotOf({
    isNamespaced,
    complete,
    namespace,
    files,
    roles: fileRolesOf(files),
    entries: layeredMap(),
    moved: new Set(),
    indexes: emptyIndexes(),
    references: new WeakMap(),
  });
}

/**
 * The snapshot after some files changed. It shares unchanged files and kinds with the old one, which stays as it is.
 * Takes time in proportion to the changed files, not to the workspace.
 */
export function withFiles(snapshot: Snapshot, changed: readonly FileChange[]): Snapshot {
  const state = stateOf(snapshot);
  const files = state.files.with(changed.map(({ uri, file }) => [uri, file]));
  const roles = maySwitchRoles(state, changed) ? fileRolesOf(files, state.roles) : state.roles;
  const all = roles === state.roles ? changed : [...changed, ...ofOtherRole(state, roles, changed)];
  const changes = all.map(({ uri, file }) => {
    const before = state.entries.get(uri);
    const now = file && fileEntry(file, roles.of(file), state, before);
    return { uri, before, now, ...stepBetween(before, now, state) };
  });
  const entries = state.entries.with(changes.map(it => [it.uri, it.now]));
  const { moved, settled } = movedAfter(state.moved, changes);
  const again = settled.flatMap(uri => {
    const entry = entries.get(uri);
    return entry === undefined ? [] : [{ uri, before: entry, now: entry }];
  });
  const indexes = indexesAfter(state.indexes, [...changes, ...again], entriesOf(entries, moved));
  return snapshotOf({ ...state, files, roles, entries, moved, indexes });
}

/** A separate function, so that its closures, which an index keeps, do not keep the previous state alive. */
function entriesOf(entries: SnapshotState['entries'], moved: SnapshotState['moved']): Entries<FileEntry> {
  return { all: () => entries.values(), get: entries.get, moved };
}

/** A file with fewer objects is indexed again as a whole. */
const SEVERAL = 4;

/** A person edits few files at a time. */
const MOST_MOVED = 8;

/**
 * The change of a file in which only few objects changed, for the indexes; undefined if the whole file must be indexed
 * again.
 */
function stepBetween(
  before: FileEntry | undefined,
  now: FileEntry | undefined,
  { references }: SnapshotState,
): Pick<EntryChange<FileEntry>, 'step'> {
  if (before === undefined || now === undefined || now.objects.length < SEVERAL) return {};
  const { removed, added, order } = objectChanges(before, now);
  if (order === 'other' || removed.length + added.length > now.objects.length / 2) return {};
  const only = (objects: readonly WorkspaceObject[]): FileEntry => entryOf(now.file, now.role, objects, references);
  const ranks = lazy(() => new Map(now.objects.map((it, i) => [it.manifest.contentId, i])));
  return {
    step: {
      removed: only(removed),
      added: only(added),
      isGone: new Set(removed.map(it => it.manifest.contentId)),
      rankOf: id => ranks().get(id) ?? 0,
    },
  };
}

/** The files that moved last; those in `settled` are to be indexed again with their current positions. */
function movedAfter(
  moved: SnapshotState['moved'],
  changes: readonly Pick<EntryChange<FileEntry>, 'uri' | 'step'>[],
): Pick<SnapshotState, 'moved'> & { readonly settled: readonly string[] } {
  if (changes.every(it => (it.step !== undefined) === moved.has(it.uri))) return { moved, settled: [] };
  const all = new Set(moved);
  for (const { uri, step } of changes) {
    all.delete(uri);
    if (step !== undefined) all.add(uri);
  }
  const uris = [...all];
  return { moved: new Set(uris.slice(-MOST_MOVED)), settled: uris.slice(0, -MOST_MOVED) };
}

/** Roles depend on kustomizations and charts, and on which of the files that these refer to exist. */
function maySwitchRoles({ files, roles }: SnapshotState, changed: readonly FileChange[]): boolean {
  return changed.some(
    ({ uri, file }) =>
      isKustomizationName(uri) ||
      isRenderedUri(uri) ||
      baseNameOf(uri) === 'Chart.yaml' ||
      roles.kustomizations.isOfFlux(file) ||
      roles.kustomizations.isOfFlux(files.get(uri)) ||
      (files.has(uri) !== (file !== undefined) && roles.kustomizations.namedBy(uri).length > 0),
  );
}

/** Unchanged files with another role, because a kustomization or a chart changed. */
function ofOtherRole(state: SnapshotState, roles: FileRoles, changed: readonly FileChange[]): readonly FileChange[] {
  const isChanged = new Set(changed.map(it => it.uri));
  return [...state.entries.values()]
    .filter(({ file, role }) => !isChanged.has(file.uri) && roles.of(file) !== role)
    .map(({ file }) => ({ uri: file.uri, file }));
}

function emptyIndexes(): Indexes {
  const ofObjects = (parts: (it: FileEntry) => ReadonlyMap<string, readonly WorkspaceObject[]>) =>
    fileIndex<FileEntry, WorkspaceObject>({ parts, objectOf: it => it, placed }, noEntries);
  const ofHolders = <T extends { readonly object: WorkspaceObject }>(
    parts: (it: FileEntry) => ReadonlyMap<string, readonly T[]>,
  ) => fileIndex<FileEntry, T>({ parts, objectOf: it => it.object, placed: placedHolder }, noEntries);
  return {
    kinds: ofObjects(it => it.parts.kinds()),
    names: ofObjects(it => it.parts.names()),
    groups: ofObjects(it => it.parts.groups()),
    uses: ofHolders(it => it.parts.uses()),
    made: ofHolders(it => it.parts.made()),
    pods: ofHolders(it => it.parts.pods()),
    labelled: ofHolders(it => it.parts.labelled()),
  };
}

/** An object at its current position. */
function placed(object: WorkspaceObject, { byContent }: FileEntry): WorkspaceObject {
  return byContent().get(object.manifest.contentId) ?? object;
}

function placedHolder<T extends { readonly object: WorkspaceObject }>(holder: T, entry: FileEntry): T {
  const object = placed(holder.object, entry);
  return object === holder.object ? holder : { ...holder, object };
}

function indexesAfter(
  { kinds, names, groups, uses, made, pods, labelled }: Indexes,
  changes: readonly EntryChange<FileEntry>[],
  entries: Entries<FileEntry>,
): Indexes {
  return {
    kinds: kinds.after(changes, entries),
    names: names.after(changes, entries),
    groups: groups.after(changes, entries),
    uses: uses.after(changes, entries),
    made: made.after(changes, entries),
    pods: pods.after(changes, entries),
    labelled: labelled.after(changes, entries),
  };
}

function snapshotOf(state: SnapshotState): IndexedSnapshot {
  const { files, roles, complete, namespace, entries, indexes, references } = state;
  return {
    [STATE]: state,
    files,
    version: () => ({ entries, included: [] }),
    roles,
    complete,
    ...(namespace !== undefined && { namespace }),
    namersOf: roles.kustomizations.namedBy,
    fileOfNamer: uri => files.get(uri),
    objectsIn: uri => entries.get(uri)?.objects ?? [],
    ...answersOf(indexes, references),
  };
}

/** Lookups through indexes. */
export function answersOf(
  indexes: ReferenceIndexes & Readonly<Record<'kinds' | 'names' | 'groups', Lookup<WorkspaceObject>>>,
  references: ReferenceCache,
): Pick<Snapshot, 'objectsOf' | 'objectsOfGroup' | 'find' | 'references'> {
  return {
    objectsOf: (group, kind) => indexes.kinds.get(kindKey(group, kind)),
    objectsOfGroup: indexes.groups.get,
    find: (group, kind, namespace, name) => indexes.names.get(nameKey(group, kind, namespace, name)),
    references: referenceIndex(indexes, references),
  };
}

export function stateOf(snapshot: Snapshot): SnapshotState {
  if (!(STATE in snapshot)) throw new Error('this snapshot was not made by emptySnapshot');
  return (snapshot as IndexedSnapshot)[STATE];
}

/** Shares unchanged objects with the previous entry. */
function fileEntry(
  file: ManifestFile,
  role: FileRole,
  { isNamespaced, namespace, references }: SnapshotState,
  before: FileEntry | undefined,
): FileEntry {
  const known = before?.byContent();
  const objects = file.documents.flatMap(it =>
    it.objects.map(manifest => {
      const old = known?.get(manifest.contentId);
      if (old === undefined) return workspaceObject(manifest, isNamespaced, namespace ?? 'default');
      return old.manifest === manifest ? old : { ...old, manifest };
    }),
  );
  return entryOf(file, role, objects, references);
}

function entryOf(
  file: ManifestFile,
  role: FileRole,
  objects: readonly WorkspaceObject[],
  references: ReferenceCache,
): FileEntry {
  const byContent = lazy(() => new Map(objects.map(it => [it.manifest.contentId, it])));
  return { file, role, objects, byContent, parts: partsOf(objects, role, references) };
}

export function partsOf(objects: readonly WorkspaceObject[], role: FileRole, cache: ReferenceCache): Parts {
  const defined = DEFINING.has(role) ? objects : [];
  const named = defined.filter(it => it.name !== undefined);
  return {
    kinds: () => listsBy(defined, it => kindKey(it.group, it.kind)),
    names: () => listsBy(named, it => nameKey(it.group, it.kind, it.namespace, it.name ?? '')),
    groups: () =>
      listsBy(
        objects.filter(it => it.group.includes('.')),
        it => it.group,
      ),
    ...fileReferences(NAMING.has(role) ? objects : [], cache),
  };
}

function listsBy(
  objects: readonly WorkspaceObject[],
  keyOf: (object: WorkspaceObject) => string,
): ReadonlyMap<string, readonly WorkspaceObject[]> {
  const lists = new Map<string, WorkspaceObject[]>();
  for (const object of objects) push(lists, keyOf(object), object);
  return lists;
}

/** Computes the identity of an object; fields that are missing or of the wrong type count as empty. */
export function workspaceObject(
  manifest: ManifestObject,
  isNamespaced: IsNamespaced,
  defaultNamespace = 'default',
): WorkspaceObject {
  const apiVersion = stringAt(manifest.value, 'apiVersion') ?? '';
  const kind = stringAt(manifest.value, 'kind') ?? '';
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  const metadata = manifest.value.metadata;
  const meta = isObject(metadata) ? metadata : {};
  const name = stringAt(meta, 'name');
  const written = stringAt(meta, 'namespace');
  const namespaced = isNamespaced(group, version, kind);
  const namespace =
    namespaced === false ? undefined : (written ?? (namespaced === true ? defaultNamespace : undefined));
  return {
    manifest,
    apiVersion,
    group,
    version,
    kind,
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { name }),
  };
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function nameKey(group: string, kind: string, namespace: string | undefined, name: string): string {
  return joined(group, '/', kind, ' ', namespace ?? '', '/', name);
}

function stringAt(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
