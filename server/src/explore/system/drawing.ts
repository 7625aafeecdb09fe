import { type DrawingBounds, type DrawnState, drawingOf } from '../core/drawing';
import type { BuiltSystem } from './build';
import { type SystemState, stateOf, stepsOf } from './report';

/** The state graph of a system, to be drawn. */
export interface SystemDrawing {
  readonly states: readonly { readonly state: SystemState; readonly kind: DrawnState['kind'] }[];
  readonly transitions: readonly { readonly from: number; readonly to: number; readonly label: string }[];
  readonly isPart: boolean;
  /** The initial state and that after each step of the way; `at` is its index among the drawn states, where it is drawn. */
  readonly along: readonly { readonly at: number | undefined; readonly state: SystemState }[];
}

/** More states make a picture that nobody can read. */
const MOST_DRAWN = 500;

export function drawSystem(system: BuiltSystem, bounds: DrawingBounds = { most: MOST_DRAWN }): SystemDrawing {
  const { states, transitions, isPart, along } = drawingOf(system.model, system.properties, bounds);
  return {
    states: states.map(({ values, kind }) => ({ state: stateOf(system, values), kind })),
    transitions: transitions.map(({ from, to, step }) => {
      const [told] = stepsOf(system, [step]);
      return { from, to, label: `${told?.process}: ${told?.step}` };
    }),
    isPart,
    along: along.map(({ state, values }) => ({
      at: state < states.length ? state : undefined,
      state: stateOf(system, values),
    })),
  };
}
