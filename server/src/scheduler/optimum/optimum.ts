import type { Simulation } from '../scenario';
import { formulate } from './formulation';
import { movableOf } from './movable';
import { type Objective, objectiveFor, type Valuation } from './objective';

/** What a solver is to keep to. */
export interface SolveLimits {
  readonly seconds: number;
  /** It may stop once it is proven to be within this part of the best. */
  readonly relativeGap: number;
}

export interface Solved {
  /** finished: within the gap; stopped: by the time; failed: there is nothing to read. */
  readonly end: 'finished' | 'stopped' | 'failed';
  /** What no solution can be below; absent: nothing is proven. */
  readonly bound?: number;
  value(variable: string): number;
}

/** Solves a mixed integer programme in CPLEX's LP format; `start` gives some of its variables values to begin with. */
export type Solve = (text: string, limits: SolveLimits, start: ReadonlyMap<string, number>) => Solved;

export interface Optimum {
  readonly valuation: Valuation;
  /** Pod id → node. */
  readonly nodeOf: ReadonlyMap<string, string>;
  /** within: proven to be within `gap`; stopped: by the time; outside: a simulation does what is not formulated, and better. */
  readonly proof: 'optimal' | 'within' | 'stopped' | 'outside';
  /** By how much the best may be lower, as a part of the value; absent: nothing is proven. */
  readonly gap?: number;
  /** What no placement of the formulation is below. */
  readonly bound?: number;
  /** Why Pods stay where the best simulation put them → how many do. */
  readonly kept: ReadonlyMap<string, number>;
}

export const LIMITS: SolveLimits = { seconds: 5, relativeGap: 0.01 };

/** Below this, values that are whole numbers are the same. */
const TOLERANCE = 1e-6;

/** Pod id → node of all that run once a simulation is over. */
export function nodesAfter({ scenario, result }: Simulation): ReadonlyMap<string, string> {
  const gone = new Set(result.evicted);
  const before = scenario.cluster.running.flatMap(it => (it.nodeName ? [[it.id, it.nodeName] as const] : []));
  return new Map([...before, ...Object.entries(result.placements)].filter(([id]) => !gone.has(id)));
}

export const objectiveOf = ({ scenario }: Simulation): Objective => objectiveFor(scenario.cluster, scenario.pending);

/**
 * The best placement by `objectiveFor` that the solver finds in time around the best of some simulations of one scenario,
 * never worse than that one. Pods that the formulation cannot speak of stay where that simulation put them; whom it
 * evicted is gone, and nobody else goes.
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

/** All values are whole numbers, so that a bound may be rounded up. */
function provenBy({ end, bound }: Solved, offset: number, value: number): Pick<Optimum, 'proof' | 'gap' | 'bound'> {
  if (bound === undefined) return { proof: 'stopped' };
  const least = Math.ceil(bound + offset - TOLERANCE);
  if (value < least) return { proof: 'outside', bound: least };
  const gap = value === 0 ? 0 : (value - least) / value;
  return { proof: gap === 0 ? 'optimal' : end === 'finished' ? 'within' : 'stopped', gap, bound: least };
}
