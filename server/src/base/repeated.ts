/** The first index of each value of a list. */
export function firstIndexes<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const first = new Map<T, number>();
  for (const [i, value] of values.entries()) if (!first.has(value)) first.set(value, i);
  return first;
}

/** The indexes of the values that occur earlier in the list, too. */
export function repeatedAt(values: readonly unknown[]): ReadonlySet<number> {
  const first = firstIndexes(values);
  return new Set(values.flatMap((value, i) => (first.get(value) === i ? [] : [i])));
}
