/** Whether a value can be decoded as upstream's Go type; like Go, this accepts unknown fields and null. */

import { isObject } from '../../base/json';

/** Where a value does not have its type, or which null was met on the way. */
export interface TypeMismatch {
  /** For example `spec.containers[0].ports`; '' for the object itself. */
  readonly path: string;
  /** For example "a list". */
  readonly wanted: string;
  readonly isNull: boolean;
}

/** undefined when the value fits. */
export type Shape = (value: unknown) => TypeMismatch | undefined;

const leaf =
  (wanted: string, isFit: (value: unknown) => boolean): Shape =>
  value =>
    value === undefined || isFit(value) ? undefined : { path: '', wanted, isNull: value === null };

export const text = leaf('a string', it => typeof it === 'string');
export const flag = leaf('a boolean', it => typeof it === 'boolean');
export const whole = leaf('a whole number', it => Number.isSafeInteger(it));
/** Anything but null, for values with a tolerant reader (quantities, numbers or strings). */
export const anything = leaf('a value', it => it !== null);

export function listOf(item: Shape): Shape {
  return value => {
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return { path: '', wanted: 'a list', isNull: value === null };
    for (let i = 0; i < value.length; i += 1) {
      const found = value[i] === undefined ? undefined : item(value[i]);
      if (found) return { ...found, path: joined(`[${i}]`, found.path) };
    }
    return undefined;
  };
}

export function mapOf(member: Shape): Shape {
  return value => {
    if (value === undefined) return undefined;
    if (!isObject(value)) return { path: '', wanted: 'an object', isNull: value === null };
    for (const key in value) {
      const found = member(value[key]);
      if (found) return { ...found, path: joined(key, found.path) };
    }
    return undefined;
  };
}

export function objectOf(fields: Readonly<Record<string, Shape>>): Shape {
  const byName = new Map(Object.entries(fields));
  return value => {
    if (value === undefined) return undefined;
    if (!isObject(value)) return { path: '', wanted: 'an object', isNull: value === null };
    for (const key in value) {
      const found = byName.get(key)?.(value[key]);
      if (found) return { ...found, path: joined(key, found.path) };
    }
    return undefined;
  };
}

function joined(own: string, rest: string): string {
  return rest === '' || rest.startsWith('[') ? `${own}${rest}` : `${own}.${rest}`;
}

/** The same value without null fields and list items, which Go treats as absent. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(it => it !== null).map(withoutNulls);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, it]) => it !== null)
      .map(([key, it]) => [key, withoutNulls(it)]),
  );
}
