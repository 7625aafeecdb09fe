import type { CallLimits, EngineRequest, PolicyEngine } from './engine';

export interface LoadAnswer {
  readonly handle: number;
  readonly errors?: readonly ListedError[];
}

/** What could not be loaded of one of the lists of a request. */
export interface ListedError {
  readonly list: string;
  readonly index: number;
  readonly message: string;
}

/** Something that is loaded into the engine once and asked often; loaded again when the engine was started anew. */
export interface Loaded {
  /** The answer of the engine that runs now. `isFresh`: it was loaded just now. */
  get(request: () => EngineRequest): Promise<{ readonly answer: LoadAnswer; readonly isFresh: boolean }>;
  /** The next `get` loads again, and only then is the old one given back: what it shares need not be compiled again. */
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
