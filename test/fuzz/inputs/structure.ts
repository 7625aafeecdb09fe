import { parseAllDocuments } from 'yaml';
import type { JsonObject, JsonValue } from '../../../server/src/base/json';
import { lazyByObject } from '../../../server/src/base/lazy';
import type { TextFile } from '../corpus';
import { below, pick, type Random } from '../random';

/** One field of one document of a file. */
export interface DocumentPlace {
  readonly file: TextFile;
  readonly document: number;
  readonly path: readonly (string | number)[];
}

/** The values that are put at a field: each JSON type, in sizes that tend to fail. */
export const PUT: readonly JsonValue[] = [
  null,
  '',
  'text',
  '\u{1f433}\n\0"',
  'constructor',
  0,
  -1,
  1.5,
  1e300,
  9_007_199_254_740_992,
  123_456_789_012_345_678_901_234_567_890n,
  true,
  [],
  [null],
  ['text', 1, {}],
  [[[]]],
  {},
  { a: null },
  { count: 9_223_372_036_854_775_807n },
  { '': {}, __proto__x: [], constructor: 1, toString: null },
  // Only JSON.parse creates a key with that name.
  JSON.parse('{ "__proto__": { "a": 1 }, "valueOf": {}, "toString": "text", "length": 2, "toJSON": 1 }') as JsonValue,
  { name: 'x', key: 'y', value: { kind: [] } },
];

/** The documents of a file as JSON; undefined when it cannot be read. Kept, as the same files are changed again and again. */
export const documentsOf = lazyByObject(({ path, text }: TextFile): readonly JsonValue[] | undefined => {
  if (!/\.(ya?ml|json)$/.test(path)) return undefined;
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    return Array.isArray(documents) ? documents.map(it => it.toJS() as JsonValue) : undefined;
  } catch {
    return undefined;
  }
});

/** Every path of a value, the value itself first; keys of maps count, since their values can be removed. */
export function pathsIn(
  value: JsonValue,
  at: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] {
  if (Array.isArray(value)) return [at, ...value.flatMap((it, i) => pathsIn(it as JsonValue, [...at, i]))];
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value as JsonObject).flatMap(([key, it]) => pathsIn(it, [...at, key]))];
}

export const placesIn = (files: readonly TextFile[]): readonly DocumentPlace[] =>
  files.flatMap(file =>
    (documentsOf(file) ?? []).flatMap((value, document) => pathsIn(value).map(path => ({ file, document, path }))),
  );

type Change = (object: JsonObject | readonly JsonValue[], key: string | number) => JsonValue;

/** The value with a change at a path. */
function changedAt(value: JsonValue, [key, ...rest]: readonly (string | number)[], change: Change): JsonValue {
  if (key === undefined) return value;
  if (typeof value !== 'object' || value === null) return value;
  if (rest.length === 0) return change(value as JsonObject | readonly JsonValue[], key);
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).map((it, i) => (i === key ? changedAt(it, rest, change) : it));
  const object = value as JsonObject;
  return { ...object, [key]: changedAt(object[key] ?? null, rest, change) };
}

const put =
  (by: JsonValue): Change =>
  (within, key) =>
    Array.isArray(within)
      ? (within as readonly JsonValue[]).map((it, i) => (i === key ? by : it))
      : { ...(within as JsonObject), [key]: by };

/** The value with another one at a path. */
export const withValue = (value: JsonValue, path: readonly (string | number)[], by: JsonValue): JsonValue =>
  path.length === 0 ? by : changedAt(value, path, put(by));

const removed: Change = (within, key) => {
  if (Array.isArray(within)) return (within as readonly JsonValue[]).filter((_, i) => i !== key);
  const { [key]: _gone, ...rest } = within as JsonObject;
  return rest;
};

/** Adds a key, or the same item twice. */
const doubled: Change = (within, key) => {
  if (Array.isArray(within)) return [...(within as readonly JsonValue[]), within[Number(key)] as JsonValue];
  const object = within as JsonObject;
  return { ...object, [`${key}2`]: object[key] ?? null, '': null };
};

/** A file with one field changed: a value of another type, removed, or doubled. */
export function structurally(random: Random, place: DocumentPlace): TextFile {
  const change = pick(random, [
    put(pick(random, PUT)),
    put(pick(random, PUT)),
    put(pick(random, PUT)),
    removed,
    doubled,
  ]);
  return changedFile(place, change);
}

/** Every field of a document, each with the document that has one of some values there. */
export function* withinDocument(
  value: JsonValue,
  valuesAt: (place: number) => readonly JsonValue[],
): Generator<{ readonly path: readonly (string | number)[]; readonly by: JsonValue; readonly value: JsonValue }> {
  for (const [place, path] of pathsIn(value).entries()) {
    if (path.length === 0) continue;
    for (const by of valuesAt(place)) yield { path, by, value: withValue(value, path, by) };
  }
}

function changedFile({ file, document, path }: DocumentPlace, change: Change): TextFile {
  const documents = (documentsOf(file) ?? []).map((it, i) => (i === document ? changedAt(it, path, change) : it));
  return { path: file.path, text: documents.map(it => `${jsonText(it)}\n`).join('---\n') };
}

/** A value as JSON, with integers of any length. */
export function jsonText(value: JsonValue): string {
  const text = JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `integer ${it}` : it), 1);
  return text.replace(/"integer (-?\d+)"/g, '$1');
}

/** All of a list in a random order. */
export function shuffled<T>(random: Random, list: readonly T[]): readonly T[] {
  const res = [...list];
  for (let i = res.length - 1; i > 0; i--) {
    const j = below(random, i + 1);
    [res[i], res[j]] = [res[j] as T, res[i] as T];
  }
  return res;
}
