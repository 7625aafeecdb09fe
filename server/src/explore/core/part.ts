import { layoutOf, type PackedLayout, unpack } from './layout';
import { EvaluationFailure, type ModelStep, type ProcessModel } from './model';
import { savedSlots } from './savedSearch';
import { hashOf } from './stateStore';
import { createStateCursor } from './successors';
import { type ModelSymmetry, packedSorter } from './symmetry';

/** States of a search, packed one after the other. */
export interface StatesPart {
  /** By slot: the values that there is room for. */
  readonly ranges: readonly (readonly [min: number, max: number])[];
  readonly words: Int32Array;
  readonly count: number;
}

/** The successors of a part's states, in the order of one search: by state, then by process and step. */
export interface ExpandedPart {
  /** By state: the number of its steps; LEFT: it must be expanded by the search itself. */
  readonly enabled: Int32Array;
  /** By transition: the id of the step. */
  readonly steps: Int32Array;
  /** By transition: the packed state that it leads to. */
  readonly words: Int32Array;
  /** By transition: the hash of that state. */
  readonly hashes: Int32Array;
}

/** A state with an expression that has no value, or a successor for which there is no room. */
export const LEFT = -1;

/** The words of all successors of a part, at most; the states after that are left. */
const MOST_WORDS = 1_000_000;

/** A value does not fit: only the search itself makes room. */
class NoRoom extends Error {}

/** Expands parts of a search of the same model with the same symmetry. */
export function createPartExpander(model: ProcessModel, symmetry: ModelSymmetry): (part: StatesPart) => ExpandedPart {
  const sort = symmetry.length === 0 ? undefined : packedSorter(model, symmetry);
  let known: StatesPart['ranges'] = [];
  let layout: PackedLayout = layoutOf(model.slots);
  let states: Int32Array = new Int32Array(0);
  const cursor = createStateCursor(model, {
    layout: () => layout,
    words: () => states,
    read: (state, values) => unpack(layout, states, state * layout.wordCount, values),
    widen: () => {
      throw new NoRoom();
    },
  });
  let words = new Int32Array(1024);
  let steps = new Int32Array(1024);
  let hashes = new Int32Array(1024);
  let count = 0;

  function push(step: ModelStep): void {
    const { wordCount } = layout;
    const packed = cursor.successor(step);
    sort?.(packed, layout, step);
    if (count === steps.length) {
      steps = doubled(steps);
      hashes = doubled(hashes);
    }
    while ((count + 1) * wordCount > words.length) words = doubled(words);
    for (let i = 0, at = count * wordCount; i < wordCount; i++) words[at + i] = packed[i]!;
    hashes[count] = hashOf(packed, 0, wordCount);
    steps[count] = step.id;
    count++;
  }

  /** Gives the number of steps. */
  function expand(state: number): number {
    const before = count;
    try {
      cursor.moveTo(state);
      cursor.eachEnabled(push);
      return count - before;
    } catch (error) {
      if (!(error instanceof EvaluationFailure || error instanceof NoRoom)) throw error;
      count = before;
      return LEFT;
    }
  }

  return part => {
    if (!areEqual(part.ranges, known)) layout = layoutOf(savedSlots(part, model));
    known = part.ranges;
    states = part.words;
    count = 0;
    const enabled = new Int32Array(part.count).fill(LEFT);
    for (let state = 0; state < part.count && count * layout.wordCount < MOST_WORDS; state++) {
      enabled[state] = expand(state);
    }
    return {
      enabled,
      steps: steps.slice(0, count),
      words: words.slice(0, count * layout.wordCount),
      hashes: hashes.slice(0, count),
    };
  };
}

function areEqual(a: StatesPart['ranges'], b: StatesPart['ranges']): boolean {
  return a.length === b.length && a.every(([min, max], i) => min === b[i]![0] && max === b[i]![1]);
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const next = new Int32Array(2 * array.length);
  next.set(array);
  return next;
}
