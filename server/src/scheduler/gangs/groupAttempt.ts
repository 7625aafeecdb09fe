import { itemsOf, prefixList } from '../../base/prefixList';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ScenarioOptions } from '../../cluster/scenario';
import type { PodEvaluation, PodGroupModel, PodScheduler } from '../framework/interface';
import { withoutNomination, withPlaced } from '../framework/nodeInfo';
import { afterEviction, attemptOf, placedPod, type SchedulingState, stateWith } from '../framework/schedulingState';
import type { Attempt, GroupAttempt } from '../result';
import { type GroupOutcome, groupCycle, messageOf, type PodOutcome } from './groupCycle';
import type { Entity } from './queue';

export type GroupEntity = Entity & { readonly group: PodGroupModel };

/** One cycle of a group and its effects on the state; returns the group when its preemption evicted Pods. */
export function scheduleGroupEntity(
  entity: GroupEntity,
  before: SchedulingState,
  podScheduler: PodScheduler,
  options: ScenarioOptions,
): [SchedulingState, GroupEntity | undefined] {
  const { group, pods } = entity;
  const outcome = groupCycle(group, pods, before, podScheduler);
  const earlier = itemsOf(before.attempts);
  const attempts = prefixList([...earlier, ...attemptsOf(group, pods, outcome, earlier)]);
  const victims = outcome.victims.filter(it => !it.terminating);
  const nominated = nominationsAfter(pods, outcome);
  const nodes = afterEviction(nodesAfter(outcome, before, attempts.length, options), victims, options);
  const state = stateWith(before, {
    cluster: boundCluster(outcome, podScheduler),
    nodes,
    nominated,
    start: outcome.after.start,
    attempts,
    groups: [...before.groups, groupAttempt(group, outcome)],
    evicted: [...before.evicted, ...victims.map(it => it.id)],
  });
  if (victims.length === 0) return [state, undefined];
  // All of them return to the queue at the same time, where upstream orders them by name.
  const retry = pods
    .map(it => nominated.get(it.id) ?? withoutNomination(it))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return [state, { ...entity, pods: retry }];
}

function groupAttempt(group: PodGroupModel, { status, victims }: GroupOutcome): GroupAttempt {
  const message = messageOf(status);
  const failure = status.code === 'Error' ? ('error' as const) : ('unschedulable' as const);
  return {
    group: group.id,
    status: status.code === 'Success' ? 'scheduled' : failure,
    ...(victims.length > 0 && { victims: victims.map(it => it.id) }),
    ...(message && { message }),
  };
}

function boundCluster(outcome: GroupOutcome, podScheduler: PodScheduler): ClusterModel {
  return boundPods(outcome).reduce(
    (cluster, { pod, decision }) => podScheduler.bind(pod, decision.attempt.node!, { ...outcome.after, cluster }),
    outcome.after.cluster,
  );
}

function boundPods({ counted, pods }: GroupOutcome): readonly PodEvaluation[] {
  return [...counted.values()].filter(it => pods.get(it.pod.id)?.status === 'scheduled');
}

/** The Pods of a group are bound together, so they start together. */
function nodesAfter(
  outcome: GroupOutcome,
  { nodes, work }: SchedulingState,
  attemptCount: number,
  options: ScenarioOptions,
): SchedulingState['nodes'] {
  const byName = new Map(nodes.map(it => [it.name, it]));
  return boundPods(outcome).reduce((now, { pod, decision }) => {
    const node = byName.get(decision.attempt.node!)!;
    return withPlaced(now, node, placedPod(pod, node, attemptCount, options, work));
  }, nodes);
}

function nominationsAfter(
  pods: readonly PodModel[],
  { after, pods: outcomes }: GroupOutcome,
): SchedulingState['nominated'] {
  const res = new Map(after.nominated);
  for (const pod of pods) {
    const nomination = outcomes.get(pod.id)?.nomination;
    if (nomination === 'none') res.delete(pod.id);
    else if (nomination) res.set(pod.id, { ...pod, nominatedNodeName: nomination });
  }
  return res;
}

/**
 * All evaluations of the cycle, the one that counts for each Pod with its outcome, then the Pods that were not
 * evaluated.
 */
function attemptsOf(
  group: PodGroupModel,
  pods: readonly PodModel[],
  { evaluations, counted, pods: outcomes }: GroupOutcome,
  before: readonly Attempt[],
): readonly Attempt[] {
  const counts = new Map<string, number>();
  for (const it of before) if (outcomes.has(it.pod)) counts.set(it.pod, it.attempt);
  const next = (id: string): number => {
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count;
  };
  const evaluated = evaluations.map((evaluation): Attempt => {
    const outcome = counted.get(evaluation.pod.id) === evaluation ? outcomes.get(evaluation.pod.id) : undefined;
    return attemptOfEvaluation(evaluation, group, next(evaluation.pod.id), outcome);
  });
  const others = pods
    .filter(it => !counted.has(it.id))
    .map(({ id, priority }): Attempt => {
      const { status, message } = outcomes.get(id)!;
      return { pod: id, attempt: next(id), group: group.id, priority, status, ...(message && { message }) };
    });
  return [...evaluated, ...others];
}

/** Without an outcome: another evaluation in the same cycle supersedes this one. */
function attemptOfEvaluation(
  { decision, taken }: PodEvaluation,
  { id: group }: PodGroupModel,
  count: number,
  outcome: PodOutcome | undefined,
): Attempt {
  const { node: _, message: __, tiedNodes, ...rest } = decision.attempt;
  if (outcome?.status === 'scheduled') {
    return attemptOf({ ...decision, attempt: { ...decision.attempt, group } }, count, taken);
  }
  const attempt = {
    ...rest,
    group,
    ...(tiedNodes && rest.fits && { tiedNodes }),
    status: outcome?.status ?? ('superseded' as const),
    ...(outcome?.message && { message: outcome.message }),
  };
  return attemptOf({ ...decision, attempt }, count);
}
