import { isTolerated } from '../../../cluster/tolerations';
import { definePlugin, success, unresolvable } from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';
import { signTolerations } from '../../framework/signatures';

const CORDON = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;

/** Upstream: pkg/scheduler/framework/plugins/nodeunschedulable. */
export const nodeUnschedulable: PluginFactory = ({ gates }) => {
  const comparison = gates.taintTolerationComparisonOperators ? 'on' : 'off';
  return definePlugin({
    name: 'NodeUnschedulable',
    shares: { looksAt: 'node', sign: signTolerations },
    filter(_, pod, { node }) {
      if (!node.unschedulable || isTolerated(CORDON, pod.spec.tolerations ?? [], comparison)) return success;
      return unresolvable('node(s) were unschedulable');
    },
  });
};
