import { isObject } from '../manifest/json';
import { lazy } from '../manifest/lazy';
import type { JsonObject, ManifestFile, ManifestObject } from '../manifest/manifest';
import { type FileRole, type FileRoles, fileRolesOf } from './fileRoles';
import { push } from './push';
import { type FileReferences, fileReferences, type ReferenceCache, referenceIndex } from './references/index';
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

/** Objects of one file by kind key, in the order in which they are written. */
type KindsOfFile = ReadonlyMap<string, readonly WorkspaceObject[]>;

interface FileEntry {
  readonly file: ManifestFile;
  readonly role: FileRole;
  readonly objects: readonly WorkspaceObject[];
  readonly kinds: KindsOfFile;
  readonly references: FileReferences;
}

/** All objects of one kind, by file; the flat list and the index by name are made when first asked for. */
interface KindIndex {
  readonly byFile: ReadonlyMap<string, readonly WorkspaceObject[]>;
  readonly all: () => readonly WorkspaceObject[];
  readonly named: (namespace: string | undefined, name: string) => readonly WorkspaceObject[];
}

interface State {
  readonly isNamespaced: IsNamespaced;
  readonly complete: boolean;
  readonly namespace: string;
  readonly files: ReadonlyMap<string, ManifestFile>;
  readonly roles: FileRoles;
  readonly entries: ReadonlyMap<string, FileEntry>;
  readonly kinds: ReadonlyMap<string, KindIndex>;
  readonly references: ReferenceCache;
}

/** Roles of files whose objects are found by name, and of those that name others. */
const DEFINING: ReadonlySet<FileRole> = new Set(['objects', 'kustomization']);
const NAMING: ReadonlySet<FileRole> = new Set(['objects', 'kustomization', 'patch']);

const STATE = Symbol('state');

interface IndexedSnapshot extends Snapshot {
  readonly [STATE]: State;
}

/** A snapshot without files. */
export function emptySnapshot(isNamespaced: IsNamespaced, options: SnapshotOptions = {}): Snapshot {
  const { complete = false, namespace = 'default' } = options;
  const files = new Map<string, ManifestFile>();
  return snapshotOf({
    isNamespaced,
    complete,
    namespace,
    files,
    roles: fileRolesOf(files),
    entries: new Map(),
    kinds: new Map(),
    references: new WeakMap(),
  });
}

/**
 * The snapshot after some files changed. Files and kinds that did not change are shared with the old one, which stays
 * as it is. Costs time in proportion to the changed files, not to the workspace.
 */
export function withFiles(snapshot: Snapshot, changed: readonly FileChange[]): Snapshot {
  const state = stateOf(snapshot);
  const files = new Map(state.files);
  for (const { uri, file } of changed) {
    if (file === undefined) files.delete(uri);
    else files.set(uri, file);
  }
  const roles = fileRolesOf(files, state.roles);
  const changes = roles === state.roles ? changed : [...changed, ...ofOtherRole(state, roles, changed)];
  const entries = new Map(state.entries);
  const touched = new Set<string>();
  for (const { uri, file } of changes) {
    for (const key of entries.get(uri)?.kinds.keys() ?? []) touched.add(key);
    if (file === undefined) {
      entries.delete(uri);
      continue;
    }
    const entry = fileEntry(file, roles.of(file), state);
    for (const key of entry.kinds.keys()) touched.add(key);
    entries.set(uri, entry);
  }
  const kinds = new Map(state.kinds);
  for (const key of touched) {
    const byFile = new Map(state.kinds.get(key)?.byFile);
    for (const { uri } of changes) {
      const objects = entries.get(uri)?.kinds.get(key);
      if (objects === undefined) byFile.delete(uri);
      else byFile.set(uri, objects);
    }
    if (byFile.size === 0) kinds.delete(key);
    else kinds.set(key, kindIndex(byFile));
  }
  return snapshotOf({ ...state, files, roles, entries, kinds });
}

/** Files that did not change, but mean something else now: a kustomization or a chart around them did. */
function ofOtherRole(state: State, roles: FileRoles, changed: readonly FileChange[]): readonly FileChange[] {
  const isChanged = new Set(changed.map(it => it.uri));
  return [...state.entries.values()]
    .filter(({ file, role }) => !isChanged.has(file.uri) && roles.of(file) !== role)
    .map(({ file }) => ({ uri: file.uri, file }));
}

function snapshotOf(state: State): IndexedSnapshot {
  return {
    [STATE]: state,
    files: state.files,
    roles: state.roles,
    complete: state.complete,
    objectsIn: uri => state.entries.get(uri)?.objects ?? [],
    objectsOf: (group, kind) => state.kinds.get(kindKey(group, kind))?.all() ?? [],
    find: (group, kind, namespace, name) => state.kinds.get(kindKey(group, kind))?.named(namespace, name) ?? [],
    references: referenceIndex(
      [...state.entries.values()].map(it => it.references),
      state.references,
    ),
  };
}

function stateOf(snapshot: Snapshot): State {
  if (!(STATE in snapshot)) throw new Error('this snapshot was not made by emptySnapshot');
  return (snapshot as IndexedSnapshot)[STATE];
}

function fileEntry(file: ManifestFile, role: FileRole, { isNamespaced, namespace, references }: State): FileEntry {
  const objects = file.documents.flatMap(it =>
    it.objects.map(object => workspaceObject(object, isNamespaced, namespace)),
  );
  const kinds = new Map<string, WorkspaceObject[]>();
  if (DEFINING.has(role)) for (const object of objects) push(kinds, kindKey(object.group, object.kind), object);
  const naming = NAMING.has(role) ? objects : [];
  return { file, role, objects, kinds, references: fileReferences(naming, references) };
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

function kindIndex(byFile: KindIndex['byFile']): KindIndex {
  const all = lazy(() => [...byFile.values()].flat());
  const index = lazy(() => {
    const names = new Map<string, WorkspaceObject[]>();
    for (const object of all()) {
      if (object.name !== undefined) push(names, nameKey(object.namespace, object.name), object);
    }
    return names;
  });
  return { byFile, all, named: (namespace, name) => index().get(nameKey(namespace, name)) ?? [] };
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function nameKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ''}/${name}`;
}

function stringAt(object: JsonObject, field: string): string | undefined {
  const value = object[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
