/** Fields of an object that nobody has judged. A value of the wrong type throws a TypeError: the object is to be left out. */

export type UnknownFields = Readonly<Record<string, unknown>>;

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

export function fieldsOf(value: unknown): UnknownFields {
  if (isAbsent(value)) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('not an object');
  return value as UnknownFields;
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
