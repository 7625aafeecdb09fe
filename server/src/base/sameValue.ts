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
  const keys = Object.keys(a);
  const [left, right] = [a as UnknownObject, b as UnknownObject];
  return keys.length === Object.keys(b).length && keys.every(it => it in right && isSameValue(left[it], right[it]));
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
