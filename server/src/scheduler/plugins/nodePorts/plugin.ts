import { jsonText } from '../../../base/printed';
import type { HostPort } from '../../../cluster/pods/podModel';
import { definePlugin } from '../../framework/plugin';
import { skip, success, unschedulable } from '../../framework/status';

/** Upstream: pkg/scheduler/framework/plugins/nodeports. */
export const nodePorts = () =>
  definePlugin({
    name: 'NodePorts',
    shares: { dependsOn: 'nodeAndPods', sign: pod => jsonText(pod.hostPorts) },
    preFilter: pod => ({ status: pod.hostPorts.length === 0 ? skip : success }),
    filter(_, pod, node) {
      const taken = pod.hostPorts.some(it => node.usedPorts.some(used => clashes(it, used)));
      return taken ? unschedulable("node(s) didn't have free ports for the requested pod ports") : success;
    },
  });

/** 0.0.0.0 means every address. */
function clashes(a: HostPort, b: HostPort): boolean {
  if (a.port !== b.port || a.protocol !== b.protocol) return false;
  return a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0';
}
