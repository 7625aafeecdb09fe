import { isTolerated } from '../../../cluster/pods/tolerations';
import type { PluginFactory } from '../../framework/interface';
import { definePlugin } from '../../framework/plugin';
import { signTolerations } from '../../framework/signatures';
import { success, unresolvable } from '../../framework/status';

const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** Upstream: pkg/scheduler/framework/plugins/nodeunschedulable. */
export const nodeUnschedulable: PluginFactory = ({ gates }) => {
  const comparison = gates.taintTolerationComparisonOperators ? 'on' : 'off';
  return definePlugin({
    name: 'NodeUnschedulable',
    shares: { dependsOn: 'node', sign: signTolerations },
    filter(_, pod, { node }) {
      if (!node.unschedulable || isTolerated(CORDON, pod.spec.tolerations ?? [], comparison)) return success;
      return unresolvable('node(s) were unschedulable');
    },
  });
};
