/** Each value of a list to the index of the first place where it stands. */
export function firstIndexes<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const first = new Map<T, number>();
  for (const [i, value] of values.entries()) if (!first.has(value)) first.set(value, i);
  return first;
}

/** The indexes of a list at which a value stands that stood before. */
export function repeatedAt(values: readonly unknown[]): ReadonlySet<number> {
  const first = firstIndexes(values);
  return new Set(values.flatMap((value, i) => (first.get(value) === i ? [] : [i])));
}
