import { layoutOf, unpack } from './layout';
import type { ModelProperty, ProcessModel, StateSlot } from './model';
import type { StateGraph } from './stateGraph';

/** A search that was stopped, with all that it needs to go on. */
export interface SavedSearch {
  /** By slot: the values that there was room for. */
  readonly ranges: readonly (readonly [min: number, max: number])[];
  readonly words: Int32Array;
  readonly parents: Int32Array;
  readonly graph: Pick<StateGraph, 'starts' | 'targets' | 'steps'> | undefined;
  /** By property, for `canAlwaysReach` alone: by expanded state, whether its expression is true. */
  readonly goals: readonly (Uint8Array | undefined)[];
  readonly taken: Uint8Array;
  readonly counts: SearchCounts;
  readonly firstDeadlock: number | undefined;
  readonly ends: readonly number[];
  readonly violations: readonly (number | undefined)[];
}

/** How far a search came. */
export interface SearchCounts {
  /** The next state to be expanded; all with lower numbers were. */
  readonly next: number;
  readonly depth: number;
  /** The first state of the next layer. */
  readonly layerEnd: number;
  readonly transitions: number;
  readonly deadlocks: number;
  readonly acceptingEnds: number;
}

/** Whether a search that somebody wrote down can be one of a model: the search can then go on, and ends. */
export function isSearchOf(saved: SavedSearch, model: ProcessModel, properties: readonly ModelProperty[]): boolean {
  const { next, layerEnd, ...others } = saved.counts;
  const count = saved.parents.length;
  const named = [...saved.ends, saved.firstDeadlock, ...saved.violations].filter(it => it !== undefined);
  return (
    isWhole(next, 0, count) &&
    isWhole(layerEnd, next, count) &&
    Object.values(others).every(it => Number.isFinite(it) && it >= 0) &&
    saved.parents.every((it, state) => (state === 0 ? it === -1 : it >= 0 && it <= next && it < state)) &&
    named.every(it => isWhole(it, 0, count - 1)) &&
    saved.violations.length === properties.length &&
    saved.taken.length === stepCount(model) &&
    saved.goals.length === properties.length &&
    properties.every((it, i) => saved.goals[i]?.length === (it.kind === 'canAlwaysReach' ? next : undefined)) &&
    areStatesOf(saved, model) &&
    isGraphOf(saved, model, properties)
  );
}

const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most;

const stepCount = ({ processes }: ProcessModel): number =>
  processes.reduce((sum, it) => sum + it.steps.flat().length, 0);

/** The slots of a model with the room that there was. */
export function savedSlots({ ranges }: Pick<SavedSearch, 'ranges'>, { slots }: ProcessModel): readonly StateSlot[] {
  return slots.map(({ group }, i) => ({ min: ranges[i]![0], max: ranges[i]![1], group }));
}

function areStatesOf(saved: SavedSearch, model: ProcessModel): boolean {
  const { ranges, words, parents } = saved;
  const isRange = ([min, max]: readonly [number, number]): boolean =>
    (min | 0) === min && (max | 0) === max && min <= max;
  if (ranges.length !== model.slots.length || !ranges.every(isRange)) return false;
  const layout = layoutOf(savedSlots(saved, model));
  if (words.length !== parents.length * layout.wordCount) return false;
  const values = new Int32Array(model.slots.length);
  for (let state = 0; state < parents.length; state++) {
    unpack(layout, words, state * layout.wordCount, values);
    if (state === 0 && !values.every((it, slot) => it === model.initial[slot])) return false;
    if (!model.processes.every(it => values[it.slot]! >= 0 && values[it.slot]! < it.steps.length)) return false;
  }
  return true;
}

function isGraphOf(
  { graph, parents, counts }: SavedSearch,
  model: ProcessModel,
  properties: readonly ModelProperty[],
): boolean {
  const isWanted = properties.some(it => it.kind === 'canAlwaysReach' || it.kind === 'progress');
  if (graph === undefined) return !isWanted;
  const { starts, targets, steps } = graph;
  const most = stepCount(model);
  return (
    isWanted &&
    starts.length === counts.next + 1 &&
    starts.every((it, i) => it >= (i === 0 ? 0 : starts[i - 1]!)) &&
    starts[0] === 0 &&
    starts.at(-1) === targets.length &&
    steps.length === targets.length &&
    targets.every(it => it >= 0 && it < parents.length) &&
    steps.every(it => it < most)
  );
}
