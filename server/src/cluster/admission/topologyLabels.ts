import type { StringMap } from '../../kube/types';

/** The node labels that are copied to Pods. Upstream: podtopologylabels.defaultConfig. */
const COPIED = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

/** The copied labels of a node, as text. */
export const topologySign = (ofNode: StringMap): string => COPIED.map(it => `${ofNode[it]}`).join('\n');

/** A Pod's labels on its node; the same object where the node adds none. Upstream: podtopologylabels.admitBinding. */
export function withTopologyLabels(labels: StringMap, ofNode: StringMap | undefined): StringMap {
  const copied = COPIED.filter(it => ofNode?.[it] !== undefined && ofNode[it] !== labels[it]);
  if (copied.length === 0) return labels;
  return { ...labels, ...Object.fromEntries(copied.map(it => [it, ofNode![it]!])) };
}
