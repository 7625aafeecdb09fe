import { compareText } from './compareText';

/**
 * The names nearest to a misspelt one, best first. At most a third of the letters may differ (at least one, at most three).
 * A difference in case counts nothing. Written by hand: fastest-levenshtein has no swapped letters and no limit at which
 * it stops.
 */
export function nearestNames(name: string, candidates: Iterable<string>): readonly string[] {
  const limit = Math.min(3, Math.max(1, Math.floor(name.length / 3)));
  const plain = name.toLowerCase();
  const found: { readonly it: string; readonly distance: number }[] = [];
  for (const it of candidates) {
    if (it === name || Math.abs(it.length - name.length) > limit) continue;
    const distance = editDistance(plain, it.toLowerCase(), limit);
    if (distance <= limit) found.push({ it, distance });
  }
  return found.sort((a, b) => a.distance - b.distance || compareText(a.it, b.it)).map(({ it }) => it);
}

/**
 * Damerau-Levenshtein distance (a swap of adjacent letters counts one); any distance above `limit` comes out as `limit + 1`.
 * Only the cells that the limit allows are computed, 2 × limit + 1 of each row, and none once all of two rows are above it.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const over = limit + 1;
  const shared = sharedStart(a, b);
  const [rows, columns] = [a.length - shared, b.length - shared];
  if (Math.abs(rows - columns) > limit) return over;
  let before: readonly number[] = [];
  // Cell k of row i is that of the first i letters of one text and the first i + k - limit of the other.
  let row: readonly number[] = firstRow(limit);
  for (let i = 1; i <= rows; i++) {
    const next: number[] = [];
    for (let k = 0; k <= 2 * limit; k++) {
      const j = i + k - limit;
      const [x, y] = [shared + i - 1, shared + j - 1];
      if (j <= 0 || j > columns) {
        next.push(j === 0 ? Math.min(i, over) : over);
        continue;
      }
      const least = Math.min(at(row, k + 1) + 1, at(next, k - 1) + 1, at(row, k) + (a[x] === b[y] ? 0 : 1), over);
      const swap = i > 1 && j > 1 && a[x] === b[y - 1] && a[x - 1] === b[y];
      next.push(swap ? Math.min(least, at(before, k) + 1) : least);
    }
    if (isAbove(row, limit) && isAbove(next, limit)) return over;
    before = row;
    row = next;
  }
  return at(row, columns - rows + limit);
}

const firstRow = (limit: number): readonly number[] =>
  Array.from({ length: 2 * limit + 1 }, (_, k) => (k < limit ? limit + 1 : k - limit));

function isAbove(row: readonly number[], limit: number): boolean {
  for (const it of row) if (it <= limit) return false;
  return true;
}

/** How many first letters two texts have in common. */
function sharedStart(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

const at = (row: readonly number[], i: number): number => row[i] ?? Number.POSITIVE_INFINITY;
