/** What is done with lists of any length, of which V8 takes some 120,000 items at most as arguments of one call. */

/** The largest number; -Infinity of none. */
export function largest(numbers: Iterable<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const it of numbers) most = Math.max(most, it);
  return most;
}

/** The smallest number; Infinity of none. */
export function smallest(numbers: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const it of numbers) least = Math.min(least, it);
  return least;
}

/** The entries of all records in one; of a key that several have, the last. */
export function assigned<V>(records: Iterable<Readonly<Record<string, V>>>): Record<string, V> {
  const all: Record<string, V> = {};
  for (const it of records) Object.assign(all, it);
  return all;
}
