import type { JsonObject } from '../../base/json';
import { jsonText } from '../../base/printed';
import type { ClusterLibrary } from './cel/libraries';
import type { ClusterObjects } from './resource/clusterObjects';
import type { Resource } from './resource/resource';
import type { KyvernoWorld } from './world';

/** What a policy read of objects other than the one that it is asked about. */
export interface ObjectRead {
  /** Equal for reads of the same. */
  readonly key: string;
  /** Whether it would read the same in another state of the workspace. */
  readonly isSameIn: (world: KyvernoWorld) => boolean;
}

type NoteObjectRead = (read: ObjectRead) => void;

/** Makes the world of a state of the workspace, which notes what is read. */
export type MakeWorld = (note: NoteObjectRead) => KyvernoWorld;

export interface ReadRecorder {
  readonly note: NoteObjectRead;
  /** Does some work and tells what was read meanwhile. The work must be synchronous. */
  readonly during: <T>(work: () => T) => { readonly result: T; readonly reads: readonly ObjectRead[] };
}

export function readRecorder(): ReadRecorder {
  const state: { open: Map<string, ObjectRead> | undefined } = { open: undefined };
  return {
    note: read => void state.open?.set(read.key, read),
    during(work) {
      const reads = new Map<string, ObjectRead>();
      state.open = reads;
      try {
        return { result: work(), reads: [...reads.values()] };
      } finally {
        state.open = undefined;
      }
    },
  };
}

/** A world that notes what is read of other objects. Namespaces and exceptions are not noted: policies depend on all of them. */
export function notingWorld(world: KyvernoWorld, note: NoteObjectRead): KyvernoWorld {
  const { configMap } = world;
  return {
    ...world,
    ...(configMap && {
      configMap: noting(note, 'ConfigMap', configMap, (other, namespace, name) => other.configMap?.(namespace, name)),
    }),
    apiCall: noting(note, 'apiCall', world.apiCall, (other, path) => other.apiCall(path)),
    objectsOf: noting(note, 'objectsOf', world.objectsOf, (other, apiVersion, kind) =>
      other.objectsOf(apiVersion, kind),
    ),
    clusterObjects: notingObjects(world.clusterObjects, note),
  };
}

/** The same for the functions of CEL. */
export const notingLibrary = (library: ClusterLibrary, note: NoteObjectRead): ClusterLibrary => ({
  ...library,
  get: noting(note, 'get', library.get, (other, ...args) => other.library.get(...args)),
  list: noting(note, 'list', library.list, (other, ...args) => other.library.list(...args)),
});

/** `again` is a parameter, as a function that is made for a read would keep the world that was read alive. */
function noting<Args extends readonly string[], Found>(
  note: NoteObjectRead,
  name: string,
  read: (...args: Args) => Found,
  again: (world: KyvernoWorld, ...args: Args) => unknown,
): (...args: Args) => Found {
  return (...args) => {
    const found = read(...args);
    note({ key: [name, ...args].join('\n'), isSameIn: readAgain(found, again, args) });
    return found;
  };
}

const readAgain =
  <Args extends readonly string[]>(
    found: unknown,
    again: (world: KyvernoWorld, ...args: Args) => unknown,
    args: Args,
  ): ObjectRead['isSameIn'] =>
  world =>
    isSame(again(world, ...args), found);

function notingObjects(objects: ClusterObjects, note: NoteObjectRead): ClusterObjects {
  return {
    ...objects,
    all() {
      noteKinds(objects.kinds(), objects, note);
      return objects.all();
    },
    ofKinds(kinds) {
      noteKinds(kinds, objects, note);
      return objects.ofKinds(kinds);
    },
    sameAs(named) {
      const found = objects.sameAs(named);
      note(readOfNamed(named, valuesIn(found)));
      return found;
    },
  };
}

const valuesIn = (found: readonly Resource[]): readonly JsonObject[] => found.map(it => it.object.manifest.value);

const readOfNamed = (named: readonly JsonObject[], found: readonly JsonObject[]): ObjectRead => ({
  key: ['sameAs', ...named.map(it => jsonText([it.apiVersion, it.kind, it.metadata]))].join('\n'),
  isSameIn: ({ clusterObjects }) => isSame(valuesIn(clusterObjects.sameAs(named)), found),
});

/** Which kinds are wanted may be different with another kind. */
function noteKinds(wanted: readonly string[], objects: ClusterObjects, note: NoteObjectRead): void {
  const kinds = objects.kinds();
  const found = wanted.map(objects.valuesOfKind);
  note({
    key: ['kinds', ...wanted].join('\n'),
    isSameIn: ({ clusterObjects: now }) =>
      isSame(now.kinds(), kinds) && wanted.every((it, i) => isSame(now.valuesOfKind(it), found[i])),
  });
}

/** Values of objects that did not change are the same ones; lists, and answers with a list, are made anew in each state. */
function isSame(now: unknown, before: unknown): boolean {
  if (now === before) return true;
  const [a, b] = [itemsOf(now), itemsOf(before)];
  return a !== undefined && b !== undefined && a.length === b.length && a.every((it, i) => it === b[i]);
}

function itemsOf(found: unknown): readonly unknown[] | undefined {
  if (Array.isArray(found)) return found;
  const isAnswer = typeof found === 'object' && found !== null && 'kind' in found && found.kind === 'List';
  return isAnswer && 'items' in found && Array.isArray(found.items) ? found.items : undefined;
}
