import { push } from './push';

/** Items by a key, keys and items in the order in which they come. */
export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const it of items) push(groups, keyOf(it), it);
  return groups;
}
