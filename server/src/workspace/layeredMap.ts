import { lazy } from '../manifest/lazy';

/** A map that never changes and is cheap to derive from: what differs is laid over what it is derived from. */
export interface LayeredMap<K, V> extends ReadonlyMap<K, V> {
  /** The map after some changes; undefined takes a key away. Keys that stay keep their place in the order. */
  with(changes: Iterable<readonly [K, V | undefined]>): LayeredMap<K, V>;
}

export function layeredMap<K, V>(entries: Iterable<readonly [K, V]> = []): LayeredMap<K, V> {
  return layered(new Map(entries), new Map());
}

/** Up to so many differences are carried along, for a map of that size; more are merged. */
const mostAbove = (size: number): number => 64 + 2 * Math.sqrt(size);

function layered<K, V>(base: ReadonlyMap<K, V>, above: ReadonlyMap<K, V | undefined>): LayeredMap<K, V> {
  const size = lazy(() => {
    let res = base.size;
    for (const [key, value] of above) res += (value === undefined ? 0 : 1) - (base.has(key) ? 1 : 0);
    return res;
  });
  function* entries(): MapIterator<[K, V]> {
    for (const [key, value] of base) {
      const now = above.has(key) ? above.get(key) : value;
      if (now !== undefined) yield [key, now];
    }
    for (const [key, value] of above) if (value !== undefined && !base.has(key)) yield [key, value];
  }
  function* keys(): MapIterator<K> {
    for (const [key] of entries()) yield key;
  }
  function* values(): MapIterator<V> {
    for (const [, value] of entries()) yield value;
  }
  const get = (key: K): V | undefined => (above.has(key) ? above.get(key) : base.get(key));
  const map: LayeredMap<K, V> = {
    get,
    has: key => get(key) !== undefined,
    get size() {
      return size();
    },
    entries,
    keys,
    values,
    [Symbol.iterator]: entries,
    forEach(visit) {
      for (const [key, value] of entries()) visit(value, key, map);
    },
    with(changes) {
      const next = new Map(above);
      for (const [key, value] of changes) next.set(key, value);
      const res = layered(base, next);
      return next.size > mostAbove(base.size) ? layered(new Map(res), new Map()) : res;
    },
  };
  return map;
}
