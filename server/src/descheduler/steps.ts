import type { UnknownObject } from '../base/json';
import type { IsOver, Steps } from '../base/steps';

/** What a round leaves for the scheduler: nobody that left is placed again yet. */
export interface Left {
  readonly objects: readonly UnknownObject[];
  /** NAMESPACE/NAME of Pods that nobody makes again. */
  readonly lost: readonly string[];
}

/**
 * Yields what each round leaves, and nothing where it only lets others have a turn; told to stop, it returns what it has so
 * far.
 */
export type StoppableSteps<T> = Generator<Left | undefined, T, 'stop' | undefined>;

/** All steps one after the other, told to stop as soon as there is no more time. */
export function runAllRounds<T>(steps: StoppableSteps<T>, isOver?: IsOver): T {
  let step = steps.next();
  while (!step.done) step = steps.next(isOver?.() === true ? 'stop' : undefined);
  return step.value;
}

/** Goes through turns, and leaves them where it is told to stop. */
export function* forwardingStop<T>(turns: Steps<T>): StoppableSteps<T | 'stopped'> {
  for (;;) {
    const turn = turns.next();
    if (turn.done) return turn.value;
    if ((yield undefined) === 'stop') return 'stopped';
  }
}

/** Steps as turns of other work, told to stop as soon as there is no more time. */
export function* stoppedWhen<T>(isOver: () => boolean, steps: StoppableSteps<T>): Steps<T> {
  let step = steps.next();
  while (!step.done) {
    yield;
    step = steps.next(isOver() ? 'stop' : undefined);
  }
  return step.value;
}
