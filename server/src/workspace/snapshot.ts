import { isObject } from '../manifest/json';
import type { JsonObject, ManifestFile, ManifestObject } from '../manifest/manifest';
import { type EntryChange, type FileIndex, fileIndex } from './fileIndex';
import { type FileRole, type FileRoles, fileRolesOf } from './fileRoles';
import { joined } from './joined';
import { isKustomizationName } from './kustomize';
import { type LayeredMap, layeredMap } from './layeredMap';
import { baseNameOf } from './paths';
import { push } from './push';
import {
  type FileReferences,
  fileReferences,
  type Lookup,
  type PodLabels,
  type ReferenceCache,
  type ReferenceIndexes,
  referenceIndex,
} from './references/index';
import type { Made } from './references/made';
import type { Use } from './references/references';
import { isRenderedUri } from './rendered/names';
import type { Snapshot, WorkspaceObject } from './workspace';

/** Says whether a kind lives in namespaces; undefined when it is not known (a custom resource without a schema). */
export type IsNamespaced = (group: string, version: string, kind: string) => boolean | undefined;

export interface FileChange {
  readonly uri: string;
  /** undefined: the file is gone. */
  readonly file: ManifestFile | undefined;
}

export interface SnapshotOptions {
  /** Whether the files together with `complete` sources hold everything there is; false when absent. */
  readonly complete?: boolean;
  /** The namespace of objects that are written without one; `default` when absent. */
  readonly namespace?: string;
}

export interface FileEntry {
  readonly file: ManifestFile;
  readonly role: FileRole;
  readonly objects: readonly WorkspaceObject[];
  readonly parts: Parts;
}

/** What some objects add to each index, by key. */
export interface Parts extends FileReferences {
  readonly kinds: () => ReadonlyMap<string, readonly WorkspaceObject[]>;
  readonly names: () => ReadonlyMap<string, readonly WorkspaceObject[]>;
}

/** Every way to find something, by the keys that the files give. */
export interface Indexes {
  readonly kinds: FileIndex<FileEntry, WorkspaceObject>;
  readonly names: FileIndex<FileEntry, WorkspaceObject>;
  readonly uses: FileIndex<FileEntry, Use>;
  readonly made: FileIndex<FileEntry, Made>;
  readonly pods: FileIndex<FileEntry, PodLabels>;
  readonly labelled: FileIndex<FileEntry, PodLabels>;
}

export interface State {
  readonly isNamespaced: IsNamespaced;
  readonly complete: boolean;
  readonly namespace: string | undefined;
  readonly files: LayeredMap<string, ManifestFile>;
  readonly roles: FileRoles;
  readonly entries: LayeredMap<string, FileEntry>;
  readonly indexes: Indexes;
  readonly references: ReferenceCache;
}

/** Roles of files whose objects are found by name, and of those that name others. */
const DEFINING: ReadonlySet<FileRole> = new Set(['objects', 'source', 'kustomization']);
const NAMING: ReadonlySet<FileRole> = new Set(['objects', 'source', 'kustomization', 'patch']);

const STATE = Symbol('state');

interface IndexedSnapshot extends Snapshot {
  readonly [STATE]: State;
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
    indexes: emptyIndexes(),
    references: new WeakMap(),
  });
}

/**
 * The snapshot after some files changed. Files and kinds that did not change are shared with the old one, which stays
 * as it is. Costs time in proportion to the changed files, not to the workspace.
 */
export function withFiles(snapshot: Snapshot, changed: readonly FileChange[]): Snapshot {
  const state = stateOf(snapshot);
  const files = state.files.with(changed.map(({ uri, file }) => [uri, file]));
  const roles = maySwitchRoles(state, changed) ? fileRolesOf(files, state.roles) : state.roles;
  const all = roles === state.roles ? changed : [...changed, ...ofOtherRole(state, roles, changed)];
  const changes = all.map(({ uri, file }) => ({
    uri,
    before: state.entries.get(uri),
    now: file && fileEntry(file, roles.of(file), state),
  }));
  const entries = state.entries.with(changes.map(it => [it.uri, it.now]));
  return snapshotOf({ ...state, files, roles, entries, indexes: indexesAfter(state.indexes, changes, entries) });
}

/** Roles hang on kustomizations and charts, and on which of the files that they name are there. */
function maySwitchRoles({ files, roles }: State, changed: readonly FileChange[]): boolean {
  return changed.some(
    ({ uri, file }) =>
      isKustomizationName(uri) ||
      isRenderedUri(uri) ||
      baseNameOf(uri) === 'Chart.yaml' ||
      (files.has(uri) !== (file !== undefined) && roles.kustomizations.namedBy(uri).length > 0),
  );
}

/** Files that did not change, but mean something else now: a kustomization or a chart around them did. */
function ofOtherRole(state: State, roles: FileRoles, changed: readonly FileChange[]): readonly FileChange[] {
  const isChanged = new Set(changed.map(it => it.uri));
  return [...state.entries.values()]
    .filter(({ file, role }) => !isChanged.has(file.uri) && roles.of(file) !== role)
    .map(({ file }) => ({ uri: file.uri, file }));
}

function emptyIndexes(): Indexes {
  const uriOf = ({ manifest }: WorkspaceObject): string => manifest.uri;
  const uriOfHolder = ({ object }: { readonly object: WorkspaceObject }): string => object.manifest.uri;
  const none = (): readonly FileEntry[] => [];
  return {
    kinds: fileIndex(it => it.parts.kinds(), uriOf, none),
    names: fileIndex(it => it.parts.names(), uriOf, none),
    uses: fileIndex(it => it.parts.uses(), uriOfHolder, none),
    made: fileIndex(it => it.parts.made(), uriOfHolder, none),
    pods: fileIndex(it => it.parts.pods(), uriOfHolder, none),
    labelled: fileIndex(it => it.parts.labelled(), uriOfHolder, none),
  };
}

function indexesAfter(
  { kinds, names, uses, made, pods, labelled }: Indexes,
  changes: readonly EntryChange<FileEntry>[],
  entries: LayeredMap<string, FileEntry>,
): Indexes {
  const all = (): Iterable<FileEntry> => entries.values();
  return {
    kinds: kinds.after(changes, all),
    names: names.after(changes, all),
    uses: uses.after(changes, all),
    made: made.after(changes, all),
    pods: pods.after(changes, all),
    labelled: labelled.after(changes, all),
  };
}

function snapshotOf(state: State): IndexedSnapshot {
  const { files, roles, complete, namespace, entries, indexes, references } = state;
  return {
    [STATE]: state,
    files,
    roles,
    complete,
    ...(namespace !== undefined && { namespace }),
    objectsIn: uri => entries.get(uri)?.objects ?? [],
    ...answersOf(indexes, references),
  };
}

/** Answers from indexes. */
export function answersOf(
  indexes: ReferenceIndexes & { readonly kinds: Lookup<WorkspaceObject>; readonly names: Lookup<WorkspaceObject> },
  references: ReferenceCache,
): Pick<Snapshot, 'objectsOf' | 'find' | 'references'> {
  return {
    objectsOf: (group, kind) => indexes.kinds.get(kindKey(group, kind)),
    find: (group, kind, namespace, name) => indexes.names.get(nameKey(group, kind, namespace, name)),
    references: referenceIndex(indexes, references),
  };
}

export function stateOf(snapshot: Snapshot): State {
  if (!(STATE in snapshot)) throw new Error('this snapshot was not made by emptySnapshot');
  return (snapshot as IndexedSnapshot)[STATE];
}

function fileEntry(file: ManifestFile, role: FileRole, { isNamespaced, namespace, references }: State): FileEntry {
  const objects = file.documents.flatMap(it =>
    it.objects.map(object => workspaceObject(object, isNamespaced, namespace ?? 'default')),
  );
  return { file, role, objects, parts: partsOf(objects, role, references) };
}

export function partsOf(objects: readonly WorkspaceObject[], role: FileRole, cache: ReferenceCache): Parts {
  const defined = DEFINING.has(role) ? objects : [];
  const named = defined.filter(it => it.name !== undefined);
  return {
    kinds: () => listsBy(defined, it => kindKey(it.group, it.kind)),
    names: () => listsBy(named, it => nameKey(it.group, it.kind, it.namespace, it.name ?? '')),
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

/** Works out the identity of an object; fields that are missing or of the wrong type count as empty. */
export function workspaceObject(
  manifest: ManifestObject,
  isNamespaced: IsNamespaced,
  defaultNamespace = 'default',
): WorkspaceObject {
  const apiVersion = stringAt(manifest.value, 'apiVersion') ?? '';
  const kind = stringAt(manifest.value, 'kind') ?? '';
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
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
