import { definePlugin } from '../../framework/plugin';
import { success, unresolvable } from '../../framework/status';

/** Upstream: pkg/scheduler/framework/plugins/schedulinggates. A Pod with gates never enters the queue. */
export const schedulingGates = () =>
  definePlugin({
    name: 'SchedulingGates',
    preEnqueue(pod) {
      const gates = (pod.spec.schedulingGates ?? []).map(it => it.name ?? '');
      return gates.length === 0 ? success : unresolvable(`waiting for scheduling gates: [${gates.join(' ')}]`);
    },
  });
