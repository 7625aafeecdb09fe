import { push } from '../../base/multiMap';
import type { ClusterModel } from '../../cluster/clusterModel';
import { type NodeInfo, nodeInfos } from '../../scheduler/framework/nodeInfo';
import { signOfContents } from './equalNodes';
import type { Identity, OrdersProblem } from './problem';

/** A Pod to place that has a node. */
export interface Placed {
  /** Its number. */
  readonly pod: number;
  /** `NodeInfo.index` */
  readonly node: number;
}

/** A Pod that holds a node and is not bound yet. */
export interface AtPermit {
  /** Its number. */
  readonly pod: number;
  readonly group: string;
}

/** The cluster and the queue between two arrivals. Immutable. */
export interface OrdersState {
  readonly cluster: ClusterModel;
  /** With the Pods that are placed and without those that are evicted. */
  readonly nodes: readonly NodeInfo[];
  /** In the order of placing, without evicted Pods. */
  readonly placed: readonly Placed[];
  /** Those of `placed` that wait at Permit for others of their group. */
  readonly atPermit: readonly AtPermit[];
  /** Numbers of the Pods to place that were evicted. */
  readonly evicted: readonly number[];
  /** Ids of the running Pods that were evicted, sorted. */
  readonly evictedRunning: readonly string[];
  /** Numbers of the Pods that wait, in the order of the queue. */
  readonly waiting: readonly number[];
  /** How many Pods were placed, evicted ones included. */
  readonly placings: number;
  /** What changed `cluster`, in order: volumes and devices that Pods have taken. */
  readonly taken: string;
  /** Whether some ties on the way to this state were not followed. */
  readonly tiesLeft: boolean;
}

/**
 * How many states are kept at a time, if each may take as much memory as its list of nodes: a limit on the nodes in all of
 * them.
 */
export const mostStates = (nodesOfAll: number, { scenario }: Pick<OrdersProblem, 'scenario'>): number =>
  Math.ceil(nodesOfAll / Math.max(1, scenario.cluster.nodes.length));

export function initialState({ scenario: { cluster } }: OrdersProblem): OrdersState {
  return {
    cluster,
    nodes: nodeInfos(cluster),
    placed: [],
    atPermit: [],
    evicted: [],
    evictedRunning: [],
    waiting: [],
    placings: 0,
    taken: '',
    tiesLeft: false,
  };
}

/**
 * The same for states with the same future: nodes that nothing tells apart may be exchanged, and of the order in which Pods
 * started only that of Pods counts which may be evicted. With the identity `kinds` Pods of one kind may be exchanged, too.
 */
export function keyOf(state: OrdersState, problem: OrdersProblem, identity: Identity): string {
  const { pods, equalNodes } = problem;
  const nameOf = (pod: number): number => (identity === 'names' ? pod : pods[pod]!.kind);
  const sorted = (all: readonly number[]): string =>
    all
      .map(nameOf)
      .sort((a, b) => a - b)
      .join();
  const queued = state.waiting.filter(it => !pods[it]!.isHeld);
  const held = state.waiting.filter(it => pods[it]!.isHeld);
  return [
    signOfContents(contentsOf(state, pods, nameOf), equalNodes),
    queued.map(nameOf).join(),
    sorted(held),
    sorted(state.atPermit.map(it => it.pod)),
    sorted(state.evicted),
    state.evictedRunning.join(),
    state.taken,
  ].join('|');
}

/** What was placed on each node, as text. */
function contentsOf(
  { placed }: OrdersState,
  pods: OrdersProblem['pods'],
  nameOf: (pod: number) => number,
): Map<number, string> {
  const lists = new Map<number, string[]>();
  let turn = 0;
  for (const { pod, node } of placed) {
    const name = nameOf(pod);
    push(lists, node, pods[pod]!.mayBeEvicted ? `${name}:${turn++}` : String(name));
  }
  return new Map([...lists].map(([node, it]) => [node, it.sort().join()]));
}
