import type { Analysis } from '../analysis/analysis';

/** How long one turn of a simulation may hold the loop. */
const TURN_MILLISECONDS = 8;

export interface PlacingWorld {
  readonly analysis: () => Analysis;
  /** Resolves when the messages that have come in are handled. */
  readonly breathe: () => Promise<void>;
  readonly now: () => number;
}

type Turns<T> = Iterator<undefined, T, undefined>;

/** Long simulations, with all else that is asked in between. */
export interface Placing {
  /** undefined: nobody wants it any more. Begins anew where something changed meanwhile. */
  worked<T>(work: (analysis: Analysis) => Turns<T>, isWanted: () => boolean): Promise<T | undefined>;
  /** Whether what follows about a file has nothing long to place. */
  placed(uri: string, isWanted: () => boolean): Promise<boolean>;
}

export function createPlacing({ analysis, breathe, now }: PlacingWorld): Placing {
  const worked: Placing['worked'] = async (work, isWanted) => {
    for (let [asked, turns] = [analysis(), work(analysis())]; ; ) {
      const until = now() + TURN_MILLISECONDS;
      let step = turns.next();
      while (!step.done && now() < until) step = turns.next();
      if (step.done) return step.value;
      await breathe();
      if (!isWanted()) return undefined;
      if (analysis() !== asked) [asked, turns] = [analysis(), work(analysis())];
    }
  };
  return {
    worked,
    async placed(uri, isWanted) {
      const isDone = await worked(function* (it) {
        yield* it.placing(uri);
        return true;
      }, isWanted);
      return isDone === true;
    },
  };
}
