import type { Analysis } from '../analysis/analysis';
import type { IsCancelled, Steps } from '../base/steps';
import { untilRead } from './untilRead';

/** How long one slice of a simulation may block the event loop. */
const SLICE_MILLISECONDS = 8;

/** How long all slices of one simulation may take together. */
const BUDGET_MILLISECONDS = 60_000;

export interface PlacementWorld {
  readonly analysis: () => Analysis;
  /** Resolves when the files that are being read are known; undefined: none are. */
  readonly reading: () => Promise<void> | undefined;
  /** Resolves when received messages are handled. */
  readonly yieldToEventLoop: () => Promise<void>;
  readonly now: () => number;
  /** Called once per state of the files when a simulation is given up because it takes too long. */
  readonly gaveUp?: () => void;
}

/** Runs long simulations in slices, so that other requests are served in between. */
export interface PlacementWork {
  /**
   * undefined: no longer wanted, or it takes too long. Starts again after a change of the analysis, and waits while many files
   * are being read, each slice of which is a change. Whether it is wanted is asked before it waits.
   */
  runInSlices<T>(work: (analysis: Analysis) => Steps<T>, isWanted: () => boolean): Promise<T | undefined>;
  /** All of some work that goes on where the files change meanwhile. */
  finish<T>(steps: Steps<T>): Promise<T>;
  /** Whether work on the current state of the files was given up because it takes too long. */
  hasGivenUp(): boolean;
  /** Starts a time, by default that which all slices of one simulation may take: whether it is over. */
  startTime(milliseconds?: number): IsCancelled;
  /** Computes the placements of a file, so that following requests find them cached; false: no longer wanted, or too slow. */
  place(uri: string, isWanted: () => boolean): Promise<boolean>;
  /** The same for the problems of a file, which depend on its placements. */
  diagnose(uri: string, isWanted: () => boolean): Promise<boolean>;
}

export function createPlacementWork({
  analysis,
  reading,
  yieldToEventLoop,
  now,
  gaveUp,
}: PlacementWorld): PlacementWork {
  const tooLong = new WeakSet<Analysis>();
  const sliceOf = <T>(steps: Steps<T>): IteratorResult<undefined, T> => {
    const end = now() + SLICE_MILLISECONDS;
    let step = steps.next();
    while (!step.done && now() < end) step = steps.next();
    return step;
  };
  const runInSlices: PlacementWork['runInSlices'] = async (work, isWanted) => {
    if (!isWanted()) return undefined;
    await untilRead(reading);
    for (let [current, steps, spent] = [analysis(), work(analysis()), 0]; ; ) {
      if (tooLong.has(current)) return undefined;
      const start = now();
      const step = sliceOf(steps);
      if (step.done) return step.value;
      spent += now() - start;
      if (spent > BUDGET_MILLISECONDS) {
        tooLong.add(current);
        gaveUp?.();
        return undefined;
      }
      await yieldToEventLoop();
      if (!isWanted()) return undefined;
      if (analysis() === current) continue;
      await untilRead(reading);
      if (!isWanted()) return undefined;
      [current, steps, spent] = [analysis(), work(analysis()), 0];
    }
  };
  const isDoneInSlices = async (work: (of: Analysis) => Steps<unknown>, isWanted: () => boolean): Promise<boolean> => {
    const isDone = await runInSlices(function* (it) {
      yield* work(it);
      return true;
    }, isWanted);
    return isDone === true;
  };
  return {
    runInSlices,
    async finish(steps) {
      for (;;) {
        const step = sliceOf(steps);
        if (step.done) return step.value;
        await yieldToEventLoop();
      }
    },
    hasGivenUp: () => tooLong.has(analysis()),
    startTime(milliseconds = BUDGET_MILLISECONDS) {
      const end = now() + milliseconds;
      return () => now() > end;
    },
    diagnose: (uri, isWanted) =>
      isDoneInSlices(function* (it) {
        yield* it.placing(uri);
        yield* it.diagnosticsInSteps(uri, 'whole');
      }, isWanted),
    place: (uri, isWanted) => isDoneInSlices(it => it.placing(uri), isWanted),
  };
}
