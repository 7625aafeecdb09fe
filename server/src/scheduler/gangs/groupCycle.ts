import type { PodModel } from '../../cluster/pods/podModel';
import { eventNote } from '../framework/fitError';
import type {
  GroupPostFilterAnswer,
  GroupSnapshot,
  GroupStatus,
  PodEvaluation,
  PodGroupModel,
  PodScheduler,
} from '../framework/interface';
import { whyNotEnqueued } from './batch';
import { GROUP_UNSCHEDULABLE, isPlaced, scheduleGroup } from './groupRun';
import { membersOn } from './podGroup';

/** The outcome of a group's cycle for one Pod. */
export interface PodOutcome {
  readonly status: 'scheduled' | 'unschedulable' | 'error';
  /** The FailedScheduling text. */
  readonly message?: string;
  /** The nominated node from now on; 'none': cleared; absent: unchanged. */
  readonly nomination?: string;
}

export interface GroupOutcome {
  readonly status: GroupStatus;
  /** All evaluations of the cycle; those that count come last. */
  readonly evaluations: readonly PodEvaluation[];
  /** The last evaluation of each Pod, by Pod id. */
  readonly counted: ReadonlyMap<string, PodEvaluation>;
  /** By Pod id. */
  readonly pods: ReadonlyMap<string, PodOutcome>;
  readonly after: GroupSnapshot;
  /** Most important first. */
  readonly victims: readonly PodModel[];
}

/**
 * One scheduling cycle of a group: all its Pods, or as many as its policy requires, get their nodes; otherwise none
 * does, and preemption is tried for the group as a whole. Upstream: scheduleOnePodGroup and
 * submitPodGroupAlgorithmResult.
 */
export function groupCycle(
  group: PodGroupModel,
  pods: readonly PodModel[],
  at: GroupSnapshot,
  podScheduler: PodScheduler,
): GroupOutcome {
  const running = membersOn(at.nodes, group);
  const obstacle = group.batch && whyNotEnqueued(group, pods, running, at.nodes);
  if (obstacle !== undefined) return notStarted(obstacle, pods, at);
  const fault = group.batch ? undefined : faultOf(group, pods, running);
  if (fault !== undefined) return failedGroup([fault], pods, at, []);
  const run = scheduleGroup(group, pods, at, podScheduler);
  const evaluated = byPod(run.results);
  if (run.status.code === 'Success') {
    const outcomes = pods.map((pod): [string, PodOutcome] => {
      const evaluation = evaluated.get(pod.id)!;
      if (!isPlaced(evaluation)) return [pod.id, failed(evaluation.decision.attempt.message ?? '')];
      const reasons = evaluation.taken?.failed?.reasons;
      return [pod.id, reasons ? { status: 'error', message: eventNote(reasons.join(', ')) } : { status: 'scheduled' }];
    });
    const { status, evaluations, after } = run;
    return { status, evaluations, counted: evaluated, pods: new Map(outcomes), after, victims: [] };
  }

  if (run.status.code === 'Error') return failedGroup(run.status.reasons, pods, run.after, run.evaluations);
  const again: PodEvaluation[] = [];
  let start = run.after.start;
  const answer = podScheduler.postFilter({
    group,
    pods,
    evaluations: run.results,
    at: run.after,
    podScheduler,
    schedule(changed) {
      const next = scheduleGroup(group, pods, { ...changed, start }, podScheduler);
      for (const each of next.evaluations) again.push(each);
      start = next.after.start;
      return next;
    },
  });
  const evaluations = [...run.evaluations, ...again];
  const after = { ...run.after, start, cluster: answer.cluster ?? run.after.cluster };
  if (answer.code === 'Error')
    return { ...failedGroup([answer.message], pods, after, run.evaluations), evaluations, counted: byPod(evaluations) };
  // Upstream appends PostFilter's message even when it is empty.
  const more = group.batch ? [] : [answer.message];
  const status: GroupStatus = { ...run.status, reasons: [...run.status.reasons, ...more] };
  const outcomes = pods.map((pod): [string, PodOutcome] => {
    const evaluation = evaluated.get(pod.id);
    return [pod.id, failureOf(pod, evaluation, group, run.status, status, answer)];
  });
  return {
    status,
    evaluations,
    counted: byPod(evaluations),
    pods: new Map(outcomes),
    after,
    victims: answer.victims,
  };
}

function byPod(evaluations: readonly PodEvaluation[]): ReadonlyMap<string, PodEvaluation> {
  return new Map(evaluations.map(it => [it.pod.id, it]));
}

/** A Pod without a feasible node keeps its own message; the others get the group's. */
function failureOf(
  pod: PodModel,
  evaluation: PodEvaluation | undefined,
  group: PodGroupModel,
  before: GroupStatus,
  after: GroupStatus,
  answer: GroupPostFilterAnswer,
): PodOutcome {
  const named = answer.nominations.get(pod.id);
  const nomination = named === undefined ? {} : { nomination: named || 'none' };
  if (!evaluation) return { ...failed(messageOf(before)), ...nomination };
  if (!isPlaced(evaluation)) return { ...failed(evaluation.decision.attempt.message ?? ''), ...nomination };
  if (answer.code === 'Success') return { ...failed(messageOf(after)), ...nomination };
  const message = group.batch ? messageOf(after) : `${GROUP_UNSCHEDULABLE}, ${messageOf(after)}`;
  return { ...failed(message), nomination: 'none' };
}

function failed(message: string): PodOutcome {
  return { status: 'unschedulable', message: eventNote(message) };
}

export function messageOf(status: GroupStatus): string {
  return status.reasons.join(', ');
}

function notStarted(obstacle: string, pods: readonly PodModel[], at: GroupSnapshot): GroupOutcome {
  const status: GroupStatus = { code: 'Unschedulable', reasons: [obstacle] };
  const outcomes = new Map(pods.map(it => [it.id, failed(obstacle)]));
  return { status, evaluations: [], counted: new Map(), pods: outcomes, after: at, victims: [] };
}

/** An error: no Pod gets a node, and a Pod with an error of its own keeps its message. */
function failedGroup(
  reasons: readonly string[],
  pods: readonly PodModel[],
  after: GroupSnapshot,
  evaluations: readonly PodEvaluation[],
): GroupOutcome {
  const faults = new Map(evaluations.map(({ pod, decision }) => [pod.id, decision.attempt]));
  const outcomes = pods.map((pod): [string, PodOutcome] => {
    const own = faults.get(pod.id);
    const message = own?.status === 'error' ? own.message : undefined;
    return [pod.id, { status: 'error', message: eventNote(message ?? reasons.join(', ')), nomination: 'none' }];
  });
  const status: GroupStatus = { code: 'Error', reasons };
  return { status, evaluations, counted: byPod(evaluations), pods: new Map(outcomes), after, victims: [] };
}

/** What all Pods of a group must have in common, running Pods included. Upstream: validatePodGroup. */
function faultOf(group: PodGroupModel, pods: readonly PodModel[], running: readonly PodModel[]): string | undefined {
  const profile = pods[0]?.schedulerName ?? '';
  const grouped = group.preemptionPolicy;
  const wanted = grouped ?? policyOf(pods[0]);
  for (const pod of [...pods, ...running]) {
    if (pod.schedulerName !== profile) {
      return `all pods in a single pod group should have the same .spec.schedulerName set, got: "${pod.schedulerName}" and "${profile}"`;
    }
    if (pod.priority !== group.priority) {
      return `all pods in a single pod group should have the same priority as the pod group's priority, got ${pod.priority} and ${group.priority}`;
    }
    if (policyOf(pod) === wanted) continue;
    const same = grouped === undefined ? '' : " as the pod group's preemption policy";
    return `all pods in a single pod group should have the same preemption policy${same}, got ${policyOf(pod)} and ${wanted}`;
  }
  return undefined;
}

function policyOf(pod: PodModel | undefined): string {
  return pod?.spec.preemptionPolicy ?? 'PreemptLowerPriority';
}
