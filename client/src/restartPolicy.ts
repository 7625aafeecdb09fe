/** Decides whether and how the server is started again after a crash. */
export interface RestartPolicy {
  /** Records a crash, with the files that the server was reading then. */
  serverEnded(files: readonly string[]): 'start again' | 'stay stopped';
  /** Files at which it crashed twice. */
  readonly leftOutFiles: readonly string[];
  readonly isCareful: boolean;
  /** The user starts it by hand: all files are tried again. */
  reset(): void;
}

/** So many crashes within this time are too many. */
const MAX_CRASHES = 5;
const PERIOD_MILLISECONDS = 3 * 60_000;
/** A file is left out from the second crash on: the first may have had another cause. */
const CRASHES_OF_A_FILE = 2;

/** @param now milliseconds of any clock that does not go back */
export function createRestartPolicy(now: () => number): RestartPolicy {
  const state = { times: [] as readonly number[], crashes: [] as readonly (readonly string[])[] };
  const leftOut = (): readonly string[] => {
    const all = state.crashes.flat();
    return [...new Set(all)].filter(uri => all.filter(it => it === uri).length >= CRASHES_OF_A_FILE);
  };
  return {
    serverEnded(files) {
      const known = new Set(leftOut());
      state.crashes = [...state.crashes, [...new Set(files)]];
      const isNew = leftOut().some(it => !known.has(it));
      // A crash that is explained does not count: without that file the server may well run.
      state.times = isNew ? [] : [...state.times.filter(it => now() - it < PERIOD_MILLISECONDS), now()];
      return state.times.length >= MAX_CRASHES ? 'stay stopped' : 'start again';
    },
    get leftOutFiles() {
      return leftOut();
    },
    get isCareful() {
      return state.crashes.length > 0;
    },
    reset() {
      state.times = [];
      state.crashes = [];
    },
  };
}
