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

/** How many misspelt names of one text are compared with all known ones. */
const MOST_GUESSED = 100;

/**
 * A function that finds the nearest of some names, for the first names that it is asked about. One comparison takes the time of
 * all candidates, and a text may misspell any number of names.
 */
export function nearestOfFirst(candidates: () => Iterable<string>): (name: string) => string | undefined {
  let asked = 0;
  let known: readonly string[] | undefined;
  return name => {
    asked += 1;
    if (asked > MOST_GUESSED) return undefined;
    known ??= [...candidates()];
    return nearestNames(name, known)[0];
  };
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
  // Cell k + 1 of row i is that of the first i letters of one text and the first i + k - limit of the other.
  let [before, row, next] = [rowOf(limit), rowOf(limit), rowOf(limit)];
  for (let j = 0; j <= limit; j++) row[j + limit + 1] = j;
  let leastOfRow = 0;
  for (let i = 1; i <= rows; i++) {
    let least = over;
    for (let k = 1; k <= 2 * limit + 1; k++) {
      const j = i + k - 1 - limit;
      next[k] = over;
      if (j < 0 || j > columns) continue;
      const [x, y] = [shared + i - 1, shared + j - 1];
      let cell = j === 0 ? i : row[k]! + (a[x] === b[y] ? 0 : 1);
      cell = Math.min(cell, row[k + 1]! + 1, next[k - 1]! + 1);
      if (i > 1 && j > 1 && a[x] === b[y - 1] && a[x - 1] === b[y]) cell = Math.min(cell, before[k]! + 1);
      next[k] = Math.min(cell, over);
      least = Math.min(least, cell);
    }
    if (least > limit && leastOfRow > limit) return over;
    leastOfRow = least;
    [before, row, next] = [row, next, before];
  }
  return row[columns - rows + limit + 1]!;
}

/** A row of cells above the limit, with one more at each end. */
const rowOf = (limit: number): number[] => Array<number>(2 * limit + 3).fill(limit + 1);

/** How many first letters two texts have in common. */
function sharedStart(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
