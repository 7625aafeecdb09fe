import type { StringMap } from '../../kube/types';

/** The labels of a node that its Pods get. Upstream: podtopologylabels.defaultConfig. */
const COPIED = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'] as const;

/** All that Pods get of a node's labels. */
export const topologySign = (ofNode: StringMap): string => COPIED.map(it => `${ofNode[it]}`).join('\n');

/** A Pod's labels once it has its node; the very same where the node adds none. Upstream: podtopologylabels.admitBinding. */
export function withTopologyLabels(labels: StringMap, ofNode: StringMap | undefined): StringMap {
  const copied = COPIED.filter(it => ofNode?.[it] !== undefined && ofNode[it] !== labels[it]);
  if (copied.length === 0) return labels;
  return { ...labels, ...Object.fromEntries(copied.map(it => [it, ofNode![it]!])) };
}
