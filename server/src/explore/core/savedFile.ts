import { isObject } from '../../base/json';
import type { SavedSearch, SearchCounts } from './savedSearch';

// Loaded when a search is saved or goes on.
const crypto = (): typeof import('node:crypto') => require('node:crypto');

/** A saved search and the system that it is of. */
export interface SavedFile {
  /** Equal for equal systems that are searched in one way. */
  readonly identity: string;
  readonly search: SavedSearch;
}

const MAGIC = 'berth exploration 1';

/** The part of a file that is no array. */
interface Header extends Pick<SavedSearch, 'ranges' | 'ends'> {
  readonly identity: string;
  /** SHA-256 of everything after the header. */
  readonly content: string;
  /** The arrays after the header, in their order. */
  readonly arrays: readonly { readonly name: string; readonly type: ArrayType; readonly length: number }[];
  readonly counts: SearchCounts;
  readonly firstDeadlock: number | null;
  readonly violations: readonly (number | null)[];
}

const ARRAYS = { Int32Array, Uint8Array, Uint16Array, Uint32Array } as const;
type ArrayType = keyof typeof ARRAYS;
const TYPES: readonly ArrayType[] = ['Int32Array', 'Uint8Array', 'Uint16Array', 'Uint32Array'];
type SavedArray = Int32Array | Uint8Array | Uint16Array | Uint32Array;

export const hashOfText = (text: string): string => crypto().createHash('sha256').update(text).digest('hex');

/** A line that says what the file is, a line of JSON, and arrays in the order of bytes of this machine. */
export function savedBytes({ identity, search }: SavedFile): Uint8Array {
  const { words, parents, graph, goals, taken, firstDeadlock, violations, ...rest } = search;
  const named: readonly (readonly [string, SavedArray])[] = [
    ['words', words],
    ['parents', parents],
    ['taken', taken],
    ...(graph === undefined ? [] : (['starts', 'targets', 'steps'] as const).map(it => [it, graph[it]] as const)),
    ...goals.flatMap((it, i) => (it === undefined ? [] : [[`goal ${i}`, it] as const])),
  ];
  const content = named.map(([, it]) => new Uint8Array(it.buffer, it.byteOffset, it.byteLength));
  const header: Header = {
    ...rest,
    identity,
    content: hashOf(content),
    arrays: named.map(([name, it]) => ({ name, type: typeOf(it), length: it.length })),
    firstDeadlock: firstDeadlock ?? null,
    violations: violations.map(it => it ?? null),
  };
  return Buffer.concat([Buffer.from(`${MAGIC}\n${JSON.stringify(header)}\n`), ...content]);
}

function typeOf(array: SavedArray): ArrayType {
  return TYPES.find(it => array instanceof ARRAYS[it])!;
}

function hashOf(parts: readonly Uint8Array[]): string {
  const hash = crypto().createHash('sha256');
  for (const it of parts) hash.update(it);
  return hash.digest('hex');
}

/** undefined: the bytes are no saved search, or were changed. */
export function readSaved(bytes: Uint8Array): SavedFile | undefined {
  const first = bytes.indexOf(NEWLINE);
  const second = bytes.indexOf(NEWLINE, first + 1);
  if (first < 0 || second < 0 || second > LONGEST_HEADER || textOf(bytes.subarray(0, first)) !== MAGIC)
    return undefined;
  const header = headerOf(textOf(bytes.subarray(first + 1, second)));
  const content = bytes.subarray(second + 1);
  if (header === undefined || header.content !== hashOf([content])) return undefined;
  const arrays = arraysIn(header, content);
  const words = arrays?.get('words');
  const parents = arrays?.get('parents');
  const taken = arrays?.get('taken');
  const starts = arrays?.get('starts');
  const targets = arrays?.get('targets');
  const steps = arrays?.get('steps');
  if (!(words instanceof Int32Array && parents instanceof Int32Array && taken instanceof Uint8Array)) return undefined;
  const graph =
    starts instanceof Int32Array &&
    targets instanceof Int32Array &&
    steps !== undefined &&
    !(steps instanceof Int32Array)
      ? { starts, targets, steps }
      : undefined;
  const { identity, ranges, ends, counts, firstDeadlock, violations } = header;
  const goals = violations.map((_, i) => {
    const own = arrays?.get(`goal ${i}`);
    return own instanceof Uint8Array ? own : undefined;
  });
  const found = { firstDeadlock: firstDeadlock ?? undefined, violations: violations.map(it => it ?? undefined) };
  return { identity, search: { ranges, words, parents, graph, goals, taken, counts, ends, ...found } };
}

const NEWLINE = 10;
const LONGEST_HEADER = 4_000_000;

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

function headerOf(text: string): Header | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isHeader(value) ? value : undefined;
}

function isHeader(value: unknown): value is Header {
  if (!isObject(value)) return false;
  const { identity, content, arrays, counts, firstDeadlock, violations, ranges, ends } = value;
  return (
    typeof identity === 'string' &&
    typeof content === 'string' &&
    isList(arrays, it => isObject(it) && typeof it.name === 'string' && isType(it.type) && isCount(it.length)) &&
    isObject(counts) &&
    COUNTS.every(it => typeof counts[it] === 'number') &&
    isNumberOrNull(firstDeadlock) &&
    isList(violations, isNumberOrNull) &&
    isList(ranges, it => isList(it, isNumber) && it.length === 2) &&
    isList(ends, isNumber)
  );
}

const COUNTS: readonly (keyof SearchCounts)[] = [
  'next',
  'depth',
  'layerEnd',
  'transitions',
  'deadlocks',
  'acceptingEnds',
];

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isNumberOrNull = (value: unknown): boolean => value === null || isNumber(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isType = (value: unknown): value is ArrayType => typeof value === 'string' && Object.hasOwn(ARRAYS, value);

function isList(value: unknown, isItem: (it: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isItem);
}

/** Copies, since an array begins at a multiple of the size of its numbers. */
function arraysIn({ arrays }: Header, content: Uint8Array): ReadonlyMap<string, SavedArray> | undefined {
  const found = new Map<string, SavedArray>();
  let at = 0;
  for (const { name, type, length } of arrays) {
    const size = length * ARRAYS[type].BYTES_PER_ELEMENT;
    if (at + size > content.length) return undefined;
    found.set(name, new ARRAYS[type](new Uint8Array(content.subarray(at, at + size)).buffer));
    at += size;
  }
  return at === content.length ? found : undefined;
}
