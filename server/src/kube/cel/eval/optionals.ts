import {
  CelDuration,
  CelFailure,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  type CelValue,
  itemsOf,
  listOf,
  NONE,
} from './values';

/** Upstream: cel.OptionalTypes. */

export const unwrappedValue = (it: CelOptional): CelValue => it.value ?? new CelFailure('optional.none() dereference');
export const ofNonZero = (it: CelValue): CelValue => (isZero(it) ? NONE : new CelOptional(it));

/** Lists and maps of a resource are never zero. Upstream: traits.Zeroer. */
function isZero(it: CelValue): boolean {
  if (it === null || it === '' || it === false || it === 0 || it === 0n) return true;
  if (it instanceof CelList) return it.role === 'plain' && it.size === 0;
  if (it instanceof CelMap) return it.data === undefined && it.size === 0;
  if (it instanceof Uint8Array) return it.length === 0;
  if (it instanceof CelUint) return it.value === 0n;
  if (it instanceof CelDuration) return it.nanos === 0n;
  return it instanceof CelTimestamp && it.nanos === YEAR_ONE;
}

const YEAR_ONE = -62_135_596_800_000_000_000n;

export function edge(list: CelList, end: 'first' | 'last'): CelValue {
  return list.size === 0 ? NONE : new CelOptional(list.at(end === 'first' ? 0 : list.size - 1));
}

export function unwrapped(list: CelList): CelValue {
  const items: CelValue[] = [];
  for (const it of itemsOf(list)) {
    if (!(it instanceof CelOptional)) return new CelFailure('value is not optional');
    if (it.value !== undefined) items.push(it.value);
  }
  return listOf(items);
}
