import { itemsOf, prefixList } from '../../base/prefixList';
import { type IsCancelled, runToEnd, type Steps } from '../../base/steps';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { compareText, type Scenario, type ScenarioOptions } from '../../cluster/scenario';
import type { Profiles } from '../configuration/profiles';
import { makeCycle, noNominatedPods, runFilterWithNominated } from '../framework/cycle';
import type { Cycle, GroupSnapshot, GroupStatus, PodScheduler, Profile } from '../framework/interface';
import { nodeInfos, withoutNomination } from '../framework/nodeInfo';
import { attemptOf, historyFrom, type SchedulingState } from '../framework/schedulingState';
import { sharedWork } from '../framework/sharedWork';
import { scheduleGroupEntity } from '../gangs/groupAttempt';
import { groupSuccess, NO_VICTIMS } from '../gangs/groupStatus';
import { type Entity, entitiesOf, type Gangs, podsNotQueued } from '../gangs/queue';
import { timeOutWaiting } from '../gangs/waiting';
import { isKept, type RunMemory, type RunStart, resumePoint, startOf } from '../incremental/runCache';
import { comparePriority } from '../plugins/prioritySort/plugin';
import type { Attempt, PlacementResult } from '../result';
import type { NodeSnapshot } from './findNodes';
import { schedulePod } from './schedulePod';
import { type DecisionObserver, nominatedPods, reserve, schedulingCycle } from './schedulingCycle';

/** Decides where one Pod goes in the cluster as it is. Pure: the Pod is not placed and no Pod is evicted. */
export function scheduleOne(pod: PodModel, cluster: ClusterModel, profile: Profile): Attempt {
  const nodes = nodeInfos(cluster);
  return attemptIn(makeCycle(cluster, nodes, sharedWork(nodes.length)), pod, profile);
}

/** The same in a cycle, whose caches serve further Pods. */
export function attemptIn(cycle: Cycle, pod: PodModel, profile: Profile): Attempt {
  return attemptOf(schedulePod(pod, { ...cycle, nominated: noNominatedPods, start: 0 }, profile), 1);
}

/** Options of a run that do not change its decisions. */
export interface ScheduleOptions {
  /** Called for each decision about a single Pod, with its inputs. */
  readonly onDecision?: DecisionObserver | undefined;
  /** Left by the last run over nearly the same objects; absent: everything is decided from scratch. */
  readonly memory?: Pick<RunMemory, 'run'> | undefined;
  /** Asked before each scheduling cycle; once it returns true, no further cycle starts. */
  readonly isCancelled?: IsCancelled | undefined;
}

/**
 * Places all pending Pods: by priority, then in the order of the file, once each, and a second time after the Pod's own
 * preemption as `options.retry` says. The Pods of a group share one cycle.
 */
export function scheduleAll(...given: Parameters<typeof schedulingSteps>): PlacementResult {
  return runToEnd(schedulingSteps(...given));
}

/** The same in steps, one for each cycle. */
export function* schedulingSteps(
  scenario: Scenario,
  profiles: Profiles,
  gangs: Gangs,
  { onDecision, memory, isCancelled }: ScheduleOptions = {},
): Steps<PlacementResult> {
  const { cluster, options } = scenario;
  const notQueued = yield* podsNotQueued(scenario, profiles, gangs);
  yield;
  const queued = scenario.pending.filter(it => !notQueued.has(it.id));
  const sort = [...profiles.values()].find(it => it.queueSort.length > 0)?.queueSort[0];
  const sorted = sort ? sort.queueSort!(queued, cluster) : queued;
  const entities = entitiesOf(sorted, gangs).sort(comparePriority);
  yield;
  const start = startOf(scenario, profiles, gangs, memory?.run?.start);
  start.work.once('pods', () => [...cluster.running, ...scenario.pending]);
  yield;
  const first = initialState(start);
  // An observer sees every decision, so nothing is resumed from the last run.
  const resumed = onDecision ? undefined : yield* resumePoint(start, first.nominated, entities, memory?.run);
  yield;
  const { resumeAt: from, progress } = resumed ?? { resumeAt: 0, progress: { cluster, state: first, retries: [] } };
  const kept = new Map([...(memory?.run?.progress ?? [])].filter(([index]) => index < from));
  // A cancelled run leaves its finished cycles to the next run.
  if (memory) memory.run = { start, entities, progress: kept };
  let { state, retries } = progress;
  let index = from;
  for (; index < entities.length && isCancelled?.() !== true; index++) {
    yield;
    if (memory && isKept(index, entities.length, start.nodes.length)) kept.set(index, { cluster, state, retries });
    let next: Entity | undefined;
    [state, next] = scheduleEntity(entities[index]!, 1, state, profiles, options, onDecision);
    if (!next || options.retry === 'none') continue;
    if (options.retry === 'end') retries = [...retries, next];
    else [state] = scheduleEntity(next, 2, state, profiles, options, onDecision);
  }
  if (memory && index === entities.length) kept.set(index, { cluster, state, retries });
  const left = entities.slice(index).reduce((sum, it) => sum + it.pods.length, 0);
  for (const entity of [...retries].sort(comparePriority)) {
    if (isCancelled?.() === true) break;
    yield;
    // A later Pod may have cleared the nomination.
    const pods = entity.pods.map(it => state.nominated.get(it.id) ?? withoutNomination(it));
    [state] = scheduleEntity({ ...entity, pods }, 2, state, profiles, options, onDecision);
  }
  state = timeOutWaiting(state);
  const rejected = scenario.rejected.map(
    (it): Attempt => ({ pod: it.id, attempt: 1, priority: 0, status: 'rejected', message: it.message }),
  );
  const attempts = [...itemsOf(state.attempts), ...notQueued.values(), ...rejected];
  return {
    attempts,
    ...(state.groups.length > 0 && { groups: state.groups }),
    placements: placementsOf(attempts),
    evicted: [...state.evicted].sort(compareText),
    ...(left > 0 && { cut: { pods: left } }),
    notes: scenario.notes,
  };
}

function placementsOf(attempts: readonly Attempt[]): PlacementResult['placements'] {
  const placements: Record<string, string> = {};
  for (const { status, pod, node } of attempts) if (status === 'scheduled') placements[pod] = node!;
  return placements;
}

function initialState({ scenario: { cluster, pending }, profiles, nodes, work }: RunStart): SchedulingState {
  // A gated Pod keeps its nomination; a Pod of an unknown profile never enters the queue.
  const resumed = pending.filter(it => it.nominatedNodeName !== undefined && profiles.has(it.schedulerName));
  const nominated = new Map(resumed.map(it => [it.id, it]));
  return {
    cluster,
    nodes,
    history: historyFrom(nodes),
    work,
    nominated,
    attempts: prefixList<Attempt>([]),
    groups: [],
    evicted: [],
    waiting: [],
    start: 0,
  };
}

function scheduleEntity(
  entity: Entity,
  attempt: number,
  before: SchedulingState,
  profiles: Profiles,
  options: ScenarioOptions,
  onDecision: DecisionObserver | undefined,
): [SchedulingState, Entity | undefined] {
  const { group, pods } = entity;
  const pod = pods[0]!;
  if (group) {
    const podScheduler = podSchedulerFor(profiles.get(pod.schedulerName)!, before, pods, onDecision);
    return scheduleGroupEntity({ ...entity, group }, before, podScheduler, options);
  }
  const [state, next] = schedulingCycle(pod, attempt, before, profiles, options, onDecision);
  return [state, next && { priority: next.priority, pods: [next] }];
}

/** Scheduling of single Pods for a group's cycle. */
export function podSchedulerFor(
  profile: Profile,
  { work }: Pick<SchedulingState, 'work'>,
  pods: readonly PodModel[],
  onDecision: DecisionObserver | undefined,
): PodScheduler {
  // In a group's cycle no Pod preempts on its own.
  const single: Profile = { ...profile, postFilter: [] };
  // The Pods have left the queue, whose nominator knows only their names by now, so their nominations reserve nothing.
  const own = new Set(pods.map(it => it.id));
  const cycleOf = (at: GroupSnapshot): NodeSnapshot => ({
    ...makeCycle(at.cluster, at.nodes, work),
    nominated: nominatedPods(new Map([...at.nominated].filter(([id]) => !own.has(id)))),
    start: at.start,
    bindsLater: true,
    ...(at.within && { among: at.nodes.filter(it => at.within?.has(it.name)) }),
  });
  return {
    evaluate(pod, at) {
      const cycle = cycleOf(at);
      const decision = schedulePod(pod, cycle, single);
      onDecision?.({ pod, cycle, profile: single, decision });
      return decision;
    },
    reserve: (pod, node, at) => reserve(pod, node, cycleOf(at), profile),
    bind: (pod, node, at) =>
      profile.reserve.reduce((cluster, plugin) => {
        const cycle = cycleOf({ ...at, cluster });
        return plugin.bind?.(pod, cycle.nodeNamed(node)!, cycle)?.cluster ?? cluster;
      }, at.cluster),
    fits(run, pod, node, at) {
      const cycle = cycleOf(at);
      return runFilterWithNominated(run, pod, node, cycle, cycle.nominated) === undefined;
    },
    feasible(group, progress) {
      let status: GroupStatus = groupSuccess;
      for (const plugin of profile.placementFeasible) {
        const answer = plugin.placementFeasible!(group, progress);
        if (answer.code === 'Wait') status = answer;
        else if (answer.code !== 'Success') return answer;
      }
      return status;
    },
    postFilter(context) {
      const messages: string[] = [];
      let freed: ClusterModel | undefined;
      for (const plugin of profile.podGroupPostFilter) {
        const answer = plugin.podGroupPostFilter!(context);
        const { cluster = freed } = answer;
        if (answer.code === 'Error') {
          return { ...answer, message: `error in "${plugin.name}" PodGroupPostFilter plugins: ${answer.message}` };
        }
        if (answer.code !== 'Unschedulable') return { ...answer, ...(cluster && { cluster }) };
        if (answer.message) messages.push(answer.message);
        freed = cluster;
      }
      return { code: 'Unschedulable', message: messages.join(', '), ...NO_VICTIMS, ...(freed && { cluster: freed }) };
    },
  };
}
