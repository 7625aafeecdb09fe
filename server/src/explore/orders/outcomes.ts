import { grouped } from '../../base/multiMap';
import { arrangements, factorial } from './counts';
import { type End, endsOf, groupOf, shapeOf, signOf } from './ends';
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
  /** Numbers of Pods: one of the permutations of `end`. */
  readonly witness: readonly number[];
}

/** An end, the permutations of it or of its group, and one of them as numbers of Pods. */
export type CountedEnd = Pick<EndShape, 'end' | 'orders' | 'witness'>;

interface Found {
  readonly end: End;
  readonly order: readonly number[];
  orders: bigint;
}

export interface EndsOfOrders {
  readonly shapes: readonly EndShape[];
  /** One of the ends that differ in the names of equal Pods and of equal nodes alone, with the permutations of any of them. */
  readonly groups: readonly CountedEnd[];
  /** For each question, the permutations in which some choice of branches ends badly. */
  readonly badOrders: readonly bigint[];
  /** Whether there were more than `most` ends, and some were not looked at. */
  readonly isCut: boolean;
}

/**
 * The ends of all orders. A renaming of equal Pods turns an order that may end in E into one that may end in the renamed E: so
 * one count serves all ends of a shape, and the renamings that leave E as it is give different orders of E. Of each state
 * at least one end is looked at, and beyond that `most` ends in all. `questions`: whether an end is bad.
 */
export function endsOfOrders(
  sets: readonly OrderSet[],
  problem: OrdersProblem,
  questions: readonly ((end: End) => boolean)[],
  most: number,
): EndsOfOrders {
  const renamings = renamingsOf(problem);
  const shapes = new Map<string, Found>();
  const groups = new Map<string, Found>();
  const badOrders = questions.map(() => 0n);
  let looked = 0;
  for (const { states, orders } of sets) {
    const ends = new Map<string, Omit<Found, 'orders'>>();
    for (const { state, order } of states) {
      for (const end of endsOf(state, problem)) {
        ends.set(signOf(end), { end, order });
        looked += 1;
        if (looked > most) break;
      }
    }
    const counted = new Set<string>();
    for (const found of ends.values()) {
      count(shapes, shapeOf(found.end, problem), found, orders);
      const group = groupOf(found.end, problem);
      count(groups, group, found, counted.has(group) ? 0n : orders * renamings);
      counted.add(group);
    }
    for (const [i, isBad] of questions.entries()) {
      if ([...ends.values()].some(it => isBad(it.end))) badOrders[i]! += orders * renamings;
    }
  }
  return {
    shapes: [...shapes.values()].map(it => shapeFrom(it, problem)),
    groups: [...groups.values()].map(({ order, ...it }) => ({ ...it, witness: podsOf(order, problem) })),
    badOrders,
    isCut: looked > most,
  };
}

function count(found: Map<string, Found>, key: string, one: Omit<Found, 'orders'>, orders: bigint): void {
  const known = found.get(key);
  if (known === undefined) found.set(key, { ...one, orders });
  else known.orders += orders;
}

/** How many permutations differ in the names of equal Pods alone. */
export function renamingsOf({ kinds }: OrdersProblem): bigint {
  return kinds.reduce((all, it) => all * factorial(it.length), 1n);
}

function shapeFrom({ end, order, orders }: Found, problem: OrdersProblem): EndShape {
  const sizes = problem.kinds.map(members => sizesOf(members.map(it => end.fates[it]!)));
  const unmoved = sizes.flat().reduce((all, it) => all * factorial(it), 1n);
  return {
    end,
    ends: sizes.reduce((all, it) => all * arrangements(it), 1n),
    orders: orders * unmoved,
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
      const membersOf = grouped(members.keys(), i => now[i]!);
      const taken = new Map<number, number>();
      for (const pod of members) {
        const fate = end.fates[pod]!;
        const count = taken.get(fate) ?? 0;
        taken.set(fate, count + 1);
        renamed.set(pod, members[membersOf.get(fate)![count]!]!);
      }
      for (const [i, pod] of members.entries()) fates[pod] = now[i]!;
    }
    yield { end: { ...end, fates }, orders, witness: witness.map(it => renamed.get(it)!) };
  }
}
