import type { UnknownObject } from '../../base/json';
import { OutOfTime } from '../../base/steps';
import { scenarioFromObjects } from '../../cluster/scenario';
import {
  LIMITS,
  nodesAfter,
  type Optimum,
  objectiveOf,
  optimumOf,
  type Solve,
  type SolveLimits,
} from '../../scheduler/optimum/optimum';
import { type RunOptions, type Simulation, simulate } from '../../scheduler/scenario';
import { configurationFor } from './strategies';
import type { ComparedStrategy, Strategy } from './strategy';

/** What is to be placed, and by which ways to score. */
export interface Compared {
  readonly objects: readonly UnknownObject[];
  /** Its `schedulerConfiguration` is what the strategies are made of. */
  readonly run: RunOptions;
  readonly strategies: readonly Strategy[];
  readonly limits: SolveLimits;
}

/** One of the placements that are compared, as soon as it is there. */
export type ComparisonStep =
  | { readonly strategy: Strategy; readonly simulation: Simulation }
  | { readonly strategy: 'optimal'; readonly optimum: Optimum; readonly around: Simulation };

/** Objects placed by each way to score, and then as well as the solver can. Extenders are not asked. */
export async function* compared(
  { objects, run, strategies, limits }: Compared,
  solver: Promise<Solve>,
): AsyncGenerator<ComparisonStep> {
  const { askExtender: _, schedulerConfiguration: configured, ...rest } = run;
  const simulations: Simulation[] = [];
  for (const strategy of strategies) {
    const configuration = configurationFor(strategy, configured);
    const simulation = simulate(objects, { ...rest, ...(configuration && { schedulerConfiguration: configuration }) });
    if (simulation.result.cut) throw new OutOfTime();
    simulations.push(simulation);
    yield { strategy, simulation };
  }
  const [first, ...others] = simulations;
  if (first === undefined) return;
  if (run.isCancelled?.() === true) throw new OutOfTime();
  yield { strategy: 'optimal', optimum: optimumOf([first, ...others], await solver, limits), around: first };
}

/** By how much the best may be lower, as a part of the objective; undefined: unknown. */
export function gapOf(objective: number, bound: number | undefined): number | undefined {
  if (bound === undefined || bound > objective) return undefined;
  return objective === 0 ? 0 : (objective - bound) / objective;
}

/** One way to place a scenario, by the objective that the optimum minimises. */
export interface StrategyLine {
  readonly strategy: ComparedStrategy;
  readonly nodesUsed: number;
  /** Pods without a node, the evicted ones too. */
  readonly pending: number;
  readonly objective: number;
  /** By how much the best may be lower, as a part of the objective; absent: unknown. */
  readonly gap?: number;
}

export interface Comparison {
  /** default, pack, spread, optimal. */
  readonly strategies: readonly StrategyLine[];
  readonly optimum: {
    readonly proof: Optimum['proof'];
    /** Pod id → node. */
    readonly placements: Readonly<Record<string, string>>;
    /** Why Pods stay where the best of the simulations put them → how many do. */
    readonly kept: Readonly<Record<string, number>>;
  };
}

const SIMULATED: readonly Strategy[] = ['default', 'pack', 'spread'];

/** A scenario placed by three ways to score, and as well as the solver can. */
export async function comparisonOf(
  objects: readonly UnknownObject[],
  run: RunOptions,
  solver: Promise<Solve>,
): Promise<Comparison> {
  const written = scenarioFromObjects(objects, { expandWorkloads: false }).schedulerConfiguration;
  const schedulerConfiguration = run.schedulerConfiguration ?? written;
  const asked = { ...run, ...(schedulerConfiguration && { schedulerConfiguration }) };
  const simulations: (readonly [Strategy, Simulation])[] = [];
  for await (const step of compared({ objects, run: asked, strategies: SIMULATED, limits: LIMITS }, solver)) {
    if (step.strategy === 'optimal') return comparisonAround(simulations, step.around, step.optimum);
    simulations.push([step.strategy, step.simulation]);
  }
  throw new RangeError('There was nothing to compare.');
}

function comparisonAround(
  simulations: readonly (readonly [Strategy, Simulation])[],
  around: Simulation,
  { valuation, proof, bound, nodeOf, kept }: Optimum,
): Comparison {
  const objective = objectiveOf(around);
  const valued = simulations.map(([strategy, it]) => ({ strategy, valuation: objective.of(nodesAfter(it)) }));
  const isNew = new Set(around.scenario.pending.map(it => it.id));
  return {
    strategies: [...valued, { strategy: 'optimal' as const, valuation }].map(
      ({ strategy, valuation }): StrategyLine => {
        const { value, nodesUsed, unplaced } = valuation;
        const gap = gapOf(value, bound);
        return { strategy, nodesUsed, pending: unplaced, objective: value, ...(gap !== undefined && { gap }) };
      },
    ),
    optimum: {
      proof,
      placements: Object.fromEntries([...nodeOf].filter(([pod]) => isNew.has(pod))),
      kept: Object.fromEntries(kept),
    },
  };
}
