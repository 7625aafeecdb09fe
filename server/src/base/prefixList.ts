/**
 * An immutable list that is extended at its end. A list and its extensions share one array, so that a run over thousands of
 * Pods does not copy its results for each of them.
 */
export interface PrefixList<T> {
  readonly length: number;
  /** The shared array; items from `length` on belong to extensions. */
  readonly items: readonly T[];
}

export const prefixList = <T>(items: readonly T[]): PrefixList<T> => ({ length: items.length, items });

/** The list with one more item. The array is copied only if another extension has already used the place. */
export function appended<T>({ length, items }: PrefixList<T>, next: T): PrefixList<T> {
  const own = (items.length === length ? items : items.slice(0, length)) as T[];
  own.push(next);
  return { length: length + 1, items: own };
}

export const itemsOf = <T>({ length, items }: PrefixList<T>): readonly T[] => items.slice(0, length);
