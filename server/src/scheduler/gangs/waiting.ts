import { itemsOf, prefixList } from '../../base/prefixList';
import type { PodModel } from '../../cluster/pods/podModel';
import { fitErrorMessage } from '../framework/fitError';
import type { Permit, Waiting } from '../framework/interface';
import { withoutPod } from '../framework/nodeInfo';
import { type SchedulingState, stateWith } from '../framework/schedulingState';
import type { SharedWork } from '../framework/sharedWork';
import type { Attempt } from '../result';

/** The state after Permit, whose last attempt gave `placed` its node. */
export function afterPermit(state: SchedulingState, placed: PodModel, { waits, admits }: Permit = {}): SchedulingState {
  if (waits) {
    const { group, plugin, seconds } = waits;
    const waiting: Waiting = { pod: placed, group, plugin, seconds, attempt: state.attempts.length - 1 };
    return stateWith(state, { waiting: [...state.waiting, waiting] });
  }
  return admits === undefined ? state : stateWith(state, { waiting: state.waiting.filter(it => it.group !== admits) });
}

/** All Pods of the run, those with a node first. Upstream: the Pod lister. */
export function allPods(work: SharedWork): readonly PodModel[] {
  return work.once('pods', (): readonly PodModel[] => []);
}

/** The waiting Pods of the group lose their nodes. Claims and volumes that they took stay taken. */
export function rejectWaiting(
  state: SchedulingState,
  group: string,
  reasonOf: (index: number) => string,
): SchedulingState {
  const leaving = state.waiting.filter(it => it.group === group);
  if (leaving.length === 0) return state;
  const attempts = [...itemsOf(state.attempts)];
  for (const [i, it] of leaving.entries()) {
    const message = fitErrorMessage(1, new Map([[reasonOf(i), 1]]), '');
    attempts[it.attempt] = unschedulable(attempts[it.attempt]!, message);
  }
  const nodes = state.nodes.map(node =>
    leaving.filter(it => it.pod.nodeName === node.name).reduce((left, it) => withoutPod(left, it.pod), node),
  );
  const waiting = state.waiting.filter(it => it.group !== group);
  return stateWith(state, { nodes, attempts: prefixList(attempts), waiting });
}

/** Ends all waiting. The first Pod of a group times out, and the others are rejected with it. */
export function timeOutWaiting(state: SchedulingState): SchedulingState {
  const groups = new Map(state.waiting.map(it => [it.group, it]).reverse() as [string, Waiting][]);
  return [...groups.values()].reduce((it, { group, plugin, seconds }) => {
    const first = `rejected due to timeout after waiting ${duration(seconds)} at plugin ${plugin}`;
    return rejectWaiting(it, group, index => (index === 0 ? first : 'rejection in Unreserve'));
  }, state);
}

/** As Go prints a time.Duration of whole seconds. */
function duration(seconds: number): string {
  const hours = Math.trunc(seconds / 3600);
  const minutes = Math.trunc((seconds % 3600) / 60);
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** The attempt as failed; its verdicts stay lazy. */
function unschedulable(attempt: Attempt, message: string): Attempt {
  const { node: _, ...kept } = Object.getOwnPropertyDescriptors(attempt);
  const descriptor = { enumerable: true, configurable: true };
  return Object.defineProperties({} as Attempt, {
    ...kept,
    status: { ...descriptor, value: 'unschedulable' },
    message: { ...descriptor, value: message },
  });
}
