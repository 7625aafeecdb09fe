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
 * Of each diagonal of the table of distances it keeps the last row that so many edits reach (Ukkonen 1985), so that the
 * work depends on the limit and hardly on the texts.
 */
export function editDistance(a: string, b: string, limit: number): number {
  const wanted = b.length - a.length;
  if (Math.abs(wanted) > limit) return limit + 1;
  // Diagonal d, whose column is d more than its row, is at index d + limit + 1, with one more at each end.
  let before = Array<number>(2 * limit + 3).fill(NOT_REACHED);
  let rows = [...before];
  before[limit + 1] = endOfEqual(a, b, 0, 0);
  if (wanted === 0 && before[limit + 1] === a.length) return 0;
  for (let edits = 1; edits <= limit; edits++) {
    for (let d = Math.max(-edits, wanted - limit + edits); d <= Math.min(edits, wanted + limit - edits); d++) {
      const k = d + limit + 1;
      const same = before[k]!;
      const changed = same + (isSwapped(a, b, same, same + d) ? 2 : 1);
      const row = Math.max(changed, before[k - 1]!, before[k + 1]! + 1);
      rows[k] = endOfEqual(a, b, Math.min(row, a.length, b.length - d), d);
    }
    if (rows[wanted + limit + 1] === a.length) return edits;
    [before, rows] = [rows, before];
  }
  return limit + 1;
}

/** The row of a diagonal that no edits reach. */
const NOT_REACHED = -2;

/** The row up to which the letters of a diagonal are equal. */
function endOfEqual(a: string, b: string, row: number, diagonal: number): number {
  let i = row;
  const end = Math.min(a.length, b.length - diagonal);
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i + diagonal)) i++;
  return i;
}

function isSwapped(a: string, b: string, i: number, j: number): boolean {
  if (i < 0 || j < 0 || i + 1 >= a.length || j + 1 >= b.length) return false;
  return a.charCodeAt(i) === b.charCodeAt(j + 1) && a.charCodeAt(i + 1) === b.charCodeAt(j);
}
