import type { UnknownObject } from './json';

/** Whether two lists hold identical items (`===`) in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((it, i) => it === b[i]));
}

/**
 * Whether two JSON values are equal, whatever the order of their keys; a number never equals a bigint. Parts that both share
 * are not compared, so that values that share most of their parts cost little.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((it, i) => isSameValue(it, b[i]));
  }
  return haveSameEntries(a as UnknownObject, b as UnknownObject);
}

/** In loops, as lists of keys would be garbage: an edit has thousands of objects compared. */
function haveSameEntries(a: UnknownObject, b: UnknownObject): boolean {
  for (const key in a) if (!(key in b) || !isSameValue(a[key], b[key])) return false;
  for (const key in b) if (!(key in a)) return false;
  return true;
}

/** Whether two JSON values are equal, the order of their keys included. Parts that both share are not compared. */
export function isSameOrdered(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([name, it], i) => right[i]?.[0] === name && isSameOrdered(it, right[i]?.[1]))
  );
}
