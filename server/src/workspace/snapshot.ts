import { isObject } from '../manifest/json';
import { lazy } from '../manifest/lazy';
import type { JsonObject, ManifestFile, ManifestObject } from '../manifest/manifest';
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
}

/** Objects of one file by kind key, in the order in which they are written. */
type KindsOfFile = ReadonlyMap<string, readonly WorkspaceObject[]>;

interface FileEntry {
  readonly file: ManifestFile;
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
  readonly entries: ReadonlyMap<string, FileEntry>;
  readonly kinds: ReadonlyMap<string, KindIndex>;
  readonly references: ReferenceCache;
}

const STATE = Symbol('state');

interface IndexedSnapshot extends Snapshot {
  readonly [STATE]: State;
}

/** A snapshot without files. */
export function emptySnapshot(isNamespaced: IsNamespaced, options: SnapshotOptions = {}): Snapshot {
  const complete = options.complete ?? false;
  return snapshotOf({ isNamespaced, complete, entries: new Map(), kinds: new Map(), references: new WeakMap() });
}

/**
 * The snapshot after some files changed. Files and kinds that did not change are shared with the old one, which stays
 * as it is. Costs time in proportion to the changed files, not to the workspace.
 */
export function withFiles(snapshot: Snapshot, changes: readonly FileChange[]): Snapshot {
  const state = stateOf(snapshot);
  const entries = new Map(state.entries);
  const touched = new Set<string>();
  for (const { uri, file } of changes) {
    for (const key of entries.get(uri)?.kinds.keys() ?? []) touched.add(key);
    if (file === undefined) {
      entries.delete(uri);
      continue;
    }
    const entry = fileEntry(file, state);
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
  return snapshotOf({ ...state, entries, kinds });
}

/** The same files read with another idea of which kinds are namespaced, or of completeness. */
export function withOptions(snapshot: Snapshot, isNamespaced: IsNamespaced, options: SnapshotOptions = {}): Snapshot {
  const files = [...snapshot.files.values()].map(file => ({ uri: file.uri, file }));
  return withFiles(emptySnapshot(isNamespaced, options), files);
}

function snapshotOf(state: State): IndexedSnapshot {
  return {
    [STATE]: state,
    files: new Map([...state.entries].map(([uri, entry]) => [uri, entry.file])),
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

function fileEntry(file: ManifestFile, { isNamespaced, references }: State): FileEntry {
  const objects = file.documents.flatMap(it => it.objects.map(object => workspaceObject(object, isNamespaced)));
  const kinds = new Map<string, WorkspaceObject[]>();
  for (const object of objects) push(kinds, kindKey(object.group, object.kind), object);
  return { file, objects, kinds, references: fileReferences(objects, references) };
}

/** Works out the identity of an object; fields that are missing or of the wrong type count as empty. */
export function workspaceObject(manifest: ManifestObject, isNamespaced: IsNamespaced): WorkspaceObject {
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
  const namespace = namespaced === false ? undefined : (written ?? (namespaced === true ? 'default' : undefined));
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
