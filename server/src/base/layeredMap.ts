import { lazy } from './lazy';

/**
 * An immutable map from which changed maps are derived cheaply: the changes are a layer over the original's layers. Layers of
 * similar size are merged, so that a change takes time in proportion to its own size (amortized).
 */
export interface LayeredMap<K, V> extends ReadonlyMap<K, V> {
  /** The map after some changes; undefined removes a key. Other keys keep their place in the order. */
  with(changes: Iterable<readonly [K, V | undefined]>): LayeredMap<K, V>;
}

export function layeredMap<K, V>(entries: Iterable<readonly [K, V]> = []): LayeredMap<K, V> {
  return layered([new Map(entries)]);
}

/** Oldest first. In all but the oldest, undefined marks a key as removed. */
type Layers<K, V> = readonly ReadonlyMap<K, V | undefined>[];

function layered<K, V>(layers: Layers<K, V>): LayeredMap<K, V> {
  const get = (key: K): V | undefined => {
    for (let i = layers.length - 1; i >= 0; i--) {
      const layer = layers[i]!;
      const value = layer.get(key);
      if (value !== undefined || layer.has(key)) return value;
    }
    return undefined;
  };
  /** What is kept of each entry, in the order of the map. Each key is looked up in all newer layers at once. */
  function* walk<T>(pick: (key: K, value: V) => T): MapIterator<T> {
    const [oldest, ...newer] = layers as readonly [ReadonlyMap<K, V>, ...Layers<K, V>];
    const over = new Map(newer[0]);
    for (const layer of newer.slice(1)) for (const [key, value] of layer) over.set(key, value);
    for (const [key, before] of oldest) {
      const value = over.get(key) ?? (over.has(key) ? undefined : before);
      if (value !== undefined) yield pick(key, value);
    }
    for (const [key, value] of over) if (value !== undefined && !oldest.has(key)) yield pick(key, value);
  }
  const entries = (): MapIterator<[K, V]> => walk((key, value) => [key, value]);
  const keys = (): MapIterator<K> => walk(key => key);
  const values = (): MapIterator<V> => walk((_, value) => value);
  const size = lazy(() => (layers.length === 1 ? layers[0]!.size : [...keys()].length));
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
      const layer = new Map(changes);
      return layer.size === 0 ? map : layered(withLayer(layers, layer));
    },
  };
  return map;
}

function withLayer<K, V>(layers: Layers<K, V>, layer: ReadonlyMap<K, V | undefined>): Layers<K, V> {
  let top = layer;
  let below = layers.length;
  while (below > 0 && (below === 1 ? layers[0]!.size <= top.size : layers[below - 1]!.size <= 2 * top.size)) {
    below -= 1;
    top = merged(layers[below]!, top, below === 0 ? 'oldest' : 'between');
  }
  return [...layers.slice(0, below), top];
}

function merged<K, V>(
  older: ReadonlyMap<K, V | undefined>,
  newer: ReadonlyMap<K, V | undefined>,
  position: 'oldest' | 'between',
): ReadonlyMap<K, V | undefined> {
  const res = new Map(older);
  for (const [key, value] of newer) {
    if (value === undefined && position === 'oldest') res.delete(key);
    else res.set(key, value);
  }
  return res;
}
