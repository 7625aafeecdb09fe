/** The list of a key; the first call creates it. */
export function listOf<K, T>(lists: Map<K, T[]>, key: K): T[] {
  const found = lists.get(key);
  if (found !== undefined) return found;
  const list: T[] = [];
  lists.set(key, list);
  return list;
}

/** Adds a value to the list of a key; the first value creates the list. */
export function push<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  listOf(lists, key).push(value);
}

/** Groups items by a key. Keys and items keep the order of the input. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const it of items) push(groups, keyOf(it), it);
  return groups;
}
