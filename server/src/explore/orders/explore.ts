import { compareText } from '../../base/compareText';
import { t } from '../../base/l10n';
import { OutOfTime, type Steps } from '../../base/steps';
import { factorial } from './counts';
import { type End, EVICTED, PENDING } from './ends';
import { isBroken, isDeadlocked, podsTogether, runningTogether } from './groups';
import { type CountedEnd, type EndsOfOrders, endsOfOrders, endsOfShape, renamingsOf } from './outcomes';
import type { OrdersProblem } from './problem';
import { type ArrivalStep, shortestWay } from './shortestWay';
import { type Walk, type WalkLimits, type WalkMode, walkOrders } from './walk';

/** One way in which the arrival of all Pods may end. Pods are named NAMESPACE/NAME. */
export interface OrdersOutcome {
  /** Pods to place → their nodes. */
  readonly placements: Readonly<Record<string, string>>;
  /** Sorted. */
  readonly pending: readonly string[];
  /** Running Pods and Pods to place, sorted. */
  readonly evicted: readonly string[];
  /**
   * The permutations in which some choice of branches ends so, among those that were followed; absent: they were not
   * counted.
   */
  readonly orders?: bigint;
  /** One of these permutations. */
  readonly witness: readonly string[];
}

/** Outcomes that differ in the names of equal Pods and of equal nodes alone. */
export interface OutcomeGroup {
  readonly example: OrdersOutcome;
  readonly isAllPlaced: boolean;
  /** The permutations in which some choice of branches ends in one of them; absent: they were not counted. */
  readonly orders?: bigint;
}

/** What becomes of some of the Pods. */
export interface AskedPods {
  /** Whether one of them, or an equal of one, has no node in the end of some order. */
  readonly isStranded: boolean;
  /** The permutations in which some choice of branches ends so; absent: they were not counted. */
  readonly orders?: bigint;
  /** One of these permutations; absent: there is none. */
  readonly witness?: readonly string[];
}

/** Several groups of Pods each hold room that another needs. */
export interface GroupDeadlock {
  /** The groups. */
  readonly between: readonly string[];
  /** The permutations in which some choice of branches ends so; absent: they were not counted. */
  readonly orders?: bigint;
  /** The fewest arrivals after which every continuation ends so; absent: unknown, or there are none. */
  readonly shortest?: readonly ArrivalStep[];
}

/** A running group of which preemption leaves some Pods, and fewer than it needs. */
export interface BrokenGroup {
  readonly groups: readonly string[];
  /** The permutations in which some choice of branches ends so; absent: they were not counted. */
  readonly orders?: bigint;
  /** The fewest arrivals after which every continuation ends so; absent: unknown, or there are none. */
  readonly shortest?: readonly ArrivalStep[];
}

export interface OrdersExploration {
  /** The number of permutations of the Pods to place. */
  readonly permutations: bigint;
  /** So many permutations differ in the names of equal Pods alone. */
  readonly renamings: bigint;
  /** The permutations that were followed to their ends. */
  readonly followed: bigint;
  readonly outcomes: readonly OrdersOutcome[];
  readonly groups: readonly OutcomeGroup[];
  /** The permutations in which some choice of branches leaves a Pod without a node; absent: they were not counted. */
  readonly strandedOrders?: bigint;
  /** The fewest arrivals after which every continuation leaves a Pod without a node; absent: unknown, or there are none. */
  readonly shortest?: readonly ArrivalStep[];
  /** Absent: in no outcome. */
  readonly deadlock?: GroupDeadlock;
  /** Absent: in no outcome. */
  readonly broken?: BrokenGroup;
  /** One for each of `ExploreLimits.asked`. */
  readonly asked: readonly AskedPods[];
  /** Whether in all outcomes nothing is pending and no Pod to place is evicted. */
  readonly alwaysPlaced: boolean;
  /** What a limit left out, a sentence each; empty: everything was looked at. */
  readonly cut: readonly string[];
}

export interface ExploreLimits extends WalkLimits {
  /** More outcomes are not listed. */
  readonly outcomes: number;
  /**
   * The Pods that must have a node, by NAMESPACE/NAME, running ones too, and their equals; absent: the Pods to place.
   */
  readonly isWanted?: (pod: string) => boolean;
  /** Pods whose end is told by itself, as `isWanted` names them; absent: none. */
  readonly asked?: readonly ((pod: string) => boolean)[];
}

/**
 * What becomes of Pods that arrive in any order, with every choice that the scheduler leaves open. Where telling equal Pods apart
 * exceeds the limits, they are not; where counting the permutations of each outcome does, they are not counted; beyond that
 * a sample of the orders is followed. Throws NoOrderFollowed.
 */
export function* exploreOrders(problem: OrdersProblem, limits: ExploreLimits): Steps<OrdersExploration> {
  const { kinds, pods } = problem;
  const counted: WalkMode = { identity: 'names', counts: 'orders', beyondLimits: 'stop' };
  const walks: readonly { readonly mode: WalkMode; readonly share: number }[] = [
    { mode: counted, share: 1 / 8 },
    ...(kinds.length < pods.length ? [{ mode: { ...counted, identity: 'kinds' } as const, share: 1 / 8 }] : []),
    { mode: { identity: 'kinds', counts: 'none', beyondLimits: 'stop' }, share: 3 / 4 },
  ];
  for (const { mode, share } of walks) {
    const walk = yield* walkOrders(problem, mode, shareOf(limits, share));
    if (walk) return yield* explorationFrom(walk, mode, problem, limits);
  }
  const sample: WalkMode = { identity: 'kinds', counts: 'orders', beyondLimits: 'sample' };
  const followed = withinReason(walkOrders(problem, sample, shareOf(limits, 1)), limits);
  return yield* explorationFrom((yield* followed)!, sample, problem, limits);
}

/** The time was over long before one order was followed to its end. */
export class NoOrderFollowed extends OutOfTime {}

/** A sample follows one order at least, unless it then takes so much of the time, and so many arrivals. */
const MOST_TIME_OF_ONE_ORDER = 1.2;
const ALWAYS_DECIDED = 200;

function* withinReason<T>(walk: Steps<T>, { timeUsed }: Pick<WalkLimits, 'timeUsed'>): Steps<T> {
  for (let arrivals = 1; ; arrivals++) {
    const step = walk.next();
    if (step.done) return step.value;
    if (arrivals > ALWAYS_DECIDED && timeUsed() > MOST_TIME_OF_ONE_ORDER) throw new NoOrderFollowed();
    yield;
  }
}

/** A share of the states, and of the time that is left. */
function shareOf(limits: ExploreLimits, share: number): ExploreLimits {
  const before = limits.timeUsed();
  const available = (1 - before) * share;
  const timeUsed = (): number => (available > 0 ? (limits.timeUsed() - before) / available : Number.POSITIVE_INFINITY);
  return { ...limits, states: limits.states * share, timeUsed };
}

function* explorationFrom(
  walk: Walk,
  mode: WalkMode,
  problem: OrdersProblem,
  limits: ExploreLimits,
): Steps<OrdersExploration> {
  const together = podsTogether(problem);
  const groups = runningTogether(problem);
  const asked = limits.asked?.map(it => isStranding(problem, it)) ?? [];
  const questions = [
    isStranding(problem, limits.isWanted),
    (end: End) => isDeadlocked(end, together),
    (end: End) => groups.some(it => isBroken(end, it)),
    ...asked,
  ] as const;
  const most = Math.min(limits.outcomes * ENDS_FOR_EACH_OUTCOME, MOST_FATES / Math.max(1, problem.pods.length));
  const found = endsOfOrders(walk.ends, problem, questions, mode.identity === 'names' ? most : 0);
  const [strandedOrders = 0n, deadlockedOrders = 0n, brokenOrders = 0n, ...askedOrders] = found.badOrders;
  const isCounted = mode.counts === 'orders';
  const listed = listedOutcomes(found, mode, problem, limits.outcomes);
  const permutations = factorial(problem.pods.length);
  const renamings = renamingsOf(problem);
  const bounds = { states: MOST_STATES_OF_A_WAY, isOver: () => limits.timeUsed() > 1 };
  const shortest = strandedOrders > 0n ? yield* shortestWay(problem, questions[0], bounds) : undefined;
  const toDeadlock = deadlockedOrders > 0n ? yield* shortestWay(problem, questions[1], bounds) : undefined;
  const toBroken = brokenOrders > 0n ? yield* shortestWay(problem, questions[2], bounds) : undefined;
  const broken: BrokenGroup = {
    groups: groups.filter(it => found.groups.some(({ end }) => isBroken(end, it))).map(it => it.name),
    ...(isCounted && { orders: brokenOrders }),
    ...(toBroken && { shortest: toBroken }),
  };
  const deadlock: GroupDeadlock = {
    between: together.map(it => it.name),
    ...(isCounted && { orders: deadlockedOrders }),
    ...(toDeadlock && { shortest: toDeadlock }),
  };
  return {
    permutations,
    renamings,
    outcomes: listed.outcomes,
    groups: found.groups.map(it => ({
      example: outcomeFrom(it, isCounted, problem),
      isAllPlaced: !questions[0](it.end),
      ...(isCounted && { orders: it.orders }),
    })),
    ...(isCounted && { strandedOrders }),
    ...(shortest && { shortest }),
    ...(deadlockedOrders > 0n && { deadlock }),
    ...(brokenOrders > 0n && { broken }),
    asked: asked.map((isBad, i) => askedPods(found, isBad, askedOrders[i]!, mode.counts, problem)),
    followed: walk.ends.reduce((sum, it) => sum + it.orders, 0n) * renamings,
    alwaysPlaced: strandedOrders === 0n,
    cut: [...cutBy(walk, mode), ...listed.cut],
  };
}

function askedPods(
  { groups }: EndsOfOrders,
  isBad: (end: End) => boolean,
  orders: bigint,
  counts: WalkMode['counts'],
  { pods }: OrdersProblem,
): AskedPods {
  const witness = groups.find(it => isBad(it.end))?.witness.map(it => pods[it]!.model.id);
  return { isStranded: orders > 0n, ...(counts === 'orders' && { orders }), ...(witness && { witness }) };
}

/** Whether some wanted Pod has no node in the end. */
export function isStranding(
  { pods, kinds }: OrdersProblem,
  isWanted: ExploreLimits['isWanted'],
): (end: End) => boolean {
  if (isWanted === undefined) return ({ fates }) => fates.some(it => it < 0);
  // Where one Pod may be stranded, its equals may be, too.
  const wanted = kinds.filter(it => it.some(pod => isWanted(pods[pod]!.model.id))).flat();
  return ({ fates, evictedRunning }) => wanted.some(it => fates[it]! < 0) || evictedRunning.some(isWanted);
}

/** More states are not searched for a shortest way. */
const MOST_STATES_OF_A_WAY = 20_000;

/** Of so many Pods the fates are listed, in all outcomes: each is written for each outcome. */
const MOST_LISTED = 500_000;

function listedOutcomes(
  { shapes, groups, isCut }: EndsOfOrders,
  { identity, counts }: WalkMode,
  problem: OrdersProblem,
  wanted: number,
): { readonly outcomes: readonly OrdersOutcome[]; readonly cut: readonly string[] } {
  const outcomes: OrdersOutcome[] = [];
  const most = Math.min(wanted, Math.ceil(MOST_LISTED / Math.max(1, problem.pods.length)));
  for (const ends of identity === 'names' ? shapes.map(it => endsOfShape(it, problem)) : [groups]) {
    for (const it of ends) {
      if (outcomes.length === most) break;
      outcomes.push(outcomeFrom(it, counts === 'orders', problem));
    }
  }
  const total = identity === 'names' ? shapes.reduce((sum, it) => sum + it.ends, 0n) : BigInt(groups.length);
  return { outcomes, cut: outcomesLeft(outcomes.length, total, isCut && identity === 'names') };
}

/** So many ends are looked at for each outcome that may be listed. */
const ENDS_FOR_EACH_OUTCOME = 20;
/** So many fates of Pods are looked at, in all ends. */
const MOST_FATES = 5_000_000;

function cutBy({ ordersLeft, tiesLeft, states }: Walk, mode: WalkMode): readonly string[] {
  return [
    ...(ordersLeft ? [t`After ${states} states the other orders were not followed to their ends.`] : []),
    ...(tiesLeft ? [t('Some ties were not followed in all ways.')] : []),
    ...(mode.counts === 'none' ? [t('The orders of each outcome were not counted.')] : []),
    ...(mode.identity === 'kinds' ? [t('Outcomes that differ in the names of equals alone are listed once.')] : []),
  ];
}

function outcomesLeft(listed: number, total: bigint, isCut: boolean): readonly string[] {
  if (isCut) return [t`There are more outcomes than these ${listed}.`];
  return total > listed ? [t`Of ${total} outcomes ${listed} are listed.`] : [];
}

function outcomeFrom(
  { end, orders, witness }: CountedEnd,
  isCounted: boolean,
  { scenario, pods }: OrdersProblem,
): OrdersOutcome {
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
    ...(isCounted && { orders }),
    witness: witness.map(idOf),
  };
}
