import { compareText } from './compareText';

/**
 * The names nearest to a misspelt one, best first. At most a third of the letters may differ (at least one, at most three).
 * A difference in case counts nothing. Written by hand: fastest-levenshtein has no swapped letters and no limit at which
 * it stops.
 */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const plain = name.toLowerCase();
  return [...candidates]
    .filter(it => it !== name && Math.abs(it.length - name.length) <= limit)
    .map(it => ({ it, distance: editDistance(plain, it.toLowerCase(), limit) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance || compareText(a.it, b.it))
    .map(({ it }) => it);
}

/** Damerau-Levenshtein distance (a swap of adjacent letters counts one); any distance above `limit` may come out as `limit + 1`. */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      next.push(swap ? Math.min(least, at(before, j - 2) + 1) : least);
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

function at(row: readonly number[], i: number): number {
  return row[i] ?? Number.POSITIVE_INFINITY;
}
