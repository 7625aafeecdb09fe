import type { CallLimits, EngineRequest, PolicyEngine } from './engine';

export interface LoadAnswer {
  readonly handle: number;
  readonly errors?: readonly ListedError[];
}

/** An item of one of a request's lists that could not be loaded. */
export interface ListedError {
  readonly list: string;
  readonly index: number;
  readonly message: string;
}

/** Data that is loaded into the engine once and used by many calls. It is loaded again after the engine restarted. */
export interface Loaded {
  /** The load answer of the running engine. `isFresh`: this call loaded it. */
  get(request: () => EngineRequest): Promise<{ readonly answer: LoadAnswer; readonly isFresh: boolean }>;
  /**
   * Makes the next `get` load again. The old data is released only after that, so that shared parts are not compiled
   * again.
   */
  outdate(): void;
  release(): void;
}

export function loadedIn(engine: PolicyEngine, limits?: CallLimits): Loaded {
  const state: { answer?: LoadAnswer | undefined; old?: LoadAnswer | undefined; generation: number } = {
    generation: 0,
  };
  const giveBack = (answer: LoadAnswer | undefined): void => {
    if (answer === undefined || state.generation !== engine.generation()) return;
    engine.call({ op: 'release', handle: answer.handle }).catch(() => undefined);
  };
  return {
    async get(request) {
      if (state.answer !== undefined && state.generation === engine.generation()) {
        return { answer: state.answer, isFresh: false };
      }
      const answer = (await engine.call(request(), limits)) as LoadAnswer;
      if (state.generation === engine.generation()) giveBack(state.old);
      Object.assign(state, { answer, old: undefined, generation: engine.generation() });
      return { answer, isFresh: true };
    },
    outdate() {
      if (state.answer !== undefined) Object.assign(state, { old: state.answer, answer: undefined });
    },
    release() {
      giveBack(state.answer ?? state.old);
      Object.assign(state, { answer: undefined, old: undefined });
    },
  };
}
