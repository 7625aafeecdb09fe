import { pack } from './layout';
import { EvaluationFailure, type ModelProperty, type ModelStep, type ProcessModel } from './model';
import { createStateStore, type StateStore } from './stateStore';
import { createStateCursor, isAccepting, type StateCursor, valuesOf } from './successors';

/** States and transitions to be drawn, those of the way first and then breadth first. */
export interface StateDrawing {
  readonly states: readonly DrawnState[];
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly step: ModelStep }[];
  /** Whether there are more states than are drawn. */
  readonly isPart: boolean;
  /** The initial state and that after each step of the way; states that are not drawn have higher indexes. */
  readonly along: readonly { readonly state: number; readonly values: Int32Array }[];
}

export interface DrawnState {
  readonly values: Int32Array;
  readonly kind: 'deadlock' | 'end' | 'violation' | 'other';
}

/** Which states are drawn. */
export interface DrawingBounds {
  /** The number of states; those that are drawn are the nearest. */
  readonly most: number;
  /** Steps from the initial state on, whose states come first; absent: the initial state alone does. */
  readonly way?: readonly ModelStep[];
  /** How many steps a state may be away from those of the way; absent: any number. */
  readonly within?: number;
}

/** The states nearest to a way, up to one in which an expression has no value. */
export function drawingOf(
  model: ProcessModel,
  properties: readonly ModelProperty[],
  { most, way = [], within = Number.POSITIVE_INFINITY }: DrawingBounds,
): StateDrawing {
  const store = createStateStore(model.slots);
  store.add(initialOf(model, store), -1);
  const cursor = createStateCursor(model, store);
  const along = statesAlong(way, cursor, store);
  const distances = Array.from({ length: store.count() }, () => 0);
  const states: DrawnState[] = [];
  const transitions: { from: number; to: number; step: ModelStep }[] = [];
  for (let from = 0; from < Math.min(store.count(), most) && distances[from]! <= within; from++) {
    cursor.moveTo(from);
    try {
      const steps: ModelStep[] = [];
      cursor.eachEnabled(it => steps.push(it));
      for (const step of steps) {
        const to = store.add(cursor.successor(step), from);
        if (to === distances.length) distances.push(distances[from]! + 1);
        transitions.push({ from, to, step });
      }
      states.push({ values: valuesOf(store, from, model.slots.length), kind: kindOf(steps, cursor.values) });
    } catch (error) {
      if (error instanceof EvaluationFailure) break;
      throw error;
    }
  }

  function kindOf(steps: readonly ModelStep[], values: Int32Array): DrawnState['kind'] {
    if (properties.some(it => it.kind === 'never' && it.test(values) !== 0)) return 'violation';
    if (steps.length > 0) return 'other';
    return isAccepting(model, values) ? 'end' : 'deadlock';
  }

  return {
    states,
    transitions: transitions.filter(it => it.from < states.length && it.to < states.length),
    isPart: store.count() > states.length,
    along: along.map(state => ({ state, values: valuesOf(store, state, model.slots.length) })),
  };
}

/** The initial state and that after each step, up to one that has no value; the states are in the store then. */
function statesAlong(way: readonly ModelStep[], cursor: StateCursor, store: StateStore): readonly number[] {
  const along = [0];
  for (const step of way) {
    const from = along.at(-1)!;
    cursor.moveTo(from);
    try {
      along.push(store.add(cursor.successor(step), from));
    } catch (error) {
      if (error instanceof EvaluationFailure) break;
      throw error;
    }
  }
  return along;
}

function initialOf({ initial }: ProcessModel, store: StateStore): Int32Array {
  const packed = new Int32Array(store.layout().wordCount);
  pack(store.layout(), initial, packed, 0);
  return packed;
}
