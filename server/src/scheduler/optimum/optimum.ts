import type { Simulation } from '../scenario';
import { formulate } from './formulation';
import { movableOf, TOO_MANY_PAIRS } from './movable';
import { type Objective, objectiveFor, type Valuation } from './objective';

/** Limits for a solver. */
export interface SolveLimits {
  readonly seconds: number;
  /** The solver may stop once the result is proven to be within this fraction of the optimum. */
  readonly relativeGap: number;
}

export interface Solved {
  /** finished: within the gap; stopped: by the time limit; failed: there is no result. */
  readonly end: 'finished' | 'stopped' | 'failed';
  /** A proven bound on the objective; absent: nothing is proven. */
  readonly bound?: number;
  value(variable: string): number;
}

/** Solves a mixed integer programme in CPLEX's LP format. `start` gives initial values for some variables. */
export type Solve = (text: string, limits: SolveLimits, start: ReadonlyMap<string, number>) => Solved;

export interface Optimum {
  readonly valuation: Valuation;
  /** Pod id → node. */
  readonly nodeOf: ReadonlyMap<string, string>;
  /**
   * within: proven to be within `gap`; stopped: by the limits of time and size; outside: a simulation that the formulation does not
   * cover is better.
   */
  readonly proof: 'optimal' | 'within' | 'stopped' | 'outside';
  /** How much lower the optimum may be, as a fraction of the value; absent: nothing is proven. */
  readonly gap?: number;
  /** The lower bound of the formulation. */
  readonly bound?: number;
  /** The reason why Pods stay where the best simulation placed them → the number of Pods. */
  readonly kept: ReadonlyMap<string, number>;
}

export const LIMITS: SolveLimits = { seconds: 5, relativeGap: 0.01 };

/** Integer values that differ by less are equal. */
const TOLERANCE = 1e-6;

/** Pod id → node, for all Pods that run at the end of a simulation. */
export function nodesAfter({ scenario, result }: Simulation): ReadonlyMap<string, string> {
  const gone = new Set(result.evicted);
  const before = scenario.cluster.running.flatMap(it => (it.nodeName ? [[it.id, it.nodeName] as const] : []));
  return new Map([...before, ...Object.entries(result.placements)].filter(([id]) => !gone.has(id)));
}

export const objectiveOf = ({ scenario }: Simulation): Objective => objectiveFor(scenario.cluster, scenario.pending);

/**
 * The best placement by `objectiveFor` that the solver finds in time, starting from the best of several simulations of
 * one scenario, and never worse than that one. Pods that the formulation excludes stay where that simulation placed
 * them; the Pods it evicted are gone, and no other Pod is evicted.
 */
export function optimumOf(
  simulations: readonly [Simulation, ...Simulation[]],
  solve: Solve,
  limits: SolveLimits = LIMITS,
): Optimum {
  const objective = objectiveOf(simulations[0]);
  const valued = simulations.map(it => ({ simulation: it, valuation: objective.of(nodesAfter(it)) }));
  const best = valued.reduce((a, b) => (b.valuation.value < a.valuation.value ? b : a));
  const movable = movableOf(best.simulation);
  const { kept } = movable;
  const fixed = new Map(movable.cluster.running.flatMap(it => (it.nodeName ? [[it.id, it.nodeName] as const] : [])));
  const simulated = { nodeOf: nodesAfter(best.simulation), valuation: best.valuation };
  if (kept.has(TOO_MANY_PAIRS)) return { ...simulated, proof: 'stopped', kept };
  if (movable.groups.length === 0) {
    return { ...simulated, proof: 'optimal', gap: 0, bound: best.valuation.value, kept };
  }
  const formulation = formulate(movable, objective);
  const solved = solve(formulation.text, limits, formulation.start(simulated.nodeOf));
  const placed = solved.end === 'failed' ? undefined : formulation.placed(solved.value);
  const nodeOf = new Map([...fixed, ...(placed ?? [])]);
  const found = placed && { nodeOf, valuation: objective.of(nodeOf) };
  const chosen = found && found.valuation.value <= simulated.valuation.value ? found : simulated;
  const atLeast = movable.groups.flatMap(it => it.pods).reduce((sum, it) => sum - objective.price(it), 0);
  const offset = objective.of(fixed).value + atLeast;
  return { ...chosen, kept, ...provenBy(solved, offset, chosen.valuation.value) };
}

/** All values are integers, so a bound can be rounded up. */
function provenBy({ end, bound }: Solved, offset: number, value: number): Pick<Optimum, 'proof' | 'gap' | 'bound'> {
  if (bound === undefined) return { proof: 'stopped' };
  const least = Math.ceil(bound + offset - TOLERANCE);
  if (value < least) return { proof: 'outside', bound: least };
  const gap = value === 0 ? 0 : (value - least) / value;
  return { proof: gap === 0 ? 'optimal' : end === 'finished' ? 'within' : 'stopped', gap, bound: least };
}
