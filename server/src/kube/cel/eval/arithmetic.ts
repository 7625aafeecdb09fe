import { itemKey, setKey } from './compare';
import { isInt64, isUint64 } from './numbers';
import { allParts, take } from './partsLeft';
import { durationOf, timestampOf } from './time';
import {
  CelDuration,
  CelFailure,
  CelList,
  CelTimestamp,
  CelUint,
  type CelValue,
  isFailure,
  itemsOf,
  listOf,
  noOverload,
} from './values';

const int = (it: bigint): CelValue => (isInt64(it) ? it : new CelFailure('integer overflow'));
const uint = (it: bigint): CelValue => (isUint64(it) ? new CelUint(it) : new CelFailure('unsigned integer overflow'));
const mismatch = (b: CelValue): CelFailure => (isFailure(b) ? b : noOverload());

/** Upstream: traits.Adder. */
export function add(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a + b) : mismatch(b);
  if (typeof a === 'string') return typeof b === 'string' ? a + b : mismatch(b);
  if (a instanceof CelList) return b instanceof CelList ? joined(a, b) : mismatch(b);
  if (typeof a === 'number') return typeof b === 'number' ? a + b : mismatch(b);
  if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value + b.value) : mismatch(b);
  if (a instanceof Uint8Array) return b instanceof Uint8Array ? Buffer.concat([a, b]) : mismatch(b);
  if (a instanceof CelDuration) {
    if (b instanceof CelTimestamp) return timestampOf(a.nanos + b.nanos, b.offset);
    return b instanceof CelDuration ? durationOf(a.nanos + b.nanos) : mismatch(b);
  }
  if (a instanceof CelTimestamp) {
    return b instanceof CelDuration ? timestampOf(a.nanos + b.nanos, a.offset) : mismatch(b);
  }
  return new CelFailure('no such overload: _+_');
}

function joined(a: CelList, b: CelList): CelValue {
  if (a.role === 'set') return setUnion(a, b);
  if (a.role === 'map') return mapListUnion(a, b);
  if (a.size === 0) return b;
  if (b.size === 0) return a;
  take(allParts(), a.size + b.size);
  // A list that nothing continues yet is continued in place: the shorter list does not see it.
  const cells = a.cells !== undefined && a.cells.length === a.size ? a.cells : itemsOf(a);
  for (let i = 0; i < b.size; i++) cells.push(b.at(i));
  return new CelList(a.size + b.size, i => cells[i]!, 'plain', [], cells);
}

/** Upstream: addToSetList. */
function setUnion(a: CelList, b: CelList): CelValue {
  const items: CelValue[] = [];
  const seen = new Set<unknown>();
  for (const [i, item] of [...itemsOf(a), ...itemsOf(b)].entries()) {
    const key = setKey(item);
    if (key instanceof CelFailure) return key;
    if (i >= a.size && seen.has(key)) continue;
    seen.add(key);
    items.push(item);
  }
  return new CelList(items.length, i => items[i]!, 'set');
}

/** Upstream: addToMapList. */
function mapListUnion(a: CelList, b: CelList): CelValue {
  const items = itemsOf(a);
  const places = new Map(items.map((it, i) => [itemKey(it, a.keys), i]));
  for (const item of itemsOf(b)) {
    const place = places.get(itemKey(item, a.keys));
    if (place === undefined) items.push(item);
    else items[place] = item;
  }
  return new CelList(items.length, i => items[i]!, 'map', a.keys);
}

/** A list with one more item, as loops make it. */
export const appended = (list: CelList, item: CelValue): CelValue => add(list, listOf([item]));

export function subtract(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a - b) : mismatch(b);
  if (typeof a === 'number') return typeof b === 'number' ? a - b : mismatch(b);
  if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value - b.value) : mismatch(b);
  if (a instanceof CelDuration) return b instanceof CelDuration ? durationOf(a.nanos - b.nanos) : mismatch(b);
  if (a instanceof CelTimestamp) {
    if (b instanceof CelTimestamp) return durationOf(a.nanos - b.nanos);
    return b instanceof CelDuration ? timestampOf(a.nanos - b.nanos, a.offset) : mismatch(b);
  }
  return new CelFailure('no such overload: _-_');
}

export function multiply(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int(a * b) : mismatch(b);
  if (typeof a === 'number') return typeof b === 'number' ? a * b : mismatch(b);
  if (a instanceof CelUint) return b instanceof CelUint ? uint(a.value * b.value) : mismatch(b);
  return new CelFailure('no such overload: _*_');
}

const BY_ZERO = 'division by zero';

export function divide(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return mismatch(b);
    return b === 0n ? new CelFailure(BY_ZERO) : int(a / b);
  }
  if (typeof a === 'number') return typeof b === 'number' ? a / b : mismatch(b);
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return mismatch(b);
    return b.value === 0n ? new CelFailure(BY_ZERO) : uint(a.value / b.value);
  }
  return new CelFailure('no such overload: _/_');
}

const MODULUS_BY_ZERO = 'modulus by zero';

export function modulo(a: CelValue, b: CelValue): CelValue {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return mismatch(b);
    if (b === 0n) return new CelFailure(MODULUS_BY_ZERO);
    return isInt64(a / b) ? a % b : new CelFailure('integer overflow');
  }
  if (a instanceof CelUint) {
    if (!(b instanceof CelUint)) return mismatch(b);
    return b.value === 0n ? new CelFailure(MODULUS_BY_ZERO) : uint(a.value % b.value);
  }
  return new CelFailure('no such overload: _%_');
}

export function negate(a: CelValue): CelValue {
  if (typeof a === 'bigint') return int(-a);
  if (typeof a === 'number') return -a;
  return a instanceof CelDuration ? durationOf(-a.nanos) : new CelFailure('no such overload: -_');
}
