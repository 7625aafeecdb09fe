import type { Scenario } from '../../cluster/fromObjects';
import type { PodModel } from '../../cluster/model';
import { isRefusal, type QueueView } from '../framework/plugin';
import type { Profile } from '../framework/profile';
import type { Attempt, Rejection } from '../result';
import { groupIdOf, type PodGroupModel, type PodGroups } from './podGroup';

/** What the queue gives out: a Pod, or a group with all its Pods. Upstream: QueuedEntityInfo. */
export interface Entity {
  readonly priority: number;
  readonly pods: readonly PodModel[];
  /** Absent: one Pod of no group. */
  readonly group?: PodGroupModel;
}

/** In the order in which each came into the queue; a group came with its first Pod. */
export function entitiesOf(pods: readonly PodModel[], groups: PodGroups): Entity[] {
  const members = new Map<string, PodModel[]>();
  const entities: Entity[] = [];
  for (const pod of pods) {
    const group = groups.get(groupIdOf(pod) ?? '');
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
 * By Pod id, in the order of the file: Pods that are never tried. One Pod that PreEnqueue holds keeps its whole group
 * out of the queue. Upstream: runPreEnqueuePlugins.
 *
 * @param groups absent: the gate GenericWorkload is off, and no Pod belongs to a group
 */
export function heldPods(
  { cluster, pending }: Scenario,
  profiles: ReadonlyMap<string, Profile>,
  groups: PodGroups | undefined,
): ReadonlyMap<string, Attempt> {
  const queue: QueueView = { cluster, pods: [...cluster.running, ...pending], groups: groups ?? new Map() };
  const idOf = (pod: PodModel): string | undefined => (groups ? groupIdOf(pod) : undefined);
  const arrivals = new Map<string, number>();
  for (const [i, pod] of pending.entries()) {
    if (profiles.has(pod.schedulerName)) arrivals.set(idOf(pod) ?? '', cluster.running.length + i + 1);
  }
  // A group is asked again when a Pod of its own comes into the queue, and knows the Pods that were there by then.
  const queueOf = (id: string | undefined): QueueView =>
    id === undefined ? queue : { ...queue, pods: queue.pods.slice(0, arrivals.get(id)) };
  const holds = new Map(pending.map(it => [it.id, whyHeld(it, profiles, queueOf(idOf(it)))]));
  const heldGroups = new Set(pending.flatMap(it => (holds.get(it.id)?.status === 'gated' ? (idOf(it) ?? []) : [])));
  const res = new Map<string, Attempt>();
  for (const pod of pending) {
    const group = idOf(pod);
    const own = holds.get(pod.id);
    const isHeld = own !== undefined || (group !== undefined && (heldGroups.has(group) || !groups?.has(group)));
    if (!isHeld) continue;
    const hold = own ?? { pod: pod.id, attempt: 1, priority: pod.priority, status: 'gated' as const };
    res.set(pod.id, group === undefined ? hold : { ...hold, group });
  }
  return res;
}

/** A Pod of an unknown profile, or one that PreEnqueue holds, is never tried. */
function whyHeld(pod: PodModel, profiles: ReadonlyMap<string, Profile>, queue: QueueView): Attempt | undefined {
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
  return undefined;
}
