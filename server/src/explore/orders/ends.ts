import { grouped } from '../../base/multiMap';
import { signOfContents } from './equalNodes';
import { injections, product } from './permutations';
import type { OrdersProblem } from './problem';
import type { OrdersState } from './state';

/** A Pod to place that waits in the end. */
export const PENDING = -1;
/** A Pod to place that was placed and evicted. */
export const EVICTED = -2;

/** Where everything is after all arrivals. */
export interface End {
  /** By the number of the Pod: the index of its node, PENDING, or EVICTED. */
  readonly fates: readonly number[];
  /** Ids of the running Pods that were evicted, sorted. */
  readonly evictedRunning: readonly string[];
}

/** The end of a state in which all Pods have arrived. Pods that wait at Permit lose their nodes in time. */
export function endOf({ placed, atPermit, evicted, evictedRunning }: OrdersState, { pods }: OrdersProblem): End {
  const fates = pods.map(() => PENDING);
  for (const { pod, node } of placed) fates[pod] = node;
  for (const { pod } of atPermit) fates[pod] = PENDING;
  for (const pod of evicted) fates[pod] = EVICTED;
  return { fates, evictedRunning };
}

/** The ends that a state stands for: equal nodes may be exchanged. */
export function* endsOf(state: OrdersState, problem: OrdersProblem): Iterable<End> {
  const { fates, evictedRunning } = endOf(state, problem);
  const { equalNodes } = problem;
  const used = new Set(fates);
  const exchanges = equalNodes.lists.map(list => {
    const full = list.filter(it => used.has(it));
    return { full, targets: () => injections(full.length, list) };
  });
  for (const chosen of product(exchanges.map(it => it.targets))) {
    const moved = new Map(exchanges.flatMap(({ full }, i) => full.map((node, at) => [node, chosen[i]![at]!] as const)));
    yield { fates: fates.map(it => moved.get(it) ?? it), evictedRunning };
  }
}

/** Equal for the same ends. */
export function signOf({ fates, evictedRunning }: End): string {
  return `${fates.join()}|${evictedRunning.join()}`;
}

/** Equal for ends that differ in the names of equal Pods alone. */
export function shapeOf({ fates, evictedRunning }: End, { kinds }: OrdersProblem): string {
  const ofKinds = kinds.map(it => it.map(pod => fates[pod]!).sort((a, b) => a - b));
  return `${ofKinds.map(it => it.join()).join('/')}|${evictedRunning.join()}`;
}

/** Equal for ends that differ in the names of equal Pods and of equal nodes alone. */
export function groupOf({ fates, evictedRunning }: End, { pods, kinds, equalNodes }: OrdersProblem): string {
  const placed = [...fates.keys()].filter(it => fates[it]! >= 0);
  const contents = [...grouped(placed, it => fates[it]!)].map(([node, its]): [number, string] => {
    const kindsOn = its.map(it => pods[it]!.kind);
    return [node, kindsOn.sort((a, b) => a - b).join()];
  });
  const evicted = kinds.map(it => it.filter(pod => fates[pod] === EVICTED).length);
  return [signOfContents(contents, equalNodes), evicted.join(), evictedRunning.join()].join('|');
}
