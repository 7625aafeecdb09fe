import { layoutOf, type PackedLayout, pack, unpack, widened } from './layout';
import type { StateSlot } from './model';
import type { SavedSearch } from './savedSearch';

/** The states found so far, each once, numbered in the order in which they were found. */
export interface StateStore {
  readonly count: () => number;
  readonly layout: () => PackedLayout;
  /** The packed states, one after the other. */
  readonly words: () => Int32Array;
  readonly read: (state: number, values: Int32Array) => void;
  /** The number of a packed state; a new one is kept with the state before it. */
  readonly add: (packed: Int32Array, parent: number) => number;
  /** The same for the packed state that begins at a word of others. @param hash by `hashOf` */
  readonly addAt: (others: Int32Array, from: number, hash: number, parent: number) => number;
  readonly parent: (state: number) => number;
  /** Makes room for a value in the group of a slot: every state is packed anew. */
  readonly widen: (slot: number, value: number) => void;
  readonly bytes: () => number;
  readonly kept: () => Pick<SavedSearch, 'ranges' | 'words' | 'parents'>;
}

const FIRST_CAPACITY = 1024;
/** The hash table is doubled when more of it is used. */
const FULLEST = 0.6;

/** @param saved the states of an earlier search */
export function createStateStore(
  given: readonly StateSlot[],
  saved?: Pick<SavedSearch, 'words' | 'parents'>,
): StateStore {
  const slots = [...given];
  let layout = layoutOf(slots);
  let size = layout.wordCount;
  let words = new Int32Array(FIRST_CAPACITY * size);
  let parents = new Int32Array(FIRST_CAPACITY);
  /** Open addressing. An entry is the number of a state from 1, and above it the bits of its hash that do not fit the table. */
  let table = new Int32Array(2 * FIRST_CAPACITY);
  let count = 0;

  function rehash(length: number): void {
    table = new Int32Array(length);
    const last = length - 1;
    for (let state = 0; state < count; state++) {
      const hash = hashOf(words, state * size, size);
      let at = hash & last;
      while (table[at] !== 0) at = (at + 1) & last;
      table[at] = (hash & ~last) | (state + 1);
    }
  }

  function grow(): void {
    const capacity = Math.ceil(parents.length * 1.5);
    words = extended(words, capacity * size);
    parents = extended(parents, capacity);
  }

  function restore({ words: ofStates, parents: ofParents }: Pick<SavedSearch, 'words' | 'parents'>): void {
    count = ofParents.length;
    words = extended(ofStates, Math.max(FIRST_CAPACITY, count) * size);
    parents = extended(ofParents, Math.max(FIRST_CAPACITY, count));
    let length = table.length;
    while (count > length * FULLEST) length *= 2;
    rehash(length);
  }

  function addAt(others: Int32Array, from: number, hash: number, parent: number): number {
    const last = table.length - 1;
    const rest = hash & ~last;
    let at = hash & last;
    for (let entry = table[at]!; entry !== 0; entry = table[at]!) {
      // Looking at a state that is another one costs more than looking at the bits of its hash.
      if ((entry & ~last) === rest) {
        const state = (entry & last) - 1;
        const start = state * size;
        let i = 0;
        while (i < size && words[start + i] === others[from + i]) i++;
        if (i === size) return state;
      }
      at = (at + 1) & last;
    }
    if (count === parents.length) grow();
    for (let i = 0, start = count * size; i < size; i++) words[start + i] = others[from + i]!;
    parents[count] = parent;
    count++;
    table[at] = rest | count;
    if (count > table.length * FULLEST) rehash(table.length * 2);
    return count - 1;
  }

  function widen(slot: number, value: number): void {
    const { group } = slots[slot]!;
    for (const [i, it] of slots.entries()) if (it.group === group) slots[i] = widened(it, value);
    const next = layoutOf(slots);
    const packed = new Int32Array(parents.length * next.wordCount);
    const values = new Int32Array(slots.length);
    for (let state = 0; state < count; state++) {
      unpack(layout, words, state * size, values);
      pack(next, values, packed, state * next.wordCount);
    }
    layout = next;
    size = next.wordCount;
    words = packed;
    rehash(table.length);
  }

  if (saved !== undefined) restore(saved);
  return {
    count: () => count,
    layout: () => layout,
    words: () => words,
    read: (state, values) => unpack(layout, words, state * size, values),
    add: (packed, parent) => addAt(packed, 0, hashOf(packed, 0, size), parent),
    addAt,
    parent: state => parents[state]!,
    widen,
    bytes: () => words.byteLength + parents.byteLength + table.byteLength,
    kept: () => ({
      ranges: slots.map(({ min, max }) => [min, max]),
      words: words.subarray(0, count * size),
      parents: parents.subarray(0, count),
    }),
  };
}

/** The hash of the packed state that begins at a word. @param size its words */
export function hashOf(words: Int32Array, at: number, size: number): number {
  let hash = 0;
  for (let i = 0; i < size; i++) {
    hash = Math.imul(hash ^ words[at + i]!, 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash, 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

function extended(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const next = new Int32Array(length);
  next.set(array);
  return next;
}
