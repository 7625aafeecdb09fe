import { isTolerated } from '../../../cluster/pods/tolerations';
import type { Toleration } from '../../../kube/types';
import type { PluginFactory } from '../../framework/interface';
import { defaultNormalize } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { signTolerations } from '../../framework/signatures';
import { success, unresolvable } from '../../framework/status';

interface ScoreState {
  readonly soft: readonly Toleration[];
}

/** Upstream: pkg/scheduler/framework/plugins/tainttoleration. */
export const taintToleration: PluginFactory = ({ gates }) => {
  const comparison = gates.taintTolerationComparisonOperators ? 'on' : 'off';
  return definePlugin<undefined, ScoreState>({
    name: 'TaintToleration',
    shares: { dependsOn: 'node', sign: signTolerations },

    filter(_, pod, { node }) {
      if (node.taints.length === 0) return success;
      const tolerations = pod.spec.tolerations ?? [];
      const refused = node.taints.some(
        it => (it.effect === 'NoSchedule' || it.effect === 'NoExecute') && !isTolerated(it, tolerations, comparison),
      );
      return refused ? unresolvable('node(s) had untolerated taint(s)') : success;
    },

    // An empty effect tolerates every effect, including PreferNoSchedule.
    preScore: pod => ({
      status: success,
      state: { soft: (pod.spec.tolerations ?? []).filter(it => !it.effect || it.effect === 'PreferNoSchedule') },
    }),

    score: ({ soft }, _pod, { node }) =>
      node.taints.filter(it => it.effect === 'PreferNoSchedule' && !isTolerated(it, soft, comparison)).length,

    normalizeScore: scores => defaultNormalize(scores, 'highIsBad'),
  });
};
