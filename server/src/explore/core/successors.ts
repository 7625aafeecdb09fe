import { t } from '../../base/l10n';
import { type PackedLayout, unpack } from './layout';
import { EvaluationFailure, type ModelStep, type ProcessModel } from './model';
import type { StateStore } from './stateStore';

/** One state under the eye of the search, and its steps. */
export interface StateCursor {
  readonly values: Int32Array;
  readonly moveTo: (state: number) => void;
  /** Calls `visit` with each enabled step, in the order of processes and steps. Throws EvaluationFailure. */
  readonly eachEnabled: (visit: (step: ModelStep) => void) => void;
  /** The packed state that a step leads to; the array is used again by the next call. Throws EvaluationFailure. */
  readonly successor: (step: ModelStep) => Int32Array;
  /** What was evaluated last, to say where a failure is. */
  readonly last: () => LastEvaluation;
}

export interface LastEvaluation {
  readonly step: ModelStep | undefined;
  /** The index of the write, or the guard. */
  readonly part: number | 'guard';
}

export function createStateCursor(
  { slots, processes }: ProcessModel,
  store: Pick<StateStore, 'layout' | 'words' | 'read' | 'widen'>,
): StateCursor {
  const values = new Int32Array(slots.length);
  const targets: number[] = [];
  let packed = new Int32Array(store.layout().wordCount);
  let current = 0;
  let lastStep: ModelStep | undefined;
  let lastWrite = -1;

  /** By step: its patch for the layout of `patchesFor`. */
  let patches: (Int32Array | 'none' | undefined)[] = [];
  let patchesFor: PackedLayout | undefined;

  function patchOf(step: ModelStep, layout: PackedLayout): Int32Array | 'none' {
    if (patchesFor !== layout) {
      patchesFor = layout;
      patches = [];
    }
    const known = patches[step.id] ?? constantPatch(step, layout, processes[step.process]!.slot) ?? 'none';
    patches[step.id] = known;
    return known;
  }

  /** Whether all values fitted; where one did not, there is room for it now. */
  function build(step: ModelStep): boolean {
    const layout = store.layout();
    const { wordCount } = layout;
    const words = store.words();
    if (packed.length !== wordCount) packed = new Int32Array(wordCount);
    for (let i = 0, start = current * wordCount; i < wordCount; i++) packed[i] = words[start + i]!;
    const patch = patchOf(step, layout);
    if (patch !== 'none') {
      for (let i = 0; i < patch.length; i += 3)
        packed[patch[i]!] = (packed[patch[i]!]! & patch[i + 1]!) | patch[i + 2]!;
      return true;
    }
    const { writes } = step;
    for (let i = 0; i < writes.length; i++) {
      const { target, value } = writes[i]!;
      lastWrite = i;
      const slot = typeof target === 'number' ? target : target(values);
      if (step.mayClash) noteTarget(slot, i);
      const written = value(values);
      if (written < layout.base[slot]! || written > layout.top[slot]!) {
        store.widen(slot, written);
        return false;
      }
      put(layout, packed, slot, written);
    }
    if (step.to !== step.from) put(layout, packed, processes[step.process]!.slot, step.to);
    return true;
  }

  function noteTarget(slot: number, i: number): void {
    targets.length = i;
    if (targets.includes(slot)) throw new EvaluationFailure(writtenTwice());
    targets.push(slot);
  }

  return {
    values,
    moveTo(state) {
      current = state;
      store.read(state, values);
    },
    eachEnabled(visit) {
      for (let p = 0; p < processes.length; p++) {
        const { slot, steps } = processes[p]!;
        const own = steps[values[slot]!]!;
        for (let i = 0; i < own.length; i++) {
          const step = own[i]!;
          lastStep = step;
          lastWrite = -1;
          if (step.guard === undefined || step.guard(values) !== 0) visit(step);
        }
      }
    },
    successor(step) {
      lastStep = step;
      while (!build(step));
      return packed;
    },
    last: () => ({ step: lastStep, part: lastWrite < 0 ? 'guard' : lastWrite }),
  };
}

/**
 * What a step does to packed states, where it writes the same values to the same slots in each: three numbers a word, its
 * index, the bits that stay, and the bits that are set. Absent for any other step, and where a value does not fit.
 */
function constantPatch(
  { writes, mayClash, from, to }: ModelStep,
  { word, shift, mask, base, top }: PackedLayout,
  locationSlot: number,
): Int32Array | undefined {
  const words = new Map<number, { keep: number; set: number }>();
  const all = [...writes, ...(from === to ? [] : [{ target: locationSlot, constant: to }])];
  if (mayClash) return undefined;
  for (const { target, constant } of all) {
    if (typeof target !== 'number' || constant === undefined) return undefined;
    if (constant < base[target]! || constant > top[target]!) return undefined;
    const patch = words.get(word[target]!) ?? { keep: -1, set: 0 };
    patch.keep &= ~(mask[target]! << shift[target]!);
    patch.set |= (constant - base[target]!) << shift[target]!;
    words.set(word[target]!, patch);
  }
  return Int32Array.from([...words].flatMap(([at, { keep, set }]) => [at, keep, set]));
}

function put({ word, shift, mask, base }: PackedLayout, packed: Int32Array, slot: number, value: number): void {
  const at = word[slot]!;
  const by = shift[slot]!;
  packed[at] = (packed[at]! & ~(mask[slot]! << by)) | ((value - base[slot]!) << by);
}

/** Whether every process is where it may rest. */
export function isAccepting({ processes }: ProcessModel, values: Int32Array): boolean {
  return processes.every(it => it.halting[values[it.slot]!] === true);
}

/** Whether a step is possible. Throws EvaluationFailure. */
export function isEnabled(
  { processes }: ProcessModel,
  values: Int32Array,
  { process, from, guard }: ModelStep,
): boolean {
  return values[processes[process]!.slot] === from && (guard === undefined || guard(values) !== 0);
}

/** The state after a step that is possible. Throws EvaluationFailure. */
export function valuesAfter({ processes }: ProcessModel, values: Int32Array, step: ModelStep): Int32Array {
  const after = values.slice();
  const slots = new Set<number>();
  for (const { target, value } of step.writes) {
    const slot = typeof target === 'number' ? target : target(values);
    if (slots.has(slot)) throw new EvaluationFailure(writtenTwice());
    slots.add(slot);
    after[slot] = value(values);
  }
  after[processes[step.process]!.slot] = step.to;
  return after;
}

const writtenTwice = (): string => t('writes to the same place twice');

/** The values of a state. */
export function valuesOf(store: StateStore, state: number, count: number): Int32Array {
  const values = new Int32Array(count);
  const { wordCount } = store.layout();
  unpack(store.layout(), store.words(), state * wordCount, values);
  return values;
}
