import type { ModelStep, ProcessModel } from './model';
import type { StateStore } from './stateStore';
import { createStateCursor, type StateCursor, valuesOf } from './successors';

/** The way from the initial state to a state. */
export interface ModelTrace {
  readonly steps: readonly ModelStep[];
  /** The values of the state. */
  readonly state: Int32Array;
}

/** A shortest way to a state of a breadth-first search. */
export function traceTo(model: ProcessModel, store: StateStore, state: number): ModelTrace {
  const states = [state];
  for (let it = store.parent(state); it >= 0; it = store.parent(it)) states.push(it);
  return { steps: stepsAlong(model, store, states.reverse()), state: valuesOf(store, state, model.slots.length) };
}

/** For each two states in a row a step that leads from the first to the second. */
function stepsAlong(model: ProcessModel, store: StateStore, states: readonly number[]): readonly ModelStep[] {
  const cursor = createStateCursor(model, store);
  return states.slice(1).map((to, i) => stepBetween(cursor, store, states[i]!, to));
}

function stepBetween(cursor: StateCursor, store: StateStore, from: number, to: number): ModelStep {
  const enabled: ModelStep[] = [];
  cursor.moveTo(from);
  cursor.eachEnabled(it => enabled.push(it));
  const found = enabled.find(it => isAt(cursor.successor(it), store, to));
  if (found === undefined) throw new Error('No step leads from a state to the one after it.');
  return found;
}

function isAt(packed: Int32Array, store: StateStore, state: number): boolean {
  const words = store.words();
  return packed.every((it, i) => words[state * packed.length + i] === it);
}
