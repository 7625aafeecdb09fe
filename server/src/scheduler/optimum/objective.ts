import type { ClusterModel } from '../../cluster/clusterModel';
import { ownersOf } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';

/** The value of a placement by the objective that the optimum minimises. */
export interface Valuation {
  /** The sum of the prices of all Pods without a node, plus one for each node in use. */
  readonly value: number;
  /** The number of Pods without a node: waiting and evicted Pods. */
  readonly unplaced: number;
  /** The number of nodes with a Pod that belongs to no DaemonSet. */
  readonly nodesUsed: number;
}

export interface Objective {
  /** The cost of a Pod without a node. */
  price(pod: PodModel): number;
  /** `nodeOf`: Pod id → node. */
  of(nodeOf: ReadonlyMap<string, string>): Valuation;
  /** Whether the Pod makes its node count as used. */
  uses(pod: PodModel): boolean;
}

/** A Pod outweighs at most this many Pods of the next lower priority. */
const MAX_OUTWEIGHED = 99;
/** Higher prices would exceed the solver's precision: above this, each higher priority costs just one more. */
const MAX_MULTIPLIED = 1e9;

/**
 * The common objective of all comparisons: a Pod without a node costs more than all nodes together, and one of a higher
 * priority more than all Pods (at most 99) of the next lower priority; then each node in use costs one.
 */
export function objectiveFor(cluster: ClusterModel, pending: readonly PodModel[]): Objective {
  const pods = [...cluster.running, ...pending];
  const prices = pricesOf(pods, cluster.nodes.length + 1);
  const price = ({ priority }: PodModel): number => prices.get(priority)!;
  const uses = (pod: PodModel): boolean => ownersOf(pod, cluster)[0]?.kind !== 'DaemonSet';
  const using = new Set(pods.filter(uses));
  return {
    price,
    uses,
    of(nodeOf) {
      const waiting = pods.filter(it => !nodeOf.has(it.id));
      const nodesUsed = new Set(pods.filter(it => using.has(it)).flatMap(it => nodeOf.get(it.id) ?? [])).size;
      const value = waiting.reduce((sum, it) => sum + price(it), nodesUsed);
      return { value, unplaced: waiting.length, nodesUsed };
    },
  };
}

function pricesOf(pods: readonly PodModel[], lowest: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { priority } of pods) counts.set(priority, (counts.get(priority) ?? 0) + 1);
  const prices = new Map<number, number>();
  let next = lowest;
  for (const [priority, count] of [...counts].sort(([a], [b]) => a - b)) {
    prices.set(priority, next);
    const multiplied = next * (Math.min(count, MAX_OUTWEIGHED) + 1);
    next = multiplied > MAX_MULTIPLIED ? next + 1 : multiplied;
  }
  return prices;
}
