import type { Steps } from '../../base/steps';
import { sharedWork } from '../../scheduler/framework/sharedWork';
import type { Attempt } from '../../scheduler/result';
import { arrive } from './arrival';
import { verdictsOn } from './attempt';
import { type End, endOf } from './ends';
import type { OrdersProblem } from './problem';
import { type ArrivalStep, type Arrived, stepsOf } from './shortestWay';
import { initialState, keyOf } from './state';
import { wholeGroupOf } from './wholeGroup';

/** One order of arrival with one choice at each tie. */
export interface ReplayedOrder {
  readonly arrivals: readonly ReplayedArrival[];
  readonly end: End;
  /** Whether other choices have another end. */
  readonly isTied: boolean;
}

export interface ReplayedArrival extends ArrivalStep {
  /** Why the Pod that arrives gets its node or none; absent: it is scheduled with its group. */
  readonly attempt?: Attempt;
}

/** More choices at a time are not followed. */
const MOST_CHOICES = 500;

/**
 * Has Pods arrive in one order. Of several ends the first that is wanted is replayed, else the first one.
 * @param order Numbers of Pods.
 */
export function* replayOrder(
  order: readonly number[],
  problem: OrdersProblem,
  isWanted: (end: End) => boolean,
): Steps<ReplayedOrder> {
  const work = sharedWork(problem.scenario.cluster.nodes.length);
  let layer: readonly Arrived[] = [{ state: initialState(problem) }];
  for (const pod of order) {
    const next = new Map<string, Arrived>();
    for (const from of layer) {
      for (const state of arrive(pod, from.state, problem, work)) {
        const key = keyOf(state, problem, 'names');
        if (!next.has(key) && next.size < MOST_CHOICES) next.set(key, { state, from, pod });
      }
      yield;
    }
    layer = [...next.values()];
  }
  const chosen = layer.find(it => isWanted(endOf(it.state, problem))) ?? layer[0]!;
  const states = beginningsOf(chosen);
  const arrivals = stepsOf(chosen, problem).map((step, i): ReplayedArrival => {
    const pod = order[i]!;
    const { model, isHeld } = problem.pods[pod]!;
    if (isHeld || wholeGroupOf(model, problem)) return step;
    return { ...step, attempt: verdictsOn(pod, states[i]!.state, problem, work) };
  });
  return { arrivals, end: endOf(chosen.state, problem), isTied: layer.length > 1 };
}

/** The states before each arrival. */
function beginningsOf({ from }: Arrived): readonly Arrived[] {
  const states: Arrived[] = [];
  for (let it = from; it !== undefined; it = it.from) states.push(it);
  return states.reverse();
}
