import type { Steps } from '../../base/steps';
import { type SharedWork, sharedWork } from '../../scheduler/framework/sharedWork';
import { arrive } from './arrival';
import { spread } from './counts';
import type { Identity, OrdersProblem } from './problem';
import { initialState, keyOf, mostStates, type OrdersState } from './state';

/** Bounds of a walk. */
export interface WalkLimits {
  /** About so many arrivals in states of the cluster are decided, in all. */
  readonly states: number;
  /** The share of the time that is used up; the walk is over soon after it is 1. */
  readonly timeUsed: () => number;
}

/** How orders are followed. */
export interface WalkMode {
  readonly identity: Identity;
  /**
   * orders: for each set of states that a beginning may lead to, how many beginnings there are; none: beginnings with the same Pods
   * are followed together, which finds the same ends with less work.
   */
  readonly counts: 'orders' | 'none';
  /** What is done once the limits do not allow to follow all: the walk ends, or goes on with a sample. */
  readonly beyondLimits: 'stop' | 'sample';
}

/** A state, and one order of arrival that may lead to it, as kinds. Pods of one kind arrive in the order of the file. */
export interface ReachedState {
  readonly state: OrdersState;
  readonly order: readonly number[];
}

/** Orders of arrival that may lead to the same states. */
export interface OrderSet {
  readonly states: readonly ReachedState[];
  /** How many orders of kinds. */
  readonly orders: bigint;
}

export interface Walk {
  /** After all arrivals. */
  readonly ends: readonly OrderSet[];
  /** The number of arrivals in states that were decided. */
  readonly states: number;
  /** Whether some orders were not followed to the end. */
  readonly ordersLeft: boolean;
  /** Whether some ties were not followed in all ways. */
  readonly tiesLeft: boolean;
}

/** Beginnings of orders. */
interface Item extends Omit<OrderSet, 'states'> {
  /** Indexes of states in their layer, sorted. */
  readonly states: readonly number[];
  /** How many Pods of each kind. */
  readonly arrived: readonly number[];
}

interface Totals {
  states: number;
  ordersLeft: boolean;
  tiesLeft: boolean;
}

/** The states that one more arrival may lead to. */
interface Layer {
  readonly reached: readonly ReachedState[];
  /** Indexes of the states after a Pod of a kind has arrived in a state of the layer before. */
  after(state: number, kind: number, pod: number): readonly number[];
  /** Whether its share of the limits is used up. */
  isSpent(): boolean;
}

/** More states of one layer would take too much memory, and so would more nodes in all of them. */
const MOST_STATES_AT_ONCE = 100_000;
const MOST_NODES_AT_ONCE = 20_000_000;
/** The same for sets of states. */
const MOST_SETS_AT_ONCE = 200_000;
/**
 * The same for the numbers in these sets, one for each kind. Of more than 20 kinds the sets of half of the Pods are more than
 * MOST_SETS_AT_ONCE, so that this leaves out nothing that could be followed in all orders.
 */
const MOST_ARRIVED_AT_ONCE = 20 * MOST_SETS_AT_ONCE;

/**
 * All orders in which the Pods may arrive, Pod by Pod. Orders whose beginnings may lead to exactly the same states are followed
 * together, as in the subset construction of automata, so that each order counts once for each end that it may have.
 * In a sample each arrival has an equal share of the limits. undefined: the walk was stopped.
 */
export function* walkOrders(problem: OrdersProblem, mode: WalkMode, limits: WalkLimits): Steps<Walk | undefined> {
  const { pods, kinds, scenario } = problem;
  const work = sharedWork(scenario.cluster.nodes.length);
  const totals: Totals = { states: 0, ordersLeft: false, tiesLeft: false };
  let states: readonly ReachedState[] = [{ state: initialState(problem), order: [] }];
  let items: readonly Item[] = [{ states: [0], arrived: kinds.map(() => 0), orders: 1n }];
  const used = (): number => Math.max(totals.states / limits.states, limits.timeUsed());
  for (let turn = 1; turn <= pods.length; turn++) {
    const share = mode.beyondLimits === 'stop' ? 1 : turn / pods.length;
    const layer = layerAfter(states, problem, mode.identity, work, totals, () => used() > share);
    items = yield* nextItems(items, layer, problem, mode, totals);
    if (mode.beyondLimits === 'stop' && (totals.ordersLeft || totals.tiesLeft)) return undefined;
    states = layer.reached;
  }
  const ends = items.map(it => ({ ...it, states: it.states.map(state => states[state]!) }));
  return { ends, ...totals };
}

function layerAfter(
  states: readonly ReachedState[],
  problem: OrdersProblem,
  identity: Identity,
  work: SharedWork,
  totals: Totals,
  isShareUsed: () => boolean,
): Layer {
  const known = new Map<number, (readonly number[] | undefined)[]>();
  const indexes = new Map<string, number>();
  const reached: ReachedState[] = [];
  const most = Math.min(MOST_STATES_AT_ONCE, mostStates(MOST_NODES_AT_ONCE, problem));
  return {
    reached,
    isSpent: () => reached.length > most || isShareUsed(),
    after(before, kind, pod) {
      const ofState = known.get(before) ?? [];
      known.set(before, ofState);
      const found = ofState[kind];
      if (found !== undefined) return found;
      totals.states += 1;
      const after = new Set<number>();
      const { state: from, order } = states[before]!;
      for (const state of arrive(pod, from, problem, work)) {
        if (state.tiesLeft) totals.tiesLeft = true;
        const key = keyOf(state, problem, identity);
        const index = indexes.get(key) ?? reached.length;
        if (index === reached.length) reached.push({ state, order: [...order, kind] });
        indexes.set(key, index);
        after.add(index);
      }
      ofState[kind] = [...after];
      return ofState[kind];
    },
  };
}

function* nextItems(
  items: readonly Item[],
  layer: Layer,
  { kinds }: OrdersProblem,
  { counts }: WalkMode,
  totals: Totals,
): Steps<readonly Item[]> {
  const next = new Map<string, Item>();
  const most = Math.min(MOST_SETS_AT_ONCE, MOST_ARRIVED_AT_ONCE / Math.max(1, kinds.length));
  const isFull = (): boolean => next.size > 0 && (next.size > most || layer.isSpent());
  for (const item of spread(items)) {
    if (isFull()) {
      totals.ordersLeft = true;
      break;
    }
    for (const [kind, members] of kinds.entries()) {
      const count = item.arrived[kind]!;
      if (count === members.length) continue;
      if (isFull()) {
        totals.ordersLeft = true;
        break;
      }
      const arrived = item.arrived.with(kind, count + 1);
      const states = yield* statesAfter(item, kind, members[count]!, layer, totals);
      const sign = (counts === 'orders' ? states : arrived).join();
      const same = next.get(sign);
      next.set(sign, {
        states: same === undefined || counts === 'orders' ? states : [...new Set([...same.states, ...states])],
        arrived,
        orders: (same?.orders ?? 0n) + item.orders,
      });
    }
  }
  return [...next.values()];
}

/** Sorted. */
function* statesAfter(
  { states }: Item,
  kind: number,
  pod: number,
  layer: Layer,
  totals: Totals,
): Steps<readonly number[]> {
  const after = new Set<number>();
  for (const state of spread(states)) {
    if (after.size > 0 && layer.isSpent()) {
      totals.tiesLeft = true;
      break;
    }
    for (const it of layer.after(state, kind, pod)) after.add(it);
    yield;
  }
  return [...after].sort((a, b) => a - b);
}
