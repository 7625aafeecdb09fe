import type { SharedWork } from '../../scheduler/framework/sharedWork';
import { siblingGroupOf } from '../../scheduler/plugins/coscheduling/plugin';
import { type AttemptEnd, attempt } from './attempt';
import type { OrdersProblem } from './problem';
import { queued } from './queue';
import type { OrdersState } from './state';
import { attemptGroup, wholeGroupOf } from './wholeGroup';

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
  if (wholeGroupOf(problem.pods[pod]!.model, problem)) {
    return retried({ ...before, waiting: queued(pod, before, problem) }, 0, new Set(), problem, work);
  }
  return attempt(pod, 'first', before, problem, work).flatMap(it => {
    const { state, isPlaced } = it;
    const now = isPlaced ? state : { ...state, waiting: queued(pod, state, problem) };
    // Where nothing has changed, all waiting Pods fail again, but for those of a group that has one Pod more now.
    if (state === before && !problem.hasPermit) return [now];
    return retried(now, 0, backedOffAfter(it, new Set()), problem, work);
  });
}

/** Groups whose Pods are not tried again before another Pod has a node, as they would only lose their nodes again. */
type BackedOff = ReadonlySet<string>;

function backedOffAfter({ rejected, isPlaced, state }: AttemptEnd, before: BackedOff): BackedOff {
  if (rejected !== undefined) return new Set([...before, rejected]);
  const isBound = isPlaced && !state.atPermit.some(it => it.pod === state.placed.at(-1)?.pod);
  return isBound ? new Set() : before;
}

/** `from`: the index in the queue at which the round goes on. */
function retried(
  state: OrdersState,
  from: number,
  backedOff: BackedOff,
  problem: OrdersProblem,
  work: SharedWork,
): readonly OrdersState[] {
  const { pods } = problem;
  // Pods of one kind fail alike in the same cluster.
  const refused = new Set<number>();
  const refusedGroups = new Set<string>();
  for (let i = from; i < state.waiting.length; i++) {
    const pod = state.waiting[i]!;
    const { kind, isHeld, model } = pods[pod]!;
    if (isHeld || refused.has(kind) || backedOff.has(siblingGroupOf(model) ?? '')) continue;
    const group = wholeGroupOf(model, problem);
    if (group) {
      if (refusedGroups.has(group.id)) continue;
      refusedGroups.add(group.id);
      const after = attemptGroup(group, state, problem, work);
      if (after !== state) return retried(after, 0, new Set(), problem, work);
      continue;
    }
    const ends = attempt(pod, 'again', state, problem, work);
    if (ends.every(it => it.state === state)) refused.add(kind);
    else
      return ends.flatMap(it => {
        const next = backedOffAfter(it, backedOff);
        if (it.isPlaced) {
          const waiting = it.state.waiting.toSpliced(i, 1);
          return retried({ ...it.state, waiting }, 0, next, problem, work);
        }
        return retried(it.state, it.rejected === undefined ? i + 1 : 0, next, problem, work);
      });
  }
  return [state];
}
