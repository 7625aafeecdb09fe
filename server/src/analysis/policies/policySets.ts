import type { PolicyAnswer, PolicyCheck, PolicySet } from '../../policy/policySet';

/** The policies of one engine, with what is known by them. Environments that have the same policies share it. */
export interface LoadedPolicySet {
  readonly set: PolicySet;
  readonly index: object;
  checked: PolicyCheck | undefined;
  /** By `contentId`. */
  readonly answers: WeakMap<object, PolicyAnswer>;
  /** The policies that these took the place of; given back once these are loaded. */
  before: PolicySet | undefined;
}

/** What need not be asked again. */
export type KnownAnswers = Pick<LoadedPolicySet, 'checked' | 'answers'>;

/** Whose policies they are. */
export interface EnvironmentWithId {
  readonly environment: { readonly id: string };
}

/** The policies that are asked now, by environment and engine. */
export interface LoadedPolicySets {
  readonly all: () => readonly LoadedPolicySet[];
  readonly of: (place: EnvironmentWithId, engines: readonly string[]) => readonly LoadedPolicySet[];
  readonly find: (place: EnvironmentWithId, engine: string) => LoadedPolicySet | undefined;
  /** Those of any environment that say the same. */
  readonly alike: (ground: object, engine: string, set: PolicySet) => LoadedPolicySet | undefined;
  /** Lets go of those of an environment. */
  readonly drop: (place: EnvironmentWithId, engine: string) => void;
  /** Puts policies in the place of those of before; what others stand upon already is shared. */
  readonly put: (
    place: EnvironmentWithId & { readonly cache: object },
    engine: string,
    set: PolicySet,
    known?: KnownAnswers,
  ) => LoadedPolicySet;
  /** What it shares with the ones before was taken over while these were asked. */
  readonly settle: (standing: LoadedPolicySet) => void;
  readonly keepOnly: (environments: ReadonlySet<string>) => void;
}

export function createLoadedPolicySets(): LoadedPolicySets {
  const standings = new Map<string, LoadedPolicySet>();

  function releaseUnused(set: PolicySet | undefined): void {
    if (![...standings.values()].some(it => it.set === set || it.before === set)) set?.release();
  }

  const alike: LoadedPolicySets['alike'] = (ground, engine, set) =>
    [...standings].find(([key, it]) => key.startsWith(`${engine}\n`) && isAlike(it, set, ground))?.[1];

  return {
    alike,
    all: () => [...standings.values()],
    of: (place, engines) => engines.flatMap(it => standings.get(keyOf(place, it)) ?? []),
    find: (place, engine) => standings.get(keyOf(place, engine)),
    drop(place, engine) {
      const key = keyOf(place, engine);
      const known = standings.get(key);
      standings.delete(key);
      releaseUnused(known?.set);
    },
    put(place, engine, set, known = { checked: undefined, answers: new WeakMap() }) {
      const key = keyOf(place, engine);
      const before = standings.get(key)?.set;
      const shared = alike(place.cache, engine, set);
      const made = shared ?? { set, index: place.cache, before, ...known };
      standings.set(key, made);
      if (shared !== undefined) releaseUnused(before);
      return made;
    },
    settle(standing) {
      const { before } = standing;
      standing.before = undefined;
      releaseUnused(before);
    },
    keepOnly(environments) {
      for (const [key, { set }] of standings) {
        if (environments.has(key.slice(key.indexOf('\n') + 1))) continue;
        standings.delete(key);
        releaseUnused(set);
      }
    },
  };
}

/** Whether policies say the same as those that stand: then these go on, with objects of the state in which they were made. */
export const isAlike = (standing: LoadedPolicySet, set: PolicySet, ground: object): boolean =>
  hasSameParts(standing, set, ground) &&
  isSame(contentIdsOf(standing.set.surroundings), contentIdsOf(set.surroundings));

/** Whether they are the same policies, whatever else they see. */
export const hasSameParts = (standing: LoadedPolicySet, set: PolicySet, ground: object): boolean =>
  standing.index === ground && isSame(standing.set.parts, set.parts);

const contentIdsOf = (objects: PolicySet['surroundings'] = []): readonly object[] =>
  objects.map(it => it.manifest.contentId);

const keyOf = ({ environment }: EnvironmentWithId, engine: string): string => `${engine}\n${environment.id}`;

export const isSame = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((it, i) => it === b[i]);
