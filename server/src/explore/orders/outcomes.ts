import { arrangements, factorial } from './counts';
import { type End, endsOf, isAllPlaced, shapeOf, signOf } from './ends';
import { arrangementsOf, product } from './permutations';
import type { OrdersProblem } from './problem';
import type { OrderSet } from './walk';

/** Ends that differ in the names of equal Pods alone. */
export interface EndShape {
  /** One of the ends. */
  readonly end: End;
  /** How many ends there are. */
  readonly ends: bigint;
  /** The permutations of all Pods in which some choice of branches ends so, for each of the ends. */
  readonly orders: bigint;
  /** The permutations of all Pods in which some choice of branches ends in one of the ends. */
  readonly ordersOfAny: bigint;
  /** Numbers of Pods: one of the permutations of `end`. */
  readonly witness: readonly number[];
}

/** An end with its permutations, and one of them as numbers of Pods. */
export interface CountedEnd {
  readonly end: End;
  readonly orders: bigint;
  readonly witness: readonly number[];
}

interface Found {
  readonly end: End;
  readonly order: readonly number[];
  orders: bigint;
  any: bigint;
}

export interface EndShapes {
  readonly all: readonly EndShape[];
  /** The permutations in which some choice of branches leaves a Pod without a node. */
  readonly strandedOrders: bigint;
  /** Whether there were more than `most` ends, and some were not looked at. */
  readonly isCut: boolean;
}

/**
 * The ends of all orders. A renaming of equal Pods turns an order that may end in E into one that may end in the renamed E: so
 * one count serves all ends of a shape, and the renamings that leave E as it is give different orders of E. Of each state
 * at least one end is looked at, and beyond that `most` ends in all.
 */
export function shapesOf(sets: readonly OrderSet[], problem: OrdersProblem, most: number): EndShapes {
  const renamings = problem.kinds.reduce((all, it) => all * factorial(it.length), 1n);
  const found = new Map<string, Found>();
  let strandedOrders = 0n;
  let looked = 0;
  for (const { states, orders, order } of sets) {
    const ends = new Map<string, End>();
    for (const state of states) {
      for (const end of endsOf(state, problem)) {
        ends.set(signOf(end), end);
        looked += 1;
        if (looked > most) break;
      }
    }
    const counted = new Set<string>();
    for (const end of ends.values()) {
      const shape = shapeOf(end, problem);
      const known = found.get(shape) ?? { end, order, orders: 0n, any: 0n };
      found.set(shape, known);
      known.orders += orders;
      if (!counted.has(shape)) known.any += orders * renamings;
      counted.add(shape);
    }
    if ([...ends.values()].some(it => !isAllPlaced(it))) strandedOrders += orders * renamings;
  }
  return { all: [...found.values()].map(it => shapeFrom(it, problem)), strandedOrders, isCut: looked > most };
}

function shapeFrom({ end, order, orders, any }: Found, problem: OrdersProblem): EndShape {
  const sizes = problem.kinds.map(members => sizesOf(members.map(it => end.fates[it]!)));
  const unmoved = sizes.flat().reduce((all, it) => all * factorial(it), 1n);
  return {
    end,
    ends: sizes.reduce((all, it) => all * arrangements(it), 1n),
    orders: orders * unmoved,
    ordersOfAny: any,
    witness: podsOf(order, problem),
  };
}

/** How often each value is there. */
function sizesOf(values: readonly number[]): readonly number[] {
  const counts = new Map<number, number>();
  for (const it of values) counts.set(it, (counts.get(it) ?? 0) + 1);
  return [...counts.values()];
}

/** The Pods that arrive, given their kinds: those of one kind in the order of the file. */
function podsOf(order: readonly number[], { kinds }: OrdersProblem): readonly number[] {
  const arrived = kinds.map(() => 0);
  return order.map(kind => {
    const count = arrived[kind]!;
    arrived[kind] = count + 1;
    return kinds[kind]![count]!;
  });
}

/** All ends of a shape. */
export function* endsOfShape({ end, orders, witness }: EndShape, { kinds }: OrdersProblem): Iterable<CountedEnd> {
  const choices = kinds.map(members => () => arrangementsOf(members.map(it => end.fates[it]!)));
  for (const chosen of product(choices)) {
    const fates = [...end.fates];
    const renamed = new Map<number, number>();
    for (const [kind, members] of kinds.entries()) {
      const now = chosen[kind]!;
      const free = [...members];
      for (const pod of members) {
        const at = free.findIndex(it => now[members.indexOf(it)] === end.fates[pod]);
        renamed.set(pod, free[at]!);
        free.splice(at, 1);
      }
      for (const [i, pod] of members.entries()) fates[pod] = now[i]!;
    }
    yield { end: { ...end, fates }, orders, witness: witness.map(it => renamed.get(it)!) };
  }
}
