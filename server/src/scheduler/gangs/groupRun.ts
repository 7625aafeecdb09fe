import type { PodModel } from '../../cluster/model';
import { assumed, type Bench, type GroupRun, type GroupSnapshot, type GroupStatus, type PodLook } from './bench';
import { membersOn, type PodGroupModel } from './podGroup';

/** Upstream: errPodGroupUnschedulable. */
export const GROUP_UNSCHEDULABLE = 'pod group is unschedulable';

/**
 * Looks at the Pods of a group one after another, each in the cluster where those before it have their nodes, until the
 * group's policy can no longer be met. Upstream: podGroupSchedulingDefaultAlgorithm.
 */
export function scheduleGroup(
  group: PodGroupModel,
  pods: readonly PodModel[],
  at: GroupSnapshot,
  bench: Bench,
): GroupRun {
  let scheduled = membersOn(at.nodes, group).length;
  let remaining = pods.length;
  const before = bench.feasible(group, { scheduled, remaining });
  const unschedulable = (reasons: readonly string[]): GroupStatus => ({
    code: 'Unschedulable',
    reasons: group.batch ? reasons : [GROUP_UNSCHEDULABLE, ...reasons],
  });
  if (before.code === 'Unschedulable') return { status: unschedulable(before.reasons), looks: [], after: at };
  let status: GroupStatus = before;
  let here = at;
  const looks: PodLook[] = [];
  for (const pod of pods) {
    const decision = bench.look(pod, here);
    const { node } = decision.attempt;
    const taken = node === undefined ? undefined : bench.reserve(pod, node, here);
    looks.push({ pod, decision, ...(taken && { taken }) });
    here = { ...here, start: (here.start + decision.looked) % Math.max(1, here.nodes.length) };
    if (node !== undefined) {
      here = assumed(here, pod, node, taken);
      scheduled += 1;
    }
    if (decision.attempt.status === 'error') {
      const fault = `failed to schedule other pod from a pod group: ${decision.attempt.message ?? ''}`;
      status = { code: 'Error', reasons: [fault] };
      break;
    }
    remaining -= 1;
    status = bench.feasible(group, { scheduled, remaining });
    if (status.code === 'Unschedulable') break;
  }
  if (status.code === 'Wait') status = unschedulable(status.reasons);
  if (status.code === 'Success' && !looks.some(isPlaced)) status = unschedulable([]);
  return { status, looks, after: status.code === 'Success' ? here : { ...at, start: here.start } };
}

export function isPlaced({ decision }: PodLook): boolean {
  return decision.attempt.node !== undefined;
}
