import { push } from '../../base/multiMap';

/** All choices of one item of each list. */
export function* product<T>(lists: readonly (() => Iterable<T>)[]): Iterable<readonly T[]> {
  const [first, ...others] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const it of first()) for (const rest of product(others)) yield [it, ...rest];
}

/** All lists of `count` different items, in every order. */
export function* injections<T>(count: number, items: readonly T[]): Iterable<readonly T[]> {
  if (count === 0) {
    yield [];
    return;
  }
  for (const [i, it] of items.entries()) {
    for (const rest of injections(count - 1, items.toSpliced(i, 1))) yield [it, ...rest];
  }
}

/**
 * All different orders of the items, some of which may be equal. Of the values that may come next, the one that stands first
 * among the items that are left is tried first. There may be ten thousand items, so that no call nests in another.
 */
export function* arrangementsOf(items: readonly number[]): Iterable<readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [place, it] of items.entries()) push(places, it, place);
  const used = new Map([...places.keys()].map(it => [it, 0]));
  const placeOf = (value: number): number | undefined => places.get(value)?.[used.get(value) ?? 0];
  /** The value that stands first among the items that are left behind a place. */
  const firstBehind = (behind: number): number | undefined => {
    let first: { readonly value: number; readonly place: number } | undefined;
    for (const value of places.keys()) {
      const place = placeOf(value);
      if (place === undefined || place <= behind) continue;
      if (first === undefined || place < first.place) first = { value, place };
    }
    return first?.value;
  };
  const chosen: number[] = [];
  for (let behind = -1; ; ) {
    const next = firstBehind(behind);
    if (next !== undefined) {
      chosen.push(next);
      used.set(next, used.get(next)! + 1);
      behind = -1;
      continue;
    }
    if (chosen.length === items.length) yield [...chosen];
    const last = chosen.pop();
    if (last === undefined) return;
    used.set(last, used.get(last)! - 1);
    behind = placeOf(last)!;
  }
}
