import type { PolicyAnswer, PolicyCheck, PolicyJudge, PolicySet } from '../../policy/policySet';
import { type FilesVersion, filesChangedBetween } from '../../workspace/filesVersion';
import type { Snapshot } from '../../workspace/workspace';

/** The loaded policies of one engine with their answers. Environments with equal policies share it. */
export interface LoadedPolicySet {
  readonly set: PolicyJudge;
  /** The files of the objects that were to be evaluated when it was loaded. */
  readonly uris: ReadonlySet<string>;
  /** The `cache` of the environments: the same object where objects are equal. */
  readonly index: object;
  /** Results about the policies themselves; undefined: not checked yet. */
  check: PolicyCheck | undefined;
  /** By `contentId`. */
  readonly answers: WeakMap<object, PolicyAnswer>;
  /** The policies that these replace, released once these are loaded. */
  previous: PolicyJudge | undefined;
}

/** Answers of a loaded set. */
export type SetAnswers = Pick<LoadedPolicySet, 'check' | 'answers'>;

interface EnvironmentWithId {
  readonly environment: { readonly id: string };
}

interface EnvironmentOfFiles extends EnvironmentWithId {
  readonly snapshot: Pick<Snapshot, 'version'>;
}

/** The loaded policies, by environment and engine. */
export interface LoadedPolicySets {
  readonly all: () => readonly LoadedPolicySet[];
  readonly of: (environment: EnvironmentWithId, engines: readonly string[]) => readonly LoadedPolicySet[];
  readonly find: (environment: EnvironmentWithId, engine: string) => LoadedPolicySet | undefined;
  /** An equal set of any environment. */
  readonly findEqual: (index: object, engine: string, set: PolicySet) => LoadedPolicySet | undefined;
  /** Removes the set of an environment. */
  readonly drop: (environment: EnvironmentWithId, engine: string) => void;
  /** Replaces the set of an environment, by an equal one of another environment where there is one. */
  readonly put: (
    environment: EnvironmentWithId & { readonly cache: object },
    engine: string,
    set: PolicySet,
    answers?: SetAnswers,
  ) => LoadedPolicySet;
  /** Releases the policies that a set replaced. What both share is taken over by the first evaluation. */
  readonly releasePrevious: (loaded: LoadedPolicySet) => void;
  /** Notes that all objects of an environment have answers of its loaded policies. */
  readonly judged: (environment: EnvironmentOfFiles, engine: string, loaded: LoadedPolicySet) => void;
  /** The files of an environment that changed since then, as far as that is known; undefined: these may be all. */
  readonly changedSinceJudged: (
    environment: EnvironmentOfFiles,
    engine: string,
    loaded: LoadedPolicySet,
  ) => readonly string[] | undefined;
  /** Removes the sets of all other environments. */
  readonly keepOnly: (environments: ReadonlySet<string>) => void;
}

export function createLoadedPolicySets(): LoadedPolicySets {
  const sets = new Map<string, LoadedPolicySet>();
  /** For which files each environment had all answers, and of which policies. */
  const complete = new Map<string, { readonly loaded: LoadedPolicySet; readonly version: FilesVersion }>();

  function releaseUnused(set: PolicyJudge | undefined): void {
    if (![...sets.values()].some(it => it.set === set || it.previous === set)) set?.release();
  }

  const findEqual: LoadedPolicySets['findEqual'] = (index, engine, set) =>
    [...sets].find(([key, it]) => key.startsWith(`${engine}\n`) && isEqualSet(it, set, index))?.[1];

  return {
    findEqual,
    all: () => [...sets.values()],
    of: (environment, engines) => engines.flatMap(it => sets.get(keyOf(environment, it)) ?? []),
    find: (environment, engine) => sets.get(keyOf(environment, engine)),
    drop(environment, engine) {
      const key = keyOf(environment, engine);
      const loaded = sets.get(key);
      sets.delete(key);
      complete.delete(key);
      releaseUnused(loaded?.set);
    },
    put(environment, engine, set, answers = { check: undefined, answers: new WeakMap() }) {
      const key = keyOf(environment, engine);
      const previous = sets.get(key)?.set;
      const shared = findEqual(environment.cache, engine, set);
      const loaded = shared ?? { ...withoutObjects(set), index: environment.cache, previous, ...answers };
      sets.set(key, loaded);
      complete.delete(key);
      if (shared !== undefined) releaseUnused(previous);
      return loaded;
    },
    releasePrevious(loaded) {
      const { previous } = loaded;
      loaded.previous = undefined;
      releaseUnused(previous);
    },
    judged(environment, engine, loaded) {
      complete.set(keyOf(environment, engine), { loaded, version: environment.snapshot.version() });
    },
    changedSinceJudged(environment, engine, loaded) {
      const last = complete.get(keyOf(environment, engine));
      return last?.loaded === loaded ? filesChangedBetween(last.version, environment.snapshot.version()) : undefined;
    },
    keepOnly(environments) {
      for (const [key, { set }] of sets) {
        if (environments.has(key.slice(key.indexOf('\n') + 1))) continue;
        sets.delete(key);
        complete.delete(key);
        releaseUnused(set);
      }
    },
  };
}

function withoutObjects({ objects, ...set }: PolicySet): Pick<LoadedPolicySet, 'set' | 'uris'> {
  return { set, uris: new Set(objects().map(it => it.manifest.uri)) };
}

/** Whether a set has the same policies and inventory as a loaded one. The loaded one keeps its earlier objects. */
export const isEqualSet = (loaded: LoadedPolicySet, set: PolicySet, index: object): boolean =>
  hasSameParts(loaded, set, index) && hasSameItems(contentIdsOf(loaded.set.inventory), contentIdsOf(set.inventory));

/** Whether a set has the same policies as a loaded one; their inventory may differ. */
export const hasSameParts = (loaded: LoadedPolicySet, set: PolicySet, index: object): boolean =>
  loaded.index === index && hasSameItems(loaded.set.dependencies, set.dependencies);

const contentIdsOf = (objects: PolicyJudge['inventory'] = []): readonly object[] =>
  objects.map(it => it.manifest.contentId);

const keyOf = ({ environment }: EnvironmentWithId, engine: string): string => `${engine}\n${environment.id}`;

export const hasSameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((it, i) => it === b[i]);
