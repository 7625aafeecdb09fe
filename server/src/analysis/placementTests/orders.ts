import { grouped } from '../../base/multiMap';
import type { PodModel } from '../../cluster/pods/podModel';

/** Orders in which Pods may come, each once, and how many there are in all. */
export interface Orders {
  /** Made one by one: all together take many times the memory of the Pods. */
  readonly orders: Iterable<readonly PodModel[]>;
  /** Of `orders`. */
  readonly count: number;
  /** Infinity when there are more than can be counted in a number. */
  readonly total: number;
}

/** More orders are not tried; a fixed sample of this size represents them. */
export const MOST_ORDERS = 500;

/**
 * The orders of arrival that can make a difference: Pods of one workload are alike, and the queue sorts by priority, so
 * that only Pods of one priority change places.
 */
export function ordersOf(pods: readonly PodModel[], workloadOf: (pod: PodModel) => string): Orders {
  const levels = [...grouped(pods, it => it.priority)].sort(([a], [b]) => b - a).map(([, it]) => it);
  const kinds = levels.map(level => [...grouped(level, it => workloadOf(it) || it.id).values()]);
  const total = kinds.reduce((product, it) => product * arrangements(it.map(kind => kind.length)), 1);
  if (total > MOST_ORDERS) return { orders: sample(levels), count: MOST_ORDERS, total };
  const orders = kinds.reduce<readonly (readonly PodModel[])[]>(
    (sofar, level) => sofar.flatMap(before => interleavings(level).map(it => [...before, ...it])),
    [[]],
  );
  return { orders, count: orders.length, total };
}

/** n! over the factorials of the kinds. */
function arrangements(counts: readonly number[]): number {
  let product = 1;
  let placed = 0;
  for (const count of counts) for (let i = 1; i <= count; i++) product = (product * ++placed) / i;
  return Math.round(product);
}

function interleavings(kinds: readonly (readonly PodModel[])[]): readonly (readonly PodModel[])[] {
  const left = kinds.filter(it => it.length > 0);
  // Of two kinds there are at least as many interleavings as Pods, so that the recursion is no deeper than MOST_ORDERS.
  if (left.length <= 1) return [left[0] ?? []];
  return left.flatMap(kind =>
    interleavings(left.map(it => (it === kind ? it.slice(1) : it))).map(it => [...kind.slice(0, 1), ...it]),
  );
}

/** The order as written, the reverse, and shuffles that are the same in every run. */
function* sample(levels: readonly (readonly PodModel[])[]): Generator<readonly PodModel[]> {
  const random = generator();
  yield levels.flat();
  yield levels.flatMap(it => it.toReversed());
  for (let made = 2; made < MOST_ORDERS; made++) yield levels.flatMap(it => shuffled(it, random));
}

function shuffled(pods: readonly PodModel[], random: () => number): readonly PodModel[] {
  return pods
    .map(pod => ({ pod, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(it => it.pod);
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function generator(): () => number {
  let state = 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
