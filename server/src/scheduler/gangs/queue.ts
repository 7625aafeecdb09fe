import { eachInSteps, type Steps } from '../../base/steps';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import type { PodGroupModel, PodGroups, Profile, QueueView } from '../framework/interface';
import { isRefusal } from '../framework/status';
import type { Attempt, Rejection } from '../result';
import { batchGroupIdOf } from './batch';
import { groupIdOf } from './podGroup';

/** All groups of a scenario, by the kind of scheduler that handles them. */
export interface Gangs {
  /** PodGroups of scheduling.k8s.io; absent: the gate GenericWorkload is off. */
  readonly native?: PodGroups;
  readonly batch: PodGroups;
}

/** An item of the scheduling queue: a Pod, or a group with all its Pods. Upstream: QueuedEntityInfo. */
export interface Entity {
  readonly priority: number;
  readonly pods: readonly PodModel[];
  /** Absent: a single Pod without a group. */
  readonly group?: PodGroupModel;
}

/** In the order of arrival; a group arrives with its first Pod. */
export function entitiesOf(pods: readonly PodModel[], { native, batch }: Gangs): Entity[] {
  const members = new Map<string, PodModel[]>();
  const entities: Entity[] = [];
  for (const pod of pods) {
    const group = batch.get(batchGroupIdOf(pod) ?? '') ?? native?.get(groupIdOf(pod) ?? '');
    if (!group) {
      entities.push({ priority: pod.priority, pods: [pod] });
      continue;
    }
    const found = members.get(group.id);
    if (found) {
      found.push(pod);
      continue;
    }
    const list = [pod];
    members.set(group.id, list);
    entities.push({ priority: group.priority, pods: list, group });
  }
  // Upstream: PodGroupMemberPodsOrderingFunc.
  for (const list of members.values()) list.sort((a, b) => b.priority - a.priority);
  return entities;
}

/**
 * Pods that are never tried, by Pod id and in the order of the file. One Pod that PreEnqueue holds keeps its whole
 * group out of the queue. Upstream: runPreEnqueuePlugins.
 */
export function* podsNotQueued(
  { cluster, pending }: Scenario,
  profiles: ReadonlyMap<string, Profile>,
  { native: groups, batch }: Gangs,
): Steps<ReadonlyMap<string, Attempt>> {
  const queue: QueueView = { cluster, pods: [...cluster.running, ...pending], groups: groups ?? new Map() };
  const idOf = (pod: PodModel): string | undefined => (groups ? groupIdOf(pod) : undefined);
  const arrivals = new Map<string, number>();
  for (const [i, pod] of pending.entries()) {
    if (profiles.has(pod.schedulerName)) arrivals.set(idOf(pod) ?? '', cluster.running.length + i + 1);
  }
  // A group is checked again when another of its Pods arrives, and sees the Pods that had arrived by then.
  const queueOf = (id: string | undefined): QueueView =>
    id === undefined ? queue : { ...queue, pods: queue.pods.slice(0, arrivals.get(id)) };
  const reasonsHeld = new Map<string, Attempt | undefined>();
  yield* eachInSteps(pending, it => {
    reasonsHeld.set(it.id, withoutBatchGroup(it, batch) ?? whyNotQueued(it, profiles, queueOf(idOf(it))));
  });
  const heldGroups = new Set(
    pending.flatMap(it => (reasonsHeld.get(it.id)?.status === 'gated' ? (idOf(it) ?? []) : [])),
  );
  const res = new Map<string, Attempt>();
  for (const pod of pending) {
    const group = idOf(pod);
    const own = reasonsHeld.get(pod.id);
    const isHeld = own !== undefined || (group !== undefined && (heldGroups.has(group) || !groups?.has(group)));
    if (!isHeld) continue;
    const attempt = own ?? { pod: pod.id, attempt: 1, priority: pod.priority, status: 'gated' as const };
    res.set(pod.id, group === undefined ? attempt : { ...attempt, group });
  }
  return res;
}

/** Volcano and kube-batch never evaluate a Pod whose PodGroup does not exist. */
function withoutBatchGroup(pod: PodModel, batch: PodGroups): Attempt | undefined {
  const id = batchGroupIdOf(pod);
  if (id === undefined || batch.has(id)) return undefined;
  const reasons = [`waiting for the PodGroup ${id}, which is not there`];
  const rejection: Rejection = { plugin: 'gang', point: 'PreEnqueue', code: 'UnschedulableAndUnresolvable', reasons };
  return { pod: pod.id, attempt: 1, priority: pod.priority, status: 'gated', preFilterRejection: rejection };
}

/** Pods of an unknown profile, Pods that PreEnqueue holds, and Pods that are being deleted are never tried. */
function whyNotQueued(pod: PodModel, profiles: ReadonlyMap<string, Profile>, queue: QueueView): Attempt | undefined {
  const base = { pod: pod.id, attempt: 1, priority: pod.priority };
  const profile = profiles.get(pod.schedulerName);
  if (!profile) return { ...base, status: 'ignored', message: 'no profile has this schedulerName' };
  for (const plugin of profile.preEnqueue) {
    const status = plugin.preEnqueue!(pod, queue);
    if (!isRefusal(status)) continue;
    const rejection: Rejection = {
      plugin: plugin.name,
      point: 'PreEnqueue',
      code: status.code,
      reasons: status.reasons,
    };
    return { ...base, status: 'gated', preFilterRejection: rejection };
  }
  // Upstream: skipPodSchedule.
  return pod.terminating ? { ...base, status: 'ignored', message: `skip schedule deleting pod: ${pod.id}` } : undefined;
}
