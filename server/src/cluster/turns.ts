/** Work that may be left between any two of its turns, and taken up again where it was left. */
export type Turns<T> = Generator<undefined, T, undefined>;

/** All turns one after the other. */
export function atOnce<T>(turns: Turns<T>): T {
  let step = turns.next();
  while (!step.done) step = turns.next();
  return step.value;
}

/** Of what is quickly done to each item so many make a turn. */
const QUICK_ITEMS = 32;

/** `forEach` that may be left after every few items. */
export function* eachInTurns<T>(items: Iterable<T>, visit: (item: T) => void): Turns<void> {
  let count = 0;
  for (const item of items) {
    visit(item);
    if (++count % QUICK_ITEMS === 0) yield;
  }
}

/** `map` that may be left after every few items. */
export function* mapInTurns<T, R>(items: Iterable<T>, make: (item: T) => R): Turns<readonly R[]> {
  const made: R[] = [];
  yield* eachInTurns(items, it => {
    made.push(make(it));
  });
  return made;
}
