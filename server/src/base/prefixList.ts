/**
 * A list that grows at its end, as it was at one moment: all its moments share their items, so that a run over thousands
 * of Pods does not copy what it has said for each of them.
 */
export interface PrefixList<T> {
  readonly length: number;
  /** Those of later moments come after `length`. */
  readonly items: readonly T[];
}

export const prefixList = <T>(items: readonly T[]): PrefixList<T> => ({ length: items.length, items });

/** The list with one more; copied only where it went on in another way before. */
export function appended<T>({ length, items }: PrefixList<T>, next: T): PrefixList<T> {
  const own = (items.length === length ? items : items.slice(0, length)) as T[];
  own.push(next);
  return { length: length + 1, items: own };
}

export const itemsOf = <T>({ length, items }: PrefixList<T>): readonly T[] => items.slice(0, length);
