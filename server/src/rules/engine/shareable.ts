import { FieldPath } from '../../manifest/fieldPath';
import type { Finding } from '../framework/rule';

/** How many values of a finding are looked at. */
const MOST_VALUES = 500;

/**
 * Whether a finding holds none of some names, so that it is the same in an object that has other names in these places.
 * A finding that points to objects or holds more than plain data is taken to name them.
 */
export function isWithoutNames(finding: Finding<unknown>, names: readonly string[]): boolean {
  let left = MOST_VALUES;
  const isFree = (value: unknown): boolean => {
    left -= 1;
    if (left < 0) return false;
    if (typeof value === 'string') return !names.some(it => value.includes(it));
    if (typeof value === 'function') return false;
    if (typeof value !== 'object' || value === null) return true;
    if (Array.isArray(value)) return value.every(isFree);
    if (value instanceof FieldPath) return isFree(value.toString());
    return isPlain(value) && Object.entries(value).every(([key, it]) => isFree(key) && isFree(it));
  };
  return finding.related === undefined && isFree(finding);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
