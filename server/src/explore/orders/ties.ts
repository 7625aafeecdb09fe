import type { Steps } from '../../base/steps';
import { sharedWork } from '../../scheduler/framework/sharedWork';
import { arrive } from './arrival';
import { type End, endOf } from './ends';
import type { OrdersProblem } from './problem';
import { queued } from './queue';
import { type ArrivalStep, type Arrived, stepsOf, type WayBounds } from './shortestWay';
import { initialState, keyOf } from './state';

export interface ExploredTies {
  /** The arrivals of one end that is bad; absent: none is. */
  readonly bad?: readonly ArrivalStep[];
  /** Whether the bounds did not allow to follow all. */
  readonly isCut: boolean;
}

/**
 * Every choice that the scheduler leaves open where all Pods are in its queue at once. `isBad` must not tell equal Pods or equal
 * nodes apart.
 */
export function* exploreTies(
  problem: OrdersProblem,
  isBad: (end: End) => boolean,
  bounds: WayBounds,
): Steps<ExploredTies> {
  const { pods } = problem;
  const order = [...pods.keys()].reduce<readonly number[]>((waiting, it) => queued(it, { waiting }, problem), []);
  const { ends, isCut } = yield* endsOfTies(problem, order, bounds);
  const found = ends.find(it => isBad(endOf(it.state, problem)));
  return { ...(found && { bad: stepsOf(found, problem) }), isCut };
}

/** All ends of one order of arrival, with every choice that the scheduler leaves open. `order`: numbers of Pods. */
export function* endsOfTies(
  problem: OrdersProblem,
  order: readonly number[],
  { states: most, isOver }: WayBounds,
): Steps<{ readonly ends: readonly Arrived[]; readonly isCut: boolean }> {
  const work = sharedWork(problem.scenario.cluster.nodes.length);
  let reached: readonly Arrived[] = [{ state: initialState(problem) }];
  let isCut = false;
  for (const pod of order) {
    const next = new Map<string, Arrived>();
    for (const from of reached) {
      if (next.size >= most || (next.size > 0 && isOver())) {
        isCut = true;
        break;
      }
      for (const state of arrive(pod, from.state, problem, work)) {
        isCut ||= state.tiesLeft;
        const key = keyOf(state, problem, 'kinds');
        if (!next.has(key)) next.set(key, { state, from, pod });
      }
      yield;
    }
    reached = [...next.values()];
  }
  return { ends: reached, isCut };
}
