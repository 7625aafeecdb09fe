import { t } from '../../../base/l10n';
import { isTolerated } from '../../../cluster/pods/tolerations';
import type { Taint, Toleration } from '../../../kube/types';
import { type ChangeCandidate, MAX_ALTERNATIVES, type Propose, type Situation, specEdit } from '../candidate';

/** Taints of unhealthy nodes; tolerating them is rarely intended. */
const UNHEALTHY_NODE = /^node\.kubernetes\.io\//;
const CONTROL_PLANE = /^node-role\.kubernetes\.io\//;

export const taintInWords = ({ key = '', value, effect = '' }: Taint): string =>
  `${key}${value ? `=${value}` : ''}:${effect}`;

/** A toleration for each distinct taint that rejects the Pod, most frequent first. */
export const tolerateTaints: Propose = (situation, { nodes }) => {
  const tolerations = situation.pod.spec.tolerations ?? [];
  const found = new Map<string, { readonly taint: Taint; count: number }>();
  for (const { node } of nodes) {
    for (const taint of node.taints) {
      if (taint.effect === 'PreferNoSchedule' || isTolerated(taint, tolerations, 'off')) continue;
      const words = taintInWords(taint);
      const entry = found.get(words) ?? { taint, count: 0 };
      entry.count += 1;
      found.set(words, entry);
    }
  }
  return [...found.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ALTERNATIVES)
    .map(({ taint }) => toleration(situation, taint, 'TaintToleration'));
};

/** A cordoned node accepts Pods that tolerate its taint. */
export const tolerateCordon: Propose = situation => [
  toleration(situation, { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }, 'NodeUnschedulable'),
];

function toleration({ holder }: Situation, taint: Taint, plugin: string): ChangeCandidate {
  const { key, value, effect } = taint;
  const wanted: Toleration = {
    ...(key !== undefined && { key }),
    operator: value ? 'Equal' : 'Exists',
    ...(value && { value }),
    ...(effect !== undefined && { effect }),
  };
  return {
    kind: 'tolerateTaint',
    plugin,
    words: t`tolerate the taint ${taintInWords(taint)}`,
    edits: [specEdit(holder, ['tolerations'], 'append', wanted)],
    cost: UNHEALTHY_NODE.test(key ?? '') ? 8 : CONTROL_PLANE.test(key ?? '') ? 5 : 2,
    verifiedBy: 'filters',
  };
}
