/** Work that may be left between any two of its turns, and taken up again where it was left. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Whether the time that somebody has for a piece of work is over. */
export type IsOver = () => boolean;

/** Work was left because its time was over, and what it had by then is of no use. */
export class OutOfTime extends Error {}

/** The same turns as long as there is time. Throws OutOfTime. */
export function* withinTime<T>(turns: Steps<T>, isOver: IsOver | undefined): Steps<T> {
  if (isOver === undefined) return yield* turns;
  for (;;) {
    if (isOver()) throw new OutOfTime();
    const turn = turns.next();
    if (turn.done) return turn.value;
    yield;
  }
}

/** All turns one after the other. */
export function runToEnd<T>(turns: Steps<T>): T {
  let step = turns.next();
  while (!step.done) step = turns.next();
  return step.value;
}

/** Of what is quickly done to each item so many make a turn. */
const QUICK_ITEMS = 32;

/** `forEach` that may be left after every few items. */
export function* eachInSteps<T>(items: Iterable<T>, visit: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % QUICK_ITEMS === 0) yield;
  }
}

/** `map` that may be left after every few items. */
export function* mapInSteps<T, R>(items: Iterable<T>, make: (item: T) => R): Steps<readonly R[]> {
  const made: R[] = [];
  yield* eachInSteps(items, it => {
    made.push(make(it));
  });
  return made;
}
