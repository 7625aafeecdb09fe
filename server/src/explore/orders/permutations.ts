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

/** All different orders of the items, some of which may be equal. */
export function* arrangementsOf(items: readonly number[]): Iterable<readonly number[]> {
  if (items.length === 0) {
    yield [];
    return;
  }
  for (const it of new Set(items)) {
    for (const rest of arrangementsOf(items.toSpliced(items.indexOf(it), 1))) yield [it, ...rest];
  }
}
