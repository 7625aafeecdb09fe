/**
 * Readers of an unchecked object's fields. Unlike those of `base/json` they throw a TypeError at a value of another type:
 * the whole object is then left out. null and undefined read as Go's zero value.
 */

import type { UnknownObject } from '../../base/json';

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

export function fieldsOf(value: unknown): UnknownObject {
  if (isAbsent(value)) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('not an object');
  return value as UnknownObject;
}

export function listOf(value: unknown): readonly unknown[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) throw new TypeError('not a list');
  return value;
}

export function textOf(value: unknown): string {
  if (isAbsent(value)) return '';
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

export function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(textOf);
}

export function numberOf(value: unknown): number {
  if (isAbsent(value)) return 0;
  if (typeof value !== 'number' && typeof value !== 'bigint') throw new TypeError('not a number');
  return Number(value);
}

export function flagOf(value: unknown): boolean {
  if (isAbsent(value)) return false;
  if (typeof value !== 'boolean') throw new TypeError('not true or false');
  return value;
}
