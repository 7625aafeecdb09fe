import type { UnknownObject } from '../base/json';
/** A value as one line of JSON, or the first `most` characters of it and an ellipsis. The rest is not serialized. */
export function jsonStart(value: unknown, most: number): string {
  let text = '';
  for (const part of partsOf(value, most)) {
    text += part;
    if (text.length > most) return `${text.slice(0, most)}…`;
  }
  return text;
}

/** Parts as `JSON.stringify` writes them; a bigint, at which that throws, as a string. */
function* partsOf(value: unknown, most: number): Generator<string, void> {
  if (typeof value === 'string') yield JSON.stringify(value.length > most ? value.slice(0, most + 1) : value);
  else if (typeof value === 'bigint') yield JSON.stringify(String(value));
  else if (Array.isArray(value)) yield* listParts(value, most);
  else if (typeof value === 'object' && value !== null) yield* objectParts(value, most);
  else yield JSON.stringify(value) ?? 'null';
}

function* listParts(list: readonly unknown[], most: number): Generator<string, void> {
  yield '[';
  for (const [i, it] of list.entries()) {
    if (i > 0) yield ',';
    yield* partsOf(it, most);
  }
  yield ']';
}

function* objectParts(object: object, most: number): Generator<string, void> {
  yield '{';
  let separator = '';
  for (const key in object) {
    const value = (object as UnknownObject)[key];
    if (!Object.hasOwn(object, key) || value === undefined) continue;
    yield separator;
    yield* partsOf(key, most);
    yield ':';
    yield* partsOf(value, most);
    separator = ',';
  }
  yield '}';
}
