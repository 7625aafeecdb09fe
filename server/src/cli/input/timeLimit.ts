import { type IsCancelled, OutOfTime } from '../../analysis/scenario';
import type { CliWorld } from '../world';
import { readCount } from './options';

const DEFAULT_TIME_LIMIT = '60';

/** The time that a command has, and what it had to leave out. */
export interface TimeLimit {
  readonly isOver: IsCancelled;
  /** The share of the time that is used up; above 1 once it is over. */
  readonly used: () => number;
  /** The result of a part of the work; undefined, and remembered under `missing`, where the time was over before. */
  readonly within: <T>(missing: string, work: () => T | Promise<T>) => Promise<T | undefined>;
  /** Remembers what is missing because the time was over, such as "12 Pods had their turn". */
  readonly leave: (missing: string) => void;
  /** One sentence for all that is missing; undefined where nothing is. */
  readonly sentence: () => string | undefined;
}

/** Starts the clock. Throws UsageError. */
export function startTimeLimit(value: string | undefined, world: Pick<CliWorld, 'now'>): TimeLimit {
  const seconds = readCount('--time-limit', value ?? DEFAULT_TIME_LIMIT);
  const start = world.now();
  const end = start + seconds * 1_000;
  const isOver = (): boolean => world.now() > end;
  const left: string[] = [];
  const leave = (missing: string): void => {
    left.push(missing);
  };
  return {
    isOver,
    used: () => (world.now() - start) / (seconds * 1_000),
    leave,
    async within(missing, work) {
      try {
        if (!isOver()) return await work();
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
      }
      leave(missing);
      return undefined;
    },
    sentence: () =>
      left.length === 0
        ? undefined
        : `The time limit of ${seconds} s (--time-limit) was over before ${left.join(', and before ')}.`,
  };
}
