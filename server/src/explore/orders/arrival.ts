import type { SharedWork } from '../../scheduler/framework/sharedWork';
import { attempt } from './attempt';
import type { OrdersProblem } from './problem';
import type { OrdersState } from './state';

/**
 * All states after one more Pod has arrived: it is attempted, and then the waiting Pods in the order of the queue, from the
 * front again after each success, until none of them finds a node. A state may be in the list several times.
 */
export function arrive(
  pod: number,
  before: OrdersState,
  problem: OrdersProblem,
  work: SharedWork,
): readonly OrdersState[] {
  if (problem.pods[pod]!.isHeld) return [{ ...before, waiting: [...before.waiting, pod] }];
  return attempt(pod, 'first', before, problem, work).flatMap(({ state, isPlaced }) => {
    const now = isPlaced ? state : { ...state, waiting: queued(pod, state, problem) };
    // Where nothing has changed, all waiting Pods fail again.
    return state === before ? [now] : retried(now, 0, problem, work);
  });
}

/** By priority, then by arrival. Upstream: the Less of PrioritySort. */
function queued(pod: number, { waiting }: OrdersState, { pods }: OrdersProblem): readonly number[] {
  const { priority } = pods[pod]!.model;
  const at = waiting.findIndex(it => pods[it]!.model.priority < priority);
  return at < 0 ? [...waiting, pod] : waiting.toSpliced(at, 0, pod);
}

/** `from`: the index in the queue at which the round goes on. */
function retried(state: OrdersState, from: number, problem: OrdersProblem, work: SharedWork): readonly OrdersState[] {
  const { pods } = problem;
  // Pods of one kind fail alike in the same cluster.
  const refused = new Set<number>();
  for (let i = from; i < state.waiting.length; i++) {
    const pod = state.waiting[i]!;
    const { kind, isHeld } = pods[pod]!;
    if (isHeld || refused.has(kind)) continue;
    const branches = attempt(pod, 'again', state, problem, work);
    if (branches.every(it => it.state === state)) refused.add(kind);
    else
      return branches.flatMap(it =>
        it.isPlaced
          ? retried({ ...it.state, waiting: it.state.waiting.toSpliced(i, 1) }, 0, problem, work)
          : retried(it.state, i + 1, problem, work),
      );
  }
  return [state];
}
