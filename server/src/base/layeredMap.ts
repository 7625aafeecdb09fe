import { lazyByObject } from './lazy';

/**
 * An immutable map from which changed maps are derived cheaply: the changes are a layer over the original's layers. Layers of
 * similar size are merged, so that a change takes time in proportion to its own size (amortized).
 */
export interface LayeredMap<K, V> extends ReadonlyMap<K, V> {
  /** The map after some changes; undefined removes a key. Other keys keep their place in the order. */
  with(changes: Iterable<readonly [K, V | undefined]>): LayeredMap<K, V>;
  /**
   * The keys at which an earlier or later map of the same origin may have another value, in time in proportion to the changes in
   * between (amortized). undefined: so much has changed that all keys may.
   */
  changedSince(other: LayeredMap<K, V>): ReadonlySet<K> | undefined;
  readonly [LAYERS]: Layers<K, V>;
  readonly keyList: () => readonly K[];
}

const LAYERS = Symbol('layers');

/** A map that may keep its keys as a list, and may find those that begin with a text without a look at all. */
export type ListedMap<K, V> = ReadonlyMap<K, V> & {
  readonly keyList?: () => readonly K[];
  readonly keysFrom?: (start: string) => readonly string[];
};

/** The keys of a map in its order: one list for all layered maps that differ in their values only. */
export const keyListOf = <K>(map: ListedMap<K, unknown>): readonly K[] => map.keyList?.() ?? [...map.keys()];

/** The keys that begin with a text, sorted. */
export const keysFrom = (map: ListedMap<string, unknown>, start: string): readonly string[] =>
  map.keysFrom?.(start) ?? startingWith(sortedOf(keyListOf(map)), start);

/** By the list of keys, which many maps share. */
const sortedOf = lazyByObject((keys: readonly string[]) => keys.toSorted());

function startingWith(sorted: readonly string[], start: string): readonly string[] {
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (sorted[middle]! < start) first = middle + 1;
    else end = middle;
  }
  while (end < sorted.length && sorted[end]!.startsWith(start)) end += 1;
  return sorted.slice(first, end);
}

export function layeredMap<K, V>(entries: Iterable<readonly [K, V]> = []): LayeredMap<K, V> {
  return layered([new Map(entries)]);
}

/** Oldest first. In all but the oldest, undefined marks a key as removed. */
type Layers<K, V> = readonly ReadonlyMap<K, V | undefined>[];

/** The keys of all maps that share this, once one of them was asked. It holds no values, so that it keeps no earlier map alive. */
interface SharedKeys<K> {
  list?: readonly K[];
}

function layered<K, V>(layers: Layers<K, V>, shared: SharedKeys<K> = {}): LayeredMap<K, V> {
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
  const keyList = (): readonly K[] => {
    shared.list ??= layers.length === 1 ? [...layers[0]!.keys()] : [...walk(key => key)];
    return shared.list;
  };
  const values = (): MapIterator<V> => walk((_, value) => value);
  const map: LayeredMap<K, V> = {
    get,
    has: key => get(key) !== undefined,
    get size() {
      return layers.length === 1 ? layers[0]!.size : keyList().length;
    },
    entries,
    keys: () => keyList().values(),
    values,
    [Symbol.iterator]: entries,
    forEach(visit) {
      for (const [key, value] of entries()) visit(value, key, map);
    },
    with(changes) {
      const layer = new Map(changes);
      if (layer.size === 0) return map;
      const hasSameKeys = [...layer].every(([key, value]) => (value === undefined) !== map.has(key));
      return layered(withLayer(layers, layer), hasSameKeys ? shared : {});
    },
    changedSince: other => changedKeys(layers, other[LAYERS]),
    [LAYERS]: layers,
    keyList,
  };
  return map;
}

function changedKeys<K, V>(a: Layers<K, V>, b: Layers<K, V>): ReadonlySet<K> | undefined {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  if (shared === 0) return undefined;
  return new Set([...a.slice(shared), ...b.slice(shared)].flatMap(it => [...it.keys()]));
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
