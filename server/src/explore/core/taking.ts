import type { ExpandingAhead } from './ahead';
import type { ModelStep, ProcessModel } from './model';
import type { ExpandedPart } from './part';
import type { GraphBuilder } from './stateGraph';
import type { StateStore } from './stateStore';
import type { StateCursor } from './successors';
import { type ModelSymmetry, packedSorter } from './symmetry';

/** Chooses those of the enabled steps of a state that are taken. */
export type SelectSteps = (values: Int32Array, enabled: readonly ModelStep[]) => readonly ModelStep[];

/** Between two looks at the memory within one state, in transitions. */
const TRANSITIONS_PER_LOOK = 256;

/** The successors of one state alone exceed the limit of memory. */
export class MemoryUsed extends Error {}

interface StepTaking {
  readonly model: ProcessModel;
  /** absent: all are taken */
  readonly select?: SelectSteps;
  /** As in a request. */
  readonly onCycles?: 'takeAll';
  /** Knows the successors of some states; not asked where steps are selected. */
  readonly ahead: ExpandingAhead | undefined;
  readonly cursor: StateCursor;
  readonly store: StateStore;
  readonly graph: GraphBuilder | undefined;
  readonly symmetry: ModelSymmetry;
  /** Written: 1 at the id of each step that is taken. */
  readonly taken: Uint8Array;
  /** Whether the limit of memory is exceeded. */
  readonly isFull: () => boolean;
}

/** Takes the steps of the state that the cursor is on; gives the number of those that are enabled. */
export function takeSteps({
  model,
  cursor,
  store,
  graph,
  select,
  onCycles,
  ahead,
  symmetry,
  taken,
  isFull,
}: StepTaking) {
  const sort = symmetry.length === 0 ? undefined : packedSorter(model, symmetry);
  let count = 0;
  let from = 0;
  let isBack = false;
  const note = (id: number): void => {
    count++;
    taken[id] = 1;
    if (count % TRANSITIONS_PER_LOOK === 0 && isFull()) throw new MemoryUsed();
  };
  const takeKnown = ({ steps, words, hashes }: ExpandedPart, first: number, enabled: number): void => {
    const { wordCount } = store.layout();
    for (let i = first; i < first + enabled; i++) {
      note(steps[i]!);
      const to = store.addAt(words, i * wordCount, hashes[i]!, from);
      graph?.push(to, steps[i]!);
    }
  };
  const take = (step: ModelStep): void => {
    note(step.id);
    const packed = cursor.successor(step);
    sort?.(packed, store.layout(), step);
    const to = store.add(packed, from);
    if (to <= from) isBack = true;
    graph?.push(to, step.id);
  };
  if (select === undefined)
    return (state: number): number => {
      count = 0;
      from = state;
      const known = ahead?.expanded(state);
      if (known === undefined) cursor.eachEnabled(take);
      else takeKnown(known.part, known.first, known.enabled);
      return count;
    };
  return (state: number): number => {
    const enabled: ModelStep[] = [];
    count = 0;
    from = state;
    isBack = false;
    cursor.eachEnabled(it => enabled.push(it));
    if (enabled.length === 0) return 0;
    const selected = select(cursor.values, enabled);
    for (const it of selected) take(it);
    if (isBack && onCycles === 'takeAll' && selected.length < enabled.length) {
      for (const it of enabled) if (!selected.includes(it)) take(it);
    }
    return enabled.length;
  };
}
