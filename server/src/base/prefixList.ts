/**
 * A list that grows at its end, as it was at one moment: all its moments share their items, so that a run over thousands
 * of Pods does not copy what it has said for each of them.
 */
export interface Trail<T> {
  readonly length: number;
  /** Those of later moments come after `length`. */
  readonly items: readonly T[];
}

export const trailOf = <T>(items: readonly T[]): Trail<T> => ({ length: items.length, items });

/** The list with one more; copied only where it went on in another way before. */
export function followedBy<T>({ length, items }: Trail<T>, next: T): Trail<T> {
  const own = (items.length === length ? items : items.slice(0, length)) as T[];
  own.push(next);
  return { length: length + 1, items: own };
}

export const itemsOf = <T>({ length, items }: Trail<T>): readonly T[] => items.slice(0, length);
