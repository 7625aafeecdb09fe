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
  function* entries(): MapIterator<[K, V]> {
    for (const [i, layer] of layers.entries()) {
      for (const key of layer.keys()) {
        const value = layers.slice(0, i).some(it => it.has(key)) ? undefined : get(key);
        if (value !== undefined) yield [key, value];
      }
    }
  }
  function* keys(): MapIterator<K> {
    for (const [key] of entries()) yield key;
  }
  function* values(): MapIterator<V> {
    for (const [, value] of entries()) yield value;
  }
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
