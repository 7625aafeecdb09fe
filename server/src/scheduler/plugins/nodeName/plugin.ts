import { definePlugin } from '../../framework/plugin';
import { success, unresolvable } from '../../framework/status';

/** Upstream: pkg/scheduler/framework/plugins/nodename. */
export const nodeName = () =>
  definePlugin({
    name: 'NodeName',
    shares: { dependsOn: 'node', sign: pod => pod.spec.nodeName ?? '' },
    filter(_, pod, node) {
      const wanted = pod.spec.nodeName;
      return !wanted || wanted === node.name ? success : unresolvable("node(s) didn't match the requested node name");
    },
  });
