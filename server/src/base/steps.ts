/** Work in small steps, one for each `yield`: it can be paused between two steps and continued later. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Whether work should end early: it was cancelled, or its time limit has passed. */
export type IsCancelled = () => boolean;

/** Thrown where work is cancelled and its partial result is of no use. */
export class OutOfTime extends Error {}

/** The result of work; undefined: its time was over before it was complete. */
export function unlessOutOfTime<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}

/** The result of steps; undefined: their time was over before they were complete. */
export function* unlessStepsOutOfTime<T>(steps: Steps<T>): Steps<T | undefined> {
  try {
    return yield* steps;
  } catch (error) {
    if (error instanceof OutOfTime) return undefined;
    throw error;
  }
}

/** The same steps. Throws OutOfTime before the first step that would begin after the work was cancelled. */
export function* withinTime<T>(steps: Steps<T>, isCancelled: IsCancelled | undefined): Steps<T> {
  if (isCancelled === undefined) return yield* steps;
  for (;;) {
    if (isCancelled()) throw new OutOfTime();
    const step = steps.next();
    if (step.done) return step.value;
    yield;
  }
}

/** The same steps; returns 'cancelled' once the work is cancelled between two of them. */
export function* untilCancelled<T>(steps: Steps<T>, isCancelled: IsCancelled | undefined): Steps<T | 'cancelled'> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield;
    if (isCancelled?.() === true) return 'cancelled';
  }
}

/** Runs all steps without a pause. */
export function runToEnd<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Items per step, for work that is quickly done for each item. */
const ITEMS_PER_STEP = 32;

/** `forEach` in steps of a few items. */
export function* eachInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % ITEMS_PER_STEP === 0) yield;
  }
}

/** `map` in steps of a few items. */
export function* mapInSteps<T, R>(items: Iterable<T>, make: (item: T) => R): Steps<readonly R[]> {
  const made: R[] = [];
  yield* eachInSteps(items, it => {
    made.push(make(it));
  });
  return made;
}
