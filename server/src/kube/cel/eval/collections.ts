import { add } from './arithmetic';
import { compare, equalTo, isOrdered } from './compare';
import {
  CelFailure,
  CelList,
  CelMap,
  CelUint,
  type CelValue,
  isFailure,
  itemsOf,
  keyOf,
  listOf,
  mapOf,
  noOverload,
  typeName,
} from './values';

/** Upstream: traits.Container. A list of a resource reports errors of comparisons, a plain one does not. */
export function contains(container: CelValue, wanted: CelValue): CelValue {
  if (container instanceof CelMap) {
    const found = container.find(wanted);
    return found !== undefined && isFailure(found) ? found : found !== undefined;
  }
  if (!(container instanceof CelList)) return noOverload();
  let failure: CelFailure | undefined;
  for (let i = 0; i < container.size; i++) {
    const item = container.at(i);
    const same = container.role === 'plain' ? equalTo(wanted, item) : equalTo(item, wanted);
    if (same === true) return true;
    if (isFailure(same) && container.role !== 'plain') failure ??= same;
  }
  return failure ?? false;
}

/** Upstream: ext.Sets. */
export function setContains(list: CelList, part: CelList): CelValue {
  for (let i = 0; i < part.size; i++) {
    const found = contains(list, part.at(i));
    if (found !== true) return found;
  }
  return true;
}

export function setsIntersect(a: CelList, b: CelList): CelValue {
  for (let i = 0; i < a.size; i++) if (contains(b, a.at(i)) === true) return true;
  return false;
}

export function setsEquivalent(a: CelList, b: CelList): CelValue {
  const found = setContains(a, b);
  return found === true ? setContains(b, a) : found;
}

/** Upstream: library.Lists. */
export function isSorted(list: CelList): CelValue {
  const items = itemsOf(list);
  const other = items.find(it => !isOrdered(it));
  if (other !== undefined) return isFailure(other) ? other : noOverload();
  return items.every((it, i) => i === 0 || compare(items[i - 1]!, it) !== 1);
}

export function extreme(name: 'min' | 'max', list: CelList): CelValue {
  if (list.size === 0) return new CelFailure(`${name} called on empty list`);
  const items = itemsOf(list);
  const other = items.find(it => !isOrdered(it));
  if (other !== undefined) return isFailure(other) ? other : noOverload();
  const worse = name === 'min' ? 1 : -1;
  return items.reduce((best, it) => (compare(best, it) === worse ? it : best));
}

export function sum(list: CelList, zero: CelValue): CelValue {
  let total = zero;
  for (let i = 0; i < list.size; i++) {
    total = add(total, list.at(i));
    if (isFailure(total)) return total;
  }
  return total;
}

export function position(list: CelList, wanted: CelValue, from: 'start' | 'end'): bigint {
  for (let i = 0; i < list.size; i++) {
    const place = from === 'start' ? i : list.size - 1 - i;
    if (equalTo(list.at(place), wanted) === true) return BigInt(place);
  }
  return -1n;
}

export function includes(target: CelValue, wanted: CelValue): boolean {
  if (!(target instanceof CelList)) return equalTo(target, wanted) === true;
  return position(target, wanted, 'start') >= 0n;
}

/** Upstream: listsLib.maxRangeSize. */
const MOST_ITEMS = 1_000_000;

/** Upstream: ext.Lists. */
export function range(count: bigint): CelValue {
  if (count < 0n) return new CelFailure(`lists.range: size must be non-negative, got ${count}`);
  if (count > MOST_ITEMS) {
    return new CelFailure(`lists.range: size ${count} exceeds maximum allowed (${MOST_ITEMS})`);
  }
  return new CelList(Number(count), i => BigInt(i));
}

export function slice(list: CelList, start: bigint, end: bigint): CelValue {
  const what = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new CelFailure(`${what}, negative indexes not supported`);
  if (start > end) return new CelFailure(`${what}, start index must be less than or equal to end index`);
  if (end > BigInt(list.size)) return new CelFailure(`${what}, list is length ${list.size}`);
  return listOf(itemsOf(list).slice(Number(start), Number(end)));
}

export function flatten(list: CelList, depth: bigint): CelValue {
  if (depth < 0n) return new CelFailure('level must be non-negative');
  return listOf(flattened(list, Number(depth)));
}

const flattened = (list: CelList, depth: number): CelValue[] =>
  itemsOf(list).flatMap(it => (it instanceof CelList && depth > 0 ? flattened(it, depth - 1) : [it]));

export function distinct(list: CelList): CelValue {
  if (list.size === 0) return list;
  const kept: CelValue[] = [];
  for (const item of itemsOf(list)) {
    if (!kept.some(it => equalTo(item, it) === true)) kept.push(item);
  }
  return listOf(kept);
}

export const reversed = (list: CelList): CelValue => listOf(itemsOf(list).reverse());

/** The items in the order of their keys. Upstream: ext.sortListByAssociatedKeys. */
export function sortedBy(list: CelValue, keys: CelValue): CelValue {
  if (!(list instanceof CelList) || !(keys instanceof CelList)) return noOverload();
  if (list.size === 0) return list;
  const order = itemsOf(keys);
  if (!isOrdered(order[0]!)) return new CelFailure('list elements must be comparable');
  const type = typeName(order[0]!);
  if (order.some(it => typeName(it) !== type)) return new CelFailure('list elements must have the same type');
  const before = (i: number, j: number): number => {
    const found = compare(order[i]!, order[j]!);
    return isFailure(found) ? 0 : found;
  };
  const places = order.map((_, i) => i).sort(before);
  return listOf(places.map(i => list.at(i)));
}

/** A map with one more entry. A loop's own map is changed in place, as nothing else sees it. Upstream: InsertMapKeyValue. */
export function inserted(map: CelMap, key: CelValue, value: CelValue): CelValue {
  if (map.find(key) !== undefined) return new CelFailure(`insert failed: key ${keyText(key)} already exists`);
  const entries = map.growing ?? new Map<unknown, readonly [CelValue, CelValue]>();
  if (map.growing === undefined) for (const it of map.keys()) entries.set(keyOf(it), [it, map.find(it) ?? null]);
  entries.set(keyOf(key), [key, value]);
  const { find, keys } = mapOf(entries);
  return new CelMap(entries.size, find, keys, undefined, entries);
}

export function insertedAll(map: CelMap, more: CelMap): CelValue {
  let all: CelValue = map;
  for (const key of more.keys()) {
    all = inserted(all as CelMap, key, more.find(key) ?? null);
    if (isFailure(all)) return all;
  }
  return all;
}

/** A key as Go prints it. */
export function keyText(key: CelValue): string {
  return key instanceof CelUint ? String(key.value) : String(key);
}
