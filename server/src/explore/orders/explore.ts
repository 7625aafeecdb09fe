import { compareText } from '../../base/compareText';
import type { Steps } from '../../base/steps';
import { factorial } from './counts';
import { EVICTED, isAllPlaced, PENDING } from './ends';
import { type CountedEnd, type EndShape, endsOfShape, shapesOf } from './outcomes';
import type { Identity, OrdersProblem } from './problem';
import { type Walk, type WalkLimits, walkOrders } from './walk';

/** One way in which the arrival of all Pods may end. Pods are named NAMESPACE/NAME. */
export interface OrdersOutcome {
  /** Pods to place → their nodes. */
  readonly placements: Readonly<Record<string, string>>;
  /** Sorted. */
  readonly pending: readonly string[];
  /** Running Pods and Pods to place, sorted. */
  readonly evicted: readonly string[];
  /** The permutations in which some choice of branches ends so; as many as were found where the search was cut. */
  readonly orders: bigint;
  /** One of these permutations. */
  readonly witness: readonly string[];
}

/** Outcomes that differ in the names of equal Pods alone. */
export interface OutcomeGroup {
  readonly example: OrdersOutcome;
  readonly isAllPlaced: boolean;
  /** How many outcomes there are. */
  readonly outcomes: bigint;
  /** The permutations in which some choice of branches ends in one of them. */
  readonly orders: bigint;
}

export interface OrdersExploration {
  /** The number of permutations of the Pods to place. */
  readonly permutations: bigint;
  /** So many permutations differ in the names of equal Pods alone. */
  readonly renamings: bigint;
  readonly outcomes: readonly OrdersOutcome[];
  readonly groups: readonly OutcomeGroup[];
  /** The permutations in which some choice of branches leaves a Pod without a node. */
  readonly strandedOrders: bigint;
  /** Whether in all outcomes nothing is pending and no Pod to place is evicted. */
  readonly alwaysPlaced: boolean;
  /** What a limit left out, a sentence each; empty: everything was looked at. */
  readonly cut: readonly string[];
}

export interface ExploreLimits extends WalkLimits {
  /** More outcomes are not listed. */
  readonly outcomes: number;
}

/**
 * What becomes of Pods that arrive in any order, with every choice that the scheduler leaves open. Where telling equal Pods apart
 * exceeds the limits, they are not.
 */
export function* exploreOrders(problem: OrdersProblem, limits: ExploreLimits): Steps<OrdersExploration> {
  const { pods, kinds } = problem;
  if (kinds.length === pods.length) return yield* exploreAs('names', problem, limits);
  const half: ExploreLimits = { ...limits, states: limits.states / 2, timeUsed: () => limits.timeUsed() * 2 };
  const byName = yield* exploreAs('names', problem, half);
  if (byName.cut.length === 0) return byName;
  const states = limits.states / 2;
  const byKind = yield* exploreAs('kinds', problem, { ...limits, states });
  const message = 'Outcomes that differ in the names of equal Pods alone are listed once.';
  return { ...byKind, cut: [...byKind.cut, message] };
}

function* exploreAs(identity: Identity, problem: OrdersProblem, limits: ExploreLimits): Steps<OrdersExploration> {
  const walk = yield* walkOrders(problem, identity, limits);
  const shapes = shapesOf(walk.ends, problem, limits.outcomes * ENDS_FOR_EACH_OUTCOME);
  const counted: CountedEnd[] = [];
  for (const shape of shapes.all) {
    for (const it of listed(shape, identity, problem)) {
      if (counted.length === limits.outcomes) break;
      counted.push(it);
    }
  }
  const total = shapes.all.reduce((sum, it) => sum + (identity === 'kinds' ? 1n : it.ends), 0n);
  const cut = [...cutBy(walk), ...outcomesLeft(counted.length, total, shapes.isCut)];
  return {
    permutations: factorial(problem.pods.length),
    renamings: problem.kinds.reduce((all, it) => all * factorial(it.length), 1n),
    outcomes: counted.map(it => outcomeFrom(it, problem)),
    groups: shapes.all.map(it => groupFrom(it, problem)),
    strandedOrders: shapes.strandedOrders,
    alwaysPlaced: shapes.strandedOrders === 0n,
    cut,
  };
}

/** So many ends are looked at for each outcome that may be listed. */
const ENDS_FOR_EACH_OUTCOME = 20;

function listed(shape: EndShape, identity: Identity, problem: OrdersProblem): Iterable<CountedEnd> {
  return identity === 'names' ? endsOfShape(shape, problem) : [{ ...shape, orders: shape.ordersOfAny }];
}

function cutBy({ ordersLeft, tiesLeft, states }: Walk): readonly string[] {
  const orders = ordersLeft > 0n ? [`After ${states} states the other orders were not followed to their ends.`] : [];
  const ties = tiesLeft ? ['Some ties were not followed in all ways.'] : [];
  return [...orders, ...ties];
}

function outcomesLeft(listed: number, total: bigint, isCut: boolean): readonly string[] {
  if (isCut) return [`There are more outcomes than these ${listed}.`];
  return total > listed ? [`Of ${total} outcomes ${listed} are listed.`] : [];
}

function groupFrom(shape: EndShape, problem: OrdersProblem): OutcomeGroup {
  const { end, ends, ordersOfAny } = shape;
  return { example: outcomeFrom(shape, problem), isAllPlaced: isAllPlaced(end), outcomes: ends, orders: ordersOfAny };
}

function outcomeFrom({ end, orders, witness }: CountedEnd, { scenario, pods }: OrdersProblem): OrdersOutcome {
  const idOf = (pod: number): string => pods[pod]!.model.id;
  const withFate = (wanted: (fate: number) => boolean): readonly number[] =>
    [...pods.keys()].filter(it => wanted(end.fates[it]!));
  const { nodes } = scenario.cluster;
  const placed = withFate(it => it >= 0).map(it => [idOf(it), nodes[end.fates[it]!]!.name] as const);
  const evicted = [...withFate(it => it === EVICTED).map(idOf), ...end.evictedRunning];
  return {
    placements: Object.fromEntries(placed.sort(([a], [b]) => compareText(a, b))),
    pending: withFate(it => it === PENDING)
      .map(idOf)
      .sort(compareText),
    evicted: evicted.sort(compareText),
    orders,
    witness: witness.map(idOf),
  };
}
