import { itemsOf, prefixList } from '../../base/prefixList';
import type { PodModel } from '../../cluster/pods/podModel';
import { fitErrorMessage } from '../framework/fitError';
import type { Permit, Waiting } from '../framework/interface';
import { withoutPod } from '../framework/nodeInfo';
import type { SchedulingState } from '../framework/schedulingState';
import type { SharedWork } from '../framework/sharedWork';
import type { Attempt } from '../result';

/** The board whose last attempt gave `placed` its node. */
export function afterPermit(board: SchedulingState, placed: PodModel, { waits, lets }: Permit = {}): SchedulingState {
  if (waits) {
    const { group, plugin, seconds } = waits;
    const waiting: Waiting = { pod: placed, group, plugin, seconds, attempt: board.attempts.length - 1 };
    return { ...board, waiting: [...board.waiting, waiting] };
  }
  return lets === undefined ? board : { ...board, waiting: board.waiting.filter(it => it.group !== lets) };
}

/** All Pods of the run, those with a node first. Upstream: the Pod lister. */
export function podsOfRun(work: SharedWork): readonly PodModel[] {
  return work.once('pods', (): readonly PodModel[] => []);
}

/** Those of the group who wait lose their nodes. What else they took, claims and volumes, stays taken. */
export function sendBack(board: SchedulingState, group: string, reasonOf: (place: number) => string): SchedulingState {
  const leaving = board.waiting.filter(it => it.group === group);
  if (leaving.length === 0) return board;
  const attempts = [...itemsOf(board.attempts)];
  for (const [i, it] of leaving.entries()) {
    const message = fitErrorMessage(1, [reasonOf(i)], '');
    attempts[it.attempt] = unschedulable(attempts[it.attempt]!, message);
  }
  const nodes = board.nodes.map(node =>
    leaving.filter(it => it.pod.nodeName === node.name).reduce((left, it) => withoutPod(left, it.pod), node),
  );
  return { ...board, nodes, attempts: prefixList(attempts), waiting: board.waiting.filter(it => it.group !== group) };
}

/** Time passes until nobody waits any more. The first of a group times out, and takes the others with it. */
export function timeOut(board: SchedulingState): SchedulingState {
  const groups = new Map(board.waiting.map(it => [it.group, it]).reverse() as [string, Waiting][]);
  return [...groups.values()].reduce((it, { group, plugin, seconds }) => {
    const first = `rejected due to timeout after waiting ${duration(seconds)} at plugin ${plugin}`;
    return sendBack(it, group, place => (place === 0 ? first : 'rejection in Unreserve'));
  }, board);
}

/** As Go prints a time.Duration of whole seconds. */
function duration(seconds: number): string {
  const hours = Math.trunc(seconds / 3600);
  const minutes = Math.trunc((seconds % 3600) / 60);
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}

/** The attempt as one that failed after all; its verdicts are still made only when somebody asks. */
function unschedulable(attempt: Attempt, message: string): Attempt {
  const { node: _, ...kept } = Object.getOwnPropertyDescriptors(attempt);
  const told = { enumerable: true, configurable: true };
  return Object.defineProperties({} as Attempt, {
    ...kept,
    status: { ...told, value: 'unschedulable' },
    message: { ...told, value: message },
  });
}
