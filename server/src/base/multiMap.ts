/** Adds a value to the list of a key; the first value creates the list. */
export function push<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Groups items by a key. Keys and items keep the order of the input. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const it of items) push(groups, keyOf(it), it);
  return groups;
}
