/** Work that may be left between any two of its turns, and taken up again where it was left. */
export type Turns<T> = Generator<undefined, T, undefined>;

/** All turns one after the other. */
export function atOnce<T>(turns: Turns<T>): T {
  let step = turns.next();
  while (!step.done) step = turns.next();
  return step.value;
}
