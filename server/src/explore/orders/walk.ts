import type { Steps } from '../../base/steps';
import { type SharedWork, sharedWork } from '../../scheduler/framework/sharedWork';
import { arrive } from './arrival';
import { arrangements, spread } from './counts';
import type { Identity, OrdersProblem } from './problem';
import { initialState, keyOf, type OrdersState } from './state';

/** Bounds of a walk. */
export interface WalkLimits {
  /** About so many arrivals in states of the cluster are decided, in all. */
  readonly states: number;
  /** The share of the time that is used up; the walk is over soon after it is 1. */
  readonly timeUsed: () => number;
}

/** Orders of arrival that may lead to the same states. Pods of one kind arrive in the order of the file. */
export interface OrderSet {
  readonly states: readonly OrdersState[];
  /** How many orders of kinds. */
  readonly orders: bigint;
  /** One of them, as kinds. */
  readonly order: readonly number[];
}

export interface Walk {
  /** After all arrivals. */
  readonly ends: readonly OrderSet[];
  /** The number of arrivals in states that were decided. */
  readonly states: number;
  /** Orders of kinds that were not followed to the end. */
  readonly ordersLeft: bigint;
  /** Whether some ties were not followed in all ways. */
  readonly tiesLeft: boolean;
}

/** Beginnings of orders that may lead to the same states. */
interface Item extends Omit<OrderSet, 'states'> {
  readonly keys: readonly string[];
  /** How many Pods of each kind. */
  readonly arrived: readonly number[];
}

interface Totals {
  states: number;
  ordersLeft: bigint;
  tiesLeft: boolean;
}

/** The states that one more arrival may lead to, by the keys of states. */
interface Layer {
  /** Keys of the states after a Pod of a kind has arrived in a state. */
  after(key: string, kind: number, pod: number): readonly string[];
  readonly reached: ReadonlyMap<string, OrdersState>;
}

/**
 * All orders in which the Pods may arrive, Pod by Pod. Orders whose beginnings may lead to exactly the same states are followed
 * together, as in the subset construction of automata, so that each order counts once for each end that it may have.
 * Each arrival has an equal share of the limits; what a share does not allow is left out.
 */
export function* walkOrders(problem: OrdersProblem, identity: Identity, limits: WalkLimits): Steps<Walk> {
  const { pods, kinds, scenario } = problem;
  const work = sharedWork(scenario.cluster.nodes.length);
  const start = initialState(problem);
  const startKey = keyOf(start, problem, identity);
  const totals: Totals = { states: 0, ordersLeft: 0n, tiesLeft: false };
  let states: ReadonlyMap<string, OrdersState> = new Map([[startKey, start]]);
  let items: readonly Item[] = [{ keys: [startKey], arrived: kinds.map(() => 0), orders: 1n, order: [] }];
  for (let turn = 1; turn <= pods.length; turn++) {
    const isSpent = (): boolean => Math.max(totals.states / limits.states, limits.timeUsed()) > turn / pods.length;
    const layer = layerAfter(states, problem, identity, work, totals);
    items = yield* nextItems(items, layer, problem, totals, isSpent);
    states = layer.reached;
  }
  const ends = items.map(({ keys, orders, order }) => ({ states: keys.map(it => states.get(it)!), orders, order }));
  return { ends, ...totals };
}

function layerAfter(
  states: ReadonlyMap<string, OrdersState>,
  problem: OrdersProblem,
  identity: Identity,
  work: SharedWork,
  totals: Totals,
): Layer {
  const known = new Map<string, (readonly string[] | undefined)[]>();
  const reached = new Map<string, OrdersState>();
  return {
    reached,
    after(key, kind, pod) {
      const ofState = known.get(key) ?? [];
      known.set(key, ofState);
      const found = ofState[kind];
      if (found !== undefined) return found;
      totals.states += 1;
      const keys = new Set<string>();
      for (const state of arrive(pod, states.get(key)!, problem, work)) {
        const next = keyOf(state, problem, identity);
        keys.add(next);
        if (!reached.has(next)) reached.set(next, state);
      }
      ofState[kind] = [...keys];
      return ofState[kind];
    },
  };
}

function* nextItems(
  items: readonly Item[],
  layer: Layer,
  { kinds }: OrdersProblem,
  totals: Totals,
  isSpent: () => boolean,
): Steps<readonly Item[]> {
  const next = new Map<string, Item>();
  for (const [i, item] of spread(items).entries()) {
    if (i > 0 && isSpent()) {
      const left = kinds.map((it, kind) => it.length - item.arrived[kind]!);
      totals.ordersLeft += item.orders * arrangements(left);
      continue;
    }
    for (const [kind, members] of kinds.entries()) {
      const count = item.arrived[kind]!;
      if (count === members.length) continue;
      const keys = yield* keysAfter(item, kind, members[count]!, layer, totals, isSpent);
      const sign = keys.join('\n');
      const same = next.get(sign);
      next.set(sign, {
        keys,
        arrived: same?.arrived ?? item.arrived.with(kind, count + 1),
        orders: (same?.orders ?? 0n) + item.orders,
        order: same?.order ?? [...item.order, kind],
      });
    }
  }
  return [...next.values()];
}

/** Sorted. */
function* keysAfter(
  item: Item,
  kind: number,
  pod: number,
  layer: Layer,
  totals: Totals,
  isSpent: () => boolean,
): Steps<readonly string[]> {
  const reached = new Set<string>();
  for (const key of spread(item.keys)) {
    if (reached.size > 0 && isSpent()) {
      totals.tiesLeft = true;
      break;
    }
    for (const it of layer.after(key, kind, pod)) reached.add(it);
    yield;
  }
  return [...reached].sort();
}
