import { pack } from './layout';
import { EvaluationFailure, type ModelProperty, type ModelStep, type ProcessModel } from './model';
import { createStateStore } from './stateStore';
import { createStateCursor, isAccepting, valuesOf } from './successors';

/** States and transitions to be drawn, breadth first. */
export interface StateDrawing {
  readonly states: readonly DrawnState[];
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly step: ModelStep }[];
  /** Whether there are more states than are drawn. */
  readonly isPart: boolean;
}

export interface DrawnState {
  readonly values: Int32Array;
  readonly kind: 'deadlock' | 'end' | 'violation' | 'other';
}

/** The first states of a model, up to one in which an expression has no value. */
export function drawingOf(model: ProcessModel, properties: readonly ModelProperty[], most: number): StateDrawing {
  const store = createStateStore(model.slots);
  store.add(initialOf(model, store), -1);
  const cursor = createStateCursor(model, store);
  const states: DrawnState[] = [];
  const transitions: { from: number; to: number; step: ModelStep }[] = [];
  for (let from = 0; from < Math.min(store.count(), most); from++) {
    cursor.moveTo(from);
    try {
      const steps: ModelStep[] = [];
      cursor.eachEnabled(it => steps.push(it));
      for (const step of steps) transitions.push({ from, to: store.add(cursor.successor(step), from), step });
      const isViolated = properties.some(it => it.kind === 'never' && it.test(cursor.values) !== 0);
      const rest = isAccepting(model, cursor.values) ? 'end' : 'deadlock';
      const kind = isViolated ? 'violation' : steps.length > 0 ? 'other' : rest;
      states.push({ values: valuesOf(store, from, model.slots.length), kind });
    } catch (error) {
      if (error instanceof EvaluationFailure) break;
      throw error;
    }
  }
  return {
    states,
    transitions: transitions.filter(it => it.from < states.length && it.to < states.length),
    isPart: store.count() > states.length,
  };
}

function initialOf({ initial }: ProcessModel, store: ReturnType<typeof createStateStore>): Int32Array {
  const packed = new Int32Array(store.layout().wordCount);
  pack(store.layout(), initial, packed, 0);
  return packed;
}
