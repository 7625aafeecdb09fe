import { type ClusterChange, withChanges } from '../../cluster/changes';
import type { ReadPack } from '../../kube/load';
import { nodesAfter, objectiveOf, type Solve, type SolveLimits } from '../../scheduler/optimum/optimum';
import { invalidityIn } from '../placement/clusterRun';
import { type ComparisonStep, compared, gapOf } from '../placement/compare';
import type { RunInputs } from '../placement/runInputs';
import { STRATEGIES } from '../placement/strategies';
import type { Strategy } from '../placement/strategy';
import { askKnownMutations } from '../policies/knownMutations';
import { kubeOf } from '../state/facts';
import { figuresOf } from './figures';
import type { ComparedPlacement, PreviewComparison } from './model';

/** The inputs of a comparison. */
export interface ComparisonQuestion {
  readonly inputs: RunInputs;
  /** Changes to try first. */
  readonly changes: readonly ClusterChange[];
}

/** Limits of the solver. */
const LIMITS: SolveLimits = { seconds: 10, relativeGap: 0.01 };

export interface ComparisonWorld {
  readonly solver: Promise<Solve>;
  /** The facts, by which the server refuses what admission makes of a Pod. */
  readonly readPack: ReadPack;
}

/** Yields the comparison at first without placements, and after each placement. */
export async function* comparisonFor(
  { inputs, changes }: ComparisonQuestion,
  { solver, readPack }: ComparisonWorld,
  strategies: readonly Strategy[] = STRATEGIES,
): AsyncGenerator<PreviewComparison> {
  const { objects, gatesOn, policies, ...options } = inputs;
  const isOn = new Set(gatesOn);
  const askPolicies = policies && askKnownMutations(policies);
  const { kube } = kubeOf({ readPack }, options);
  const run = { ...options, askPolicies, invalidityOf: invalidityIn(kube), isGateOn: (gate: string) => isOn.has(gate) };
  const nothing = { strategies: [...strategies, 'optimal' as const], pods: [], nodes: [], done: [] };
  let known: PreviewComparison = { ...nothing, seconds: LIMITS.seconds };
  yield known;
  const all = { objects: withChanges(objects, changes).objects, run, strategies, limits: LIMITS };
  for await (const step of compared(all, solver)) {
    known = withStep(known, step);
    yield known;
  }
}

function withStep(known: PreviewComparison, step: ComparisonStep): PreviewComparison {
  const simulation = step.strategy === 'optimal' ? step.around : step.simulation;
  const { cluster, pending } = simulation.scenario;
  const pods = [...cluster.running, ...pending].map(it => it.id);
  const nodes = cluster.nodes.map(it => it.name);
  const nodeOf = step.strategy === 'optimal' ? step.optimum.nodeOf : nodesAfter(step.simulation);
  const places = new Map(nodes.map((name, i) => [name, i]));
  const placement: ComparedPlacement = {
    strategy: step.strategy,
    figures: figuresOf({ cluster, pending, nodeOf }),
    objective: objectiveOf(simulation).of(nodeOf).value,
    on: pods.map(it => places.get(nodeOf.get(it) ?? '') ?? -1),
  };
  const now = { ...known, pods, nodes, done: [...known.done, placement] };
  if (step.strategy !== 'optimal') return now;
  const { proof, bound, kept } = step.optimum;
  const done = now.done.map((it): ComparedPlacement => {
    const gap = gapOf(it.objective, bound);
    return gap === undefined ? it : { ...it, gap };
  });
  return { ...now, done, optimum: { proof, kept: Object.fromEntries(kept) } };
}
