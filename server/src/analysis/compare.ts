import { nodesAfter, type Optimum, objectiveOf, optimumOf, type Solve } from '../scheduler/optimum/optimum';
import { simulate } from '../scheduler/scenario';
import { type PlaceFile, type PlaceOptions, scenarioInputs } from './place';
import { configurationFor } from './strategies';

export type { Solve } from '../scheduler/optimum/optimum';

/** One way to place a scenario, by the objective that the optimum minimises. */
export interface ComparedPlacement {
  readonly strategy: (typeof SIMULATED)[number] | 'optimal';
  readonly nodesUsed: number;
  /** Pods without a node, the evicted ones too. */
  readonly pending: number;
  readonly objective: number;
  /** By how much the best may be lower, as a part of the objective; absent: nobody knows. */
  readonly gap?: number;
}

export interface Comparison {
  /** default, pack, spread, optimal. */
  readonly strategies: readonly ComparedPlacement[];
  readonly optimum: {
    readonly proof: Optimum['proof'];
    /** Pod id → node. */
    readonly placements: Readonly<Record<string, string>>;
    /** Why Pods stay where the best of the simulations put them → how many do. */
    readonly kept: Readonly<Record<string, number>>;
  };
}

const SIMULATED = ['default', 'pack', 'spread'] as const;

/** A scenario placed by three ways to score, and as well as the solver can. Extenders are not asked. */
export function comparisonIn(files: readonly PlaceFile[], options: PlaceOptions, solve: Solve): Comparison {
  const { askExtender: _, ...alone } = options;
  const { objects, run } = scenarioInputs(files, alone);
  const base = simulate(objects, run);
  const configured = run.schedulerConfiguration ?? base.scenario.schedulerConfiguration;
  const simulatedBy = (strategy: (typeof SIMULATED)[number]): ReturnType<typeof simulate> => {
    const { schedulerConfiguration: _, ...rest } = run;
    const configuration = configurationFor(strategy, configured);
    // Without one a configuration among the objects would hold.
    const given = configuration ?? { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };
    return simulate(objects, { ...rest, schedulerConfiguration: given });
  };
  const simulations = SIMULATED.map(simulatedBy);
  const [first, ...others] = simulations;
  const optimum = optimumOf([first!, ...others], solve);
  const objective = objectiveOf(first!);
  const { bound } = optimum;
  const rows = [
    ...simulations.map((it, i) => ({ strategy: SIMULATED[i]!, valuation: objective.of(nodesAfter(it)) })),
    { strategy: 'optimal' as const, valuation: optimum.valuation },
  ];
  const isNew = new Set(first!.scenario.pending.map(it => it.id));
  return {
    strategies: rows.map(({ strategy, valuation: { value, nodesUsed, unplaced } }): ComparedPlacement => {
      const gap = bound === undefined || bound > value ? undefined : value === 0 ? 0 : (value - bound) / value;
      return { strategy, nodesUsed, pending: unplaced, objective: value, ...(gap !== undefined && { gap }) };
    }),
    optimum: {
      proof: optimum.proof,
      placements: Object.fromEntries([...optimum.nodeOf].filter(([pod]) => isNew.has(pod))),
      kept: Object.fromEntries(optimum.kept),
    },
  };
}
