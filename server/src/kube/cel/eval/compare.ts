import { isSameValue } from '../../../base/sameValue';
import { compareQuantities } from '../../quantity';
import { compareSemvers } from '../semver';
import { CelCidr, CelIp, CelQuantity, CelSemver, CelUrl } from '../values';
import { allParts, type PartsLeft, take } from './partsLeft';
import {
  CelDuration,
  CelFailure,
  CelFormat,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeName,
  CelUint,
  type CelValue,
  isFailure,
  noOverload,
  typeName,
} from './values';

/** A truth value, or the error of a comparison. */
export type Verdict = boolean | CelFailure;
/** -1, 0 or 1, or the error of a comparison. */
export type Order = number | CelFailure;

/** Upstream: types.Equal. */
export function equal(a: CelValue, b: CelValue, steps: PartsLeft = allParts()): Verdict {
  return a === null || b === null ? a === b : equalTo(a, b, steps);
}

const isNumber = (it: CelValue): it is bigint | number | CelUint =>
  typeof it === 'bigint' || typeof it === 'number' || it instanceof CelUint;
const plain = (it: bigint | number | CelUint): bigint | number => (it instanceof CelUint ? it.value : it);

/** What the left value's own method says. Upstream: ref.Val.Equal. */
export function equalTo(a: CelValue, b: CelValue, steps?: PartsLeft): Verdict {
  if (isFailure(a)) return a;
  if (typeof a === 'string' || typeof a === 'boolean' || a === null) return a === b;
  if (isNumber(a)) return isNumber(b) && numberOrder(a, b) === 0;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && Buffer.compare(a, b) === 0;
  if (a instanceof CelList) return listsEqual(a, b, steps ?? allParts());
  if (a instanceof CelMap) return mapsEqual(a, b, steps ?? allParts());
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelTypeName) return b instanceof CelTypeName && a.name === b.name;
  if (a instanceof CelOptional) {
    if (!(b instanceof CelOptional) || a.value === undefined || b.value === undefined) {
      return b instanceof CelOptional && a.value === b.value;
    }
    return equalTo(a.value, b.value, steps);
  }
  return typeName(a) === typeName(b) ? areSame(a, b) : isFailure(b) ? b : noOverload();
}

/** Two values of the same type of Kubernetes. */
function areSame(a: CelValue, b: CelValue): boolean {
  if (a instanceof CelQuantity && b instanceof CelQuantity) return compareQuantities(a.quantity, b.quantity) === 0;
  if (a instanceof CelSemver && b instanceof CelSemver) return compareSemvers(a.version, b.version) === 0;
  if (a instanceof CelIp && b instanceof CelIp) return sameBytes(a.ip.bytes, b.ip.bytes);
  if (a instanceof CelUrl && b instanceof CelUrl) return a.url.text === b.url.text;
  if (a instanceof CelFormat && b instanceof CelFormat) return a.name === b.name;
  return (
    a instanceof CelCidr &&
    b instanceof CelCidr &&
    a.cidr.prefixLength === b.cidr.prefixLength &&
    sameBytes(a.cidr.ip.bytes, b.cidr.ip.bytes)
  );
}

const sameBytes = (a: readonly number[], b: readonly number[]): boolean => Buffer.from(a).equals(Buffer.from(b));

function listsEqual(a: CelList, b: CelValue, steps: PartsLeft): Verdict {
  if (!(b instanceof CelList)) return a.role === 'plain' ? false : isFailure(b) ? b : noOverload();
  if (a.size !== b.size) return false;
  take(steps, a.size);
  if (a.role === 'set') return setsEqual(a, b);
  if (a.role === 'map') return mapListsEqual(a, b, steps);
  for (let i = 0; i < a.size; i++) {
    // The error of an item of a plain list counts as equal.
    const same = a.role === 'plain' ? equal(a.at(i), b.at(i), steps) !== false : equalTo(a.at(i), b.at(i), steps);
    if (same !== true) return same;
  }
  return true;
}

function setsEqual(a: CelList, b: CelList): Verdict {
  const own = new Set<unknown>();
  for (let i = 0; i < a.size; i++) {
    const key = setKey(a.at(i));
    if (key instanceof CelFailure) return key;
    own.add(key);
  }
  const seen = new Set<unknown>();
  for (let i = 0; i < b.size; i++) {
    const key = setKey(b.at(i));
    if (key instanceof CelFailure) return key;
    if (!own.has(key)) return false;
    seen.add(key);
  }
  return seen.size === own.size;
}

/** What two equal items of a set have in common. Upstream: setElementKey. */
export function setKey(item: CelValue): unknown {
  if (item instanceof CelList || item instanceof CelMap) {
    return new CelFailure('listSet operations are only supported on lists of scalar values');
  }
  return scalarKey(item);
}

const scalarKey = (it: CelValue): unknown => {
  if (it instanceof Uint8Array) return `bytes ${Buffer.from(it).toString('hex')}`;
  if (it instanceof CelDuration) return `duration ${it.nanos}`;
  if (it instanceof CelTimestamp) return `time ${it.nanos} ${it.offset}`;
  return typeof it === 'string' ? `string ${it}` : it instanceof CelUint ? `uint ${it.value}` : it;
};

/** The key of an item of a list of type map. Upstream: refValMapKey. */
export function itemKey(item: CelValue, keys: readonly string[]): string {
  return JSON.stringify(
    keys.map(name => {
      const value = item instanceof CelMap ? item.find(name) : undefined;
      return value === undefined || isFailure(value) ? null : [typeof value, String(scalarKey(value))];
    }),
  );
}

function mapListsEqual(a: CelList, b: CelList, steps: PartsLeft): Verdict {
  const own = new Map<string, CelValue>();
  for (let i = 0; i < a.size; i++) own.set(itemKey(a.at(i), a.keys), a.at(i));
  const seen = new Set<string>();
  for (let i = 0; i < b.size; i++) {
    const key = itemKey(b.at(i), a.keys);
    const item = own.get(key);
    if (item === undefined) return false;
    const same = equalTo(item, b.at(i), steps);
    if (same !== true) return same;
    seen.add(key);
  }
  return seen.size === own.size;
}

function mapsEqual(a: CelMap, b: CelValue, steps: PartsLeft): Verdict {
  if (!(b instanceof CelMap)) return a.data === undefined ? false : isFailure(b) ? b : noOverload();
  if (a.size !== b.size) return false;
  take(steps, a.size);
  if (a.data !== undefined) return dataEqual(a, b, steps);
  for (const key of a.keys()) {
    const [own, other] = [a.find(key), b.find(key)];
    if (own === undefined || other === undefined || equal(own, other, steps) === false) return false;
  }
  return true;
}

/** Upstream: unstructuredMap.Equal, to which fields without a schema are equal if one object lacks them. */
function dataEqual(a: CelMap, b: CelMap, steps: PartsLeft): Verdict {
  for (const [name, value] of Object.entries(a.data?.object ?? {})) {
    if (a.data?.hasSchema(name)) {
      const [own, other] = [a.find(name), b.find(name)];
      if ((own === undefined) !== (other === undefined)) return false;
      const same = own === undefined || other === undefined || equalTo(own, other, steps);
      if (same !== true) return same;
    } else {
      if (b.data === undefined) return noOverload();
      const other = b.data.object[name];
      if (other !== undefined && !isSameValue(value, other)) return false;
    }
  }
  return true;
}

/** Upstream: traits.Comparer. undefined for a value of a type without an order. */
export function compare(a: CelValue, b: CelValue): Order {
  if (isFailure(b)) return b;
  if (isNumber(a)) {
    if (!isNumber(b)) return noOverload();
    return Number.isNaN(a) || Number.isNaN(b) ? new CelFailure('NaN values cannot be ordered') : numberOrder(a, b);
  }
  if (typeof a === 'string' && typeof b === 'string') return textOrder(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof CelDuration && b instanceof CelDuration) return sign(a.nanos, b.nanos);
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return sign(a.nanos, b.nanos);
  return noOverload();
}

const ORDERED: ReadonlySet<string> = new Set(
  'bool bytes double int string uint google.protobuf.Duration google.protobuf.Timestamp'.split(' '),
);

export const isOrdered = (it: CelValue): boolean => ORDERED.has(typeName(it));

const sign = (a: bigint | number, b: bigint | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** Upstream converts an integer to a double to compare it with one. */
function numberOrder(a: bigint | number | CelUint, b: bigint | number | CelUint): number {
  const [x, y] = [plain(a), plain(b)];
  if (typeof x === typeof y) return Number.isNaN(x) || Number.isNaN(y) ? 1 : sign(x, y);
  if (Number.isNaN(x) || Number.isNaN(y)) return 1;
  return sign(Number(x), Number(y));
}

/** The order of two texts in UTF-8. */
function textOrder(a: string, b: string): number {
  if (a === b) return 0;
  return SURROGATE.test(a) || SURROGATE.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : a < b ? -1 : 1;
}

const SURROGATE = /[\ud800-\udfff]/;
