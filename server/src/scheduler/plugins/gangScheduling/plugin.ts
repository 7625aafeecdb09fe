import type { PodGroupModel } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { success, unresolvable } from '../../framework/status';
import { groupSuccess } from '../../gangs/groupStatus';
import { groupIdOf } from '../../gangs/podGroup';

/**
 * Upstream: pkg/scheduler/framework/plugins/gangscheduling. A gang waits outside the queue until enough of its Pods
 * exist, and its cycle succeeds once enough of them have a node. Its Permit has no effect in a run without time: the
 * Pods of a successful cycle are bound together.
 */
export const gangScheduling = () =>
  definePlugin({
    name: 'GangScheduling',
    preEnqueue(pod, { groups, pods }) {
      const id = groupIdOf(pod);
      if (id === undefined) return success;
      const group = groups.get(id);
      if (!group) {
        return unresolvable(
          `waiting for pods's pod group "${pod.spec.schedulingGroup?.podGroupName}" to appear in scheduling queue`,
        );
      }
      const members = pods.filter(it => groupIdOf(it) === id).length;
      if (members >= (group.minCount ?? 0)) return success;
      return unresolvable('waiting for minCount pods from a gang to appear in scheduling queue');
    },
    placementFeasible(group, { scheduled, remaining }) {
      const minCount = minCountOf(group);
      const progress = `${scheduled} scheduled, ${remaining} remaining`;
      if (remaining + scheduled < minCount) {
        return { code: 'Unschedulable', reasons: [`minCount (${minCount}) cannot be satisfied: ${progress}`] };
      }
      if (scheduled < minCount) {
        return { code: 'Wait', reasons: [`minCount (${minCount}) is not yet satisfied: ${progress}`] };
      }
      return groupSuccess;
    },
  });

function minCountOf({ minCount }: PodGroupModel): number {
  return minCount ?? 1;
}
