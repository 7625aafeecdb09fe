import type { StateSlot } from './model';

/** Where each slot is in the 32-bit words of a packed state. */
export interface PackedLayout {
  readonly wordCount: number;
  readonly word: Int32Array;
  readonly shift: Int32Array;
  /** The bits of a slot, before they are shifted. */
  readonly mask: Int32Array;
  /** The least value that fits; it is stored as 0. */
  readonly base: Int32Array;
  /** The greatest value that fits. */
  readonly top: Int32Array;
}

const WORD = 32;
const LEAST = -(2 ** 31);
const GREATEST = 2 ** 31 - 1;

/** Packs the slots first fit, the widest first. No slot crosses the border of a word. */
export function layoutOf(slots: readonly StateSlot[]): PackedLayout {
  const { length } = slots;
  const layout = {
    word: new Int32Array(length),
    shift: new Int32Array(length),
    mask: new Int32Array(length),
    base: new Int32Array(length),
    top: new Int32Array(length),
  };
  const widths = slots.map(widthOf);
  const used: number[] = [];
  let firstFree = 0;
  for (const slot of slots.map((_, i) => i).sort((a, b) => widths[b]! - widths[a]! || a - b)) {
    const width = widths[slot]!;
    let word = firstFree;
    while ((used[word] ?? 0) + width > WORD) word++;
    layout.word[slot] = word;
    layout.shift[slot] = used[word] ?? 0;
    layout.mask[slot] = width === WORD ? -1 : 2 ** width - 1;
    const base = width === WORD ? LEAST : Math.min(slots[slot]!.min, GREATEST - (2 ** width - 1));
    layout.base[slot] = base;
    layout.top[slot] = base + (2 ** width - 1);
    used[word] = (used[word] ?? 0) + width;
    while (used[firstFree] === WORD) firstFree++;
  }
  return { wordCount: Math.max(1, used.length), ...layout };
}

function widthOf({ min, max }: StateSlot): number {
  return Math.min(WORD, Math.ceil(Math.log2(max - min + 1)) || 0);
}

/** The range that also holds a value: twice as wide as before at least, so that few values make the search pack anew. */
export function widened({ min, max, group }: StateSlot, value: number): StateSlot {
  const size = max - min + 1;
  const low = value < min ? Math.min(value, min - size) : min;
  const high = value > max ? Math.max(value, max + size) : max;
  return { min: Math.max(low, LEAST), max: Math.min(high, GREATEST), group };
}

/** Reads the packed state that begins at a word. */
export function unpack(layout: PackedLayout, words: Int32Array, at: number, values: Int32Array): void {
  const { word, shift, mask, base } = layout;
  for (let slot = 0; slot < values.length; slot++) {
    values[slot] = ((words[at + word[slot]!]! >>> shift[slot]!) & mask[slot]!) + base[slot]!;
  }
}

/** Writes a state whose values fit. */
export function pack(layout: PackedLayout, values: Int32Array, words: Int32Array, at: number): void {
  const { word, shift, base, wordCount } = layout;
  words.fill(0, at, at + wordCount);
  for (let slot = 0; slot < values.length; slot++) {
    words[at + word[slot]!]! |= (values[slot]! - base[slot]!) << shift[slot]!;
  }
}
