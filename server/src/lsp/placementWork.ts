import type { Analysis } from '../analysis/analysis';
import type { Steps } from '../base/steps';

/** How long one turn of a simulation may hold the loop. */
const SLICE_MILLISECONDS = 8;

/** How long one simulation may take of the loop, all its turns together. */
const BUDGET_MILLISECONDS = 60_000;

export interface PlacementWorld {
  readonly analysis: () => Analysis;
  /** Resolves when the messages that have come in are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly now: () => number;
  /** Is told, once for each state of the files, that a simulation is given up as it takes too long. */
  readonly gaveUp?: () => void;
}

/** Long simulations, with all else that is asked in between. */
export interface PlacementWork {
  /** undefined: nobody wants it any more, or it takes too long. Begins anew where something changed meanwhile. */
  runInSlices<T>(work: (analysis: Analysis) => Steps<T>, isWanted: () => boolean): Promise<T | undefined>;
  /** Whether what follows about a file has nothing long to place. */
  place(uri: string, isWanted: () => boolean): Promise<boolean>;
}

export function createPlacementWork({ analysis, yieldToEventLoop, now, gaveUp }: PlacementWorld): PlacementWork {
  const tooLong = new WeakSet<Analysis>();
  const runInSlices: PlacementWork['runInSlices'] = async (work, isWanted) => {
    for (let [asked, turns, spent] = [analysis(), work(analysis()), 0]; ; ) {
      if (tooLong.has(asked)) return undefined;
      const start = now();
      let step = turns.next();
      while (!step.done && now() < start + SLICE_MILLISECONDS) step = turns.next();
      if (step.done) return step.value;
      spent += now() - start;
      if (spent > BUDGET_MILLISECONDS) {
        tooLong.add(asked);
        gaveUp?.();
        return undefined;
      }
      await yieldToEventLoop();
      if (!isWanted()) return undefined;
      if (analysis() !== asked) [asked, turns, spent] = [analysis(), work(analysis()), 0];
    }
  };
  return {
    runInSlices,
    async place(uri, isWanted) {
      const isDone = await runInSlices(function* (it) {
        yield* it.placing(uri);
        return true;
      }, isWanted);
      return isDone === true;
    },
  };
}
