import type { PackedLayout } from './layout';
import { type Evaluate, type ModelStep, type ProcessModel, stepsById } from './model';

/** Processes that may change places in every state: neither a step, nor a property, nor the initial state tells them apart. */
export interface EqualProcesses {
  /** Indexes of processes of the model. Their steps correspond by location and order. */
  readonly processes: readonly number[];
  /** For each of them its slots, in one order. Slots in one position have one range and one group. */
  readonly blocks: readonly (readonly number[])[];
}

/** Each of these lists can be rearranged by itself. Of the states that differ in that alone the sorted one stands for all. */
export type ModelSymmetry = readonly EqualProcesses[];

/** Sorts in place the packed state that a step leads to from a sorted one. */
export function packedSorter(
  model: ProcessModel,
  symmetry: ModelSymmetry,
): (packed: Int32Array, layout: PackedLayout, step: ModelStep) => void {
  let state: Int32Array = new Int32Array(0);
  let layout: PackedLayout | undefined;
  const access: BlockAccess = {
    read: slot => ((state[layout!.word[slot]!]! >>> layout!.shift[slot]!) & layout!.mask[slot]!) >>> 0,
    write(slot, value) {
      const at = layout!.word[slot]!;
      const by = layout!.shift[slot]!;
      state[at] = (state[at]! & ~(layout!.mask[slot]! << by)) | (value << by);
    },
  };
  const placeOf = blockOfSlot(symmetry);
  const changes = stepsById(model).map(it => changedBlocks(model, symmetry, placeOf, it));
  return (packed, ofPacked, { id }) => {
    state = packed;
    layout = ofPacked;
    for (const { blocks, changed } of changes[id]!) {
      if (changed.length === 1) settle(blocks, changed[0]!, access);
      else sortBlocks(blocks, access);
    }
  };
}

/** The values of a state by slot. */
interface BlockAccess {
  readonly read: (slot: number) => number;
  readonly write: (slot: number, value: number) => void;
}

interface ChangedBlocks {
  readonly blocks: EqualProcesses['blocks'];
  /** Indexes of the blocks that a step changes. */
  readonly changed: readonly number[];
}

/** A step writes to known slots of blocks: those of computed elements are in none. */
function changedBlocks(
  { processes }: ProcessModel,
  symmetry: ModelSymmetry,
  placeOf: ReadonlyMap<number | Evaluate, BlockPlace>,
  { process, writes }: ModelStep,
): readonly ChangedBlocks[] {
  const places = [processes[process]!.slot, ...writes.map(it => it.target)].flatMap(it => placeOf.get(it) ?? []);
  return symmetry.flatMap(({ blocks }, list) => {
    const changed = [...new Set(places.filter(it => it.list === list).map(it => it.block))];
    return changed.length === 0 ? [] : [{ blocks, changed }];
  });
}

interface BlockPlace {
  readonly list: number;
  readonly block: number;
}

function blockOfSlot(symmetry: ModelSymmetry): ReadonlyMap<number | Evaluate, BlockPlace> {
  const places = new Map<number, BlockPlace>();
  for (const [list, { blocks }] of symmetry.entries()) {
    for (const [block, slots] of blocks.entries()) for (const slot of slots) places.set(slot, { list, block });
  }
  return places;
}

/** Moves the one block that may be out of order, past each run of equal ones with one exchange. */
function settle(blocks: EqualProcesses['blocks'], changed: number, access: BlockAccess): void {
  let at = changed;
  while (at + 1 < blocks.length && order(blocks[at]!, blocks[at + 1]!, access) > 0) {
    const end = endOfRun(blocks, at + 1, 1, access);
    exchange(blocks[at]!, blocks[end]!, access);
    at = end;
  }
  while (at > 0 && order(blocks[at]!, blocks[at - 1]!, access) < 0) {
    const end = endOfRun(blocks, at - 1, -1, access);
    exchange(blocks[at]!, blocks[end]!, access);
    at = end;
  }
}

/** The last of the blocks that are equal to one, in one direction. */
function endOfRun(blocks: EqualProcesses['blocks'], from: number, by: 1 | -1, access: BlockAccess): number {
  let inside = 0;
  let outside = by > 0 ? blocks.length - from : from + 1;
  while (outside - inside > 1) {
    const middle = (inside + outside) >> 1;
    if (order(blocks[from]!, blocks[from + by * middle]!, access) === 0) inside = middle;
    else outside = middle;
  }
  return from + by * inside;
}

/** The state that stands for a state. */
export function sortedValues(symmetry: ModelSymmetry, values: Int32Array): Int32Array {
  const sorted = values.slice();
  for (const { blocks } of symmetry) {
    sortBlocks(blocks, {
      read: slot => sorted[slot]!,
      write(slot, value) {
        sorted[slot] = value;
      },
    });
  }
  return sorted;
}

function sortBlocks(blocks: EqualProcesses['blocks'], access: BlockAccess): void {
  for (let i = 1; i < blocks.length; i++) {
    for (let k = i; k > 0 && order(blocks[k]!, blocks[k - 1]!, access) < 0; k--) {
      exchange(blocks[k]!, blocks[k - 1]!, access);
    }
  }
}

/** Greater ones first: traces then have the processes that went on before the others, as without equal processes. */
function order(a: readonly number[], b: readonly number[], { read }: BlockAccess): number {
  for (let i = 0; i < a.length; i++) {
    const difference = read(b[i]!) - read(a[i]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

function exchange(a: readonly number[], b: readonly number[], { read, write }: BlockAccess): void {
  for (let i = 0; i < a.length; i++) {
    const value = read(a[i]!);
    write(a[i]!, read(b[i]!));
    write(b[i]!, value);
  }
}

/** How many states a sorted state stands for, itself included. */
export function statesLike(symmetry: ModelSymmetry, values: Int32Array): number {
  if (symmetry.length === 0) return 1;
  const isSame = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((slot, i) => values[slot] === values[b[i]!]);
  let count = 1;
  for (const { blocks } of symmetry) {
    let same = 1;
    for (let i = 1; i < blocks.length; i++) {
      same = isSame(blocks[i]!, blocks[i - 1]!) ? same + 1 : 1;
      // Blocks in all orders, divided by the orders of equal ones. The quotient is an integer each time.
      count = (count * (i + 1)) / same;
    }
  }
  return count;
}

/** A step of each equal process, the step itself among them. */
export function stepsLike({ processes }: ProcessModel, symmetry: ModelSymmetry, step: ModelStep): readonly ModelStep[] {
  const like = symmetry.find(it => it.processes.includes(step.process));
  if (like === undefined) return [step];
  const at = processes[step.process]!.steps[step.from]!.indexOf(step);
  return like.processes.map(it => processes[it]!.steps[step.from]![at]!);
}

/** Which process takes the place of which. */
export type Rearrangement = ReadonlyMap<number, number>;

/** A rearrangement that makes one state of another, where they have the same sorted one. */
export function rearrangement(symmetry: ModelSymmetry, from: Int32Array, to: Int32Array): Rearrangement {
  const places = new Map<number, number>();
  for (const { processes, blocks } of symmetry) {
    const text = (values: Int32Array, i: number): string => blocks[i]!.map(slot => values[slot]!).join();
    const free = new Set(processes.keys());
    const moved: number[] = [];
    for (const i of processes.keys()) {
      if (text(from, i) === text(to, i)) free.delete(i);
      else moved.push(i);
    }
    for (const i of moved) {
      const place = [...free].find(it => text(to, it) === text(from, i))!;
      free.delete(place);
      places.set(processes[i]!, processes[place]!);
    }
  }
  return places;
}

/** The step that corresponds to a step once the processes have changed places. */
export function rearranged({ processes }: ProcessModel, places: Rearrangement, step: ModelStep): ModelStep {
  const process = places.get(step.process);
  if (process === undefined) return step;
  const at = processes[step.process]!.steps[step.from]!.indexOf(step);
  return processes[process]!.steps[step.from]![at]!;
}
