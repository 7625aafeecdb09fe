import { EvaluationFailure, type ModelStep, type ProcessModel } from './model';
import type { StateStore } from './stateStore';
import { isEnabled, valuesAfter } from './successors';
import { type ModelSymmetry, rearranged, rearrangement, sortedValues, stepsLike } from './symmetry';

/** The way from the initial state to a state. */
export interface ModelTrace {
  readonly steps: readonly ModelStep[];
  /** The values of the state. */
  readonly state: Int32Array;
}

/** The states that a search kept. Where processes are equal, each of them stands for several. */
export interface SearchedStates {
  readonly model: ProcessModel;
  readonly store: StateStore;
  readonly symmetry: ModelSymmetry;
}

/** No step leads from a state to the one after it: the states are not those of a search of the model. */
export class BrokenWay extends Error {}

/** A shortest way to a state of a breadth-first search, or to one that it stands for. */
export function traceTo(searched: SearchedStates, state: number): ModelTrace {
  const { model, store } = searched;
  const states: number[] = [];
  for (let it = state; store.parent(it) >= 0; it = store.parent(it)) states.push(it);
  return follow(searched, model.initial, states.reverse(), () => true);
}

/**
 * The steps of a cycle through the end of a trace, along kept states of which the last one stands for that end. Where equal
 * processes have changed places after one round, others follow in which each does what the one in its place did.
 */
export function cycleFrom(
  searched: SearchedStates,
  from: Int32Array,
  states: readonly number[],
  allows: (step: ModelStep, index: number) => boolean,
): readonly ModelStep[] {
  const { model, symmetry } = searched;
  const round = follow(searched, from, states, allows);
  const places = rearrangement(symmetry, from, round.state);
  const all = [...round.steps];
  let last = round.steps;
  for (let values = round.state; !isSame(values, from); ) {
    last = last.map(it => rearranged(model, places, it));
    values = last.reduce((before, it) => valuesAfter(model, before, it), values);
    for (const each of last) all.push(each);
  }
  return all;
}

/** Of a step that fails in a kept state, the one that fails in a state that it stands for. */
export function failingStep({ model, symmetry }: SearchedStates, values: Int32Array, step: ModelStep): ModelStep {
  return stepsLike(model, symmetry, step).find(it => fails(model, values, it)) ?? step;
}

function fails(model: ProcessModel, values: Int32Array, step: ModelStep): boolean {
  try {
    if (isEnabled(model, values, step)) valuesAfter(model, values, step);
    return false;
  } catch (error) {
    if (error instanceof EvaluationFailure) return true;
    throw error;
  }
}

/** Takes a step to each of some kept states in turn. */
function follow(
  searched: SearchedStates,
  from: Int32Array,
  states: readonly number[],
  allows: (step: ModelStep, index: number) => boolean,
): ModelTrace {
  const steps: ModelStep[] = [];
  let values = from;
  for (const [index, to] of states.entries()) {
    const { step, state } = stepTo(searched, values, to, it => allows(it, index));
    steps.push(step);
    values = state;
  }
  return { steps, state: values };
}

function stepTo(
  { model, store, symmetry }: SearchedStates,
  from: Int32Array,
  to: number,
  allows: (step: ModelStep) => boolean,
): { readonly step: ModelStep; readonly state: Int32Array } {
  const wanted = new Int32Array(from.length);
  store.read(to, wanted);
  for (const { slot, steps } of model.processes) {
    for (const step of steps[from[slot]!]!) {
      // Of the other steps one may fail that a reduced search did not take.
      if (!allows(step) || fails(model, from, step) || !isEnabled(model, from, step)) continue;
      const state = valuesAfter(model, from, step);
      if (isSame(sortedValues(symmetry, state), wanted)) return { step, state };
    }
  }
  throw new BrokenWay();
}

const isSame = (a: Int32Array, b: Int32Array): boolean => a.every((it, i) => it === b[i]);
