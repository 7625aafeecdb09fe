/** What the server is started with after it ended without being asked to. */
export interface RestartPolicy {
  /** Notes an end, with the files that the server looked at then. */
  serverEnded(lookedAt: readonly string[]): 'start again' | 'stay stopped';
  /** Files at which it ended twice. */
  readonly leftOutFiles: readonly string[];
  readonly isCareful: boolean;
  /** Somebody starts it by hand: all is tried again. */
  reset(): void;
}

/** This many ends within this time are too many. */
const MOST_ENDS = 5;
const PERIOD_MILLISECONDS = 3 * 60_000;
/** A file is left out from its second end on: the first may have had another cause. */
const ENDS_OF_A_FILE = 2;

/** @param now milliseconds of any clock that does not go back */
export function createRestartPolicy(now: () => number): RestartPolicy {
  const state = { times: [] as readonly number[], looks: [] as readonly (readonly string[])[] };
  const leftOut = (): readonly string[] => {
    const all = state.looks.flat();
    return [...new Set(all)].filter(uri => all.filter(it => it === uri).length >= ENDS_OF_A_FILE);
  };
  return {
    serverEnded(lookedAt) {
      const known = new Set(leftOut());
      state.looks = [...state.looks, [...new Set(lookedAt)]];
      const isNew = leftOut().some(it => !known.has(it));
      // An end that is explained does not count: without that file the server may well live.
      state.times = isNew ? [] : [...state.times.filter(it => now() - it < PERIOD_MILLISECONDS), now()];
      return state.times.length >= MOST_ENDS ? 'stay stopped' : 'start again';
    },
    get leftOutFiles() {
      return leftOut();
    },
    get isCareful() {
      return state.looks.length > 0;
    },
    reset() {
      state.times = [];
      state.looks = [];
    },
  };
}
