import { itemsOf, prefixList } from '../../base/prefixList';
import type { PodModel } from '../../cluster/pods/podModel';
import { podSchedulerFor } from '../../scheduler/cycle/scheduleAll';
import type { PodGroupModel } from '../../scheduler/framework/interface';
import { withPod } from '../../scheduler/framework/nodeInfo';
import { historyFrom, placedPod, type SchedulingState } from '../../scheduler/framework/schedulingState';
import type { SharedWork } from '../../scheduler/framework/sharedWork';
import { isRefusal } from '../../scheduler/framework/status';
import { batchGroupIdOf } from '../../scheduler/gangs/batch';
import { scheduleGroupEntity } from '../../scheduler/gangs/groupAttempt';
import { groupIdOf } from '../../scheduler/gangs/podGroup';
import { arrivedPods, withoutVictims } from './attempt';
import type { OrdersProblem } from './problem';
import type { OrdersState } from './state';

/** The group that a Pod is scheduled with as a whole; undefined: it is scheduled alone. */
export function wholeGroupOf(pod: PodModel, { gangs }: OrdersProblem): PodGroupModel | undefined {
  return gangs.batch.get(batchGroupIdOf(pod) ?? '') ?? gangs.native?.get(groupIdOf(pod) ?? '');
}

/**
 * The state after one cycle of a group with all its waiting Pods; the same one where PreEnqueue holds the group or no Pod of it
 * finds a node. Pods that its preemption evicts are deleted, and the group is tried again at once. Ties are broken in one
 * way.
 */
export function attemptGroup(
  group: PodGroupModel,
  state: OrdersState,
  problem: OrdersProblem,
  work: SharedWork,
): OrdersState {
  const { pods, profiles, gangs, scenario } = problem;
  const members = state.waiting.filter(it => group.has(pods[it]!.model) && !pods[it]!.isHeld);
  const models = members.map(it => pods[it]!.model).sort((a, b) => b.priority - a.priority);
  const profile = profiles.get(models[0]?.schedulerName ?? '');
  if (profile === undefined) return state;
  const queue = { cluster: state.cluster, pods: arrivedPods(state, problem), groups: gangs.native ?? new Map() };
  const isHeld = (pod: PodModel): boolean => profile.preEnqueue.some(it => isRefusal(it.preEnqueue!(pod, queue)));
  if (models.some(isHeld)) return state;
  const before: SchedulingState = {
    ...{ cluster: state.cluster, nodes: state.nodes, history: historyFrom(state.nodes), work, start: 0 },
    ...{ nominated: new Map(), attempts: prefixList([]), groups: [], evicted: [], waiting: [] },
  };
  const scheduler = podSchedulerFor(profile, before, models, undefined);
  const entity = { priority: group.priority, pods: models, group };
  const [first, again] = scheduleGroupEntity(entity, before, scheduler, scenario.options);
  const [after] = again ? scheduleGroupEntity(again, first, scheduler, scenario.options) : [first];
  const left = after.evicted.length > 0 ? withoutVictims(state, new Set(after.evicted), problem) : state;
  const nodeOf = new Map(itemsOf(after.attempts).map(it => [it.pod, it.status === 'scheduled' ? it.node : undefined]));
  const placed = members.flatMap(pod => {
    const node = left.nodes.find(it => it.name === nodeOf.get(pods[pod]!.model.id));
    return node ? [{ pod, node: node.index }] : [];
  });
  if (placed.length === 0 && left === state && after.cluster === state.cluster) return state;
  return withGroupPlaced(left, placed, after.cluster, problem);
}

/** The Pods of a group are bound together, so they start together. */
function withGroupPlaced(
  state: OrdersState,
  placed: OrdersState['placed'],
  cluster: OrdersState['cluster'],
  { pods, scenario }: OrdersProblem,
): OrdersState {
  const placings = state.placings + 1;
  const nodes = [...state.nodes];
  for (const { pod, node } of placed) {
    const now = placedPod(pods[pod]!.model, nodes[node]!, placings, scenario.options);
    nodes[node] = withPod(nodes[node]!, now);
  }
  const gone = new Set(placed.map(it => it.pod));
  const sign = placed.map(it => `${it.pod}@${it.node}`).join();
  return {
    ...state,
    cluster,
    nodes,
    placed: [...state.placed, ...placed],
    placings,
    waiting: state.waiting.filter(it => !gone.has(it)),
    taken: cluster === state.cluster ? state.taken : `${state.taken}${sign};`,
  };
}
