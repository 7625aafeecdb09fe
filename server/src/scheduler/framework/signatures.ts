import { jsonText } from '../../base/printed';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Resources } from '../../cluster/resources/resources';

/** Texts of the parts of a Pod that several plugins read. Upstream: the SignPlugin extension point's fragments. */

export function signTolerations({ spec }: PodModel): string {
  return jsonText(spec.tolerations ?? []);
}

export function signNodeAffinity({ spec }: PodModel): string {
  return jsonText([spec.nodeSelector, spec.affinity?.nodeAffinity]);
}

export function signRequests({ requests, nonZeroOfContainers }: PodModel): string {
  return `${signResources(requests)};${signResources(nonZeroOfContainers)}`;
}

function signResources({ milliCpu, memory, ephemeralStorage, scalar }: Resources): string {
  const basic = `${milliCpu},${memory},${ephemeralStorage}`;
  return scalar.size === 0 ? basic : `${basic},${JSON.stringify([...scalar])}`;
}

/** undefined for a Pod with volumes: what a node can provide depends on claims and on other Pods. */
export function signNoVolumes({ spec }: PodModel): string | undefined {
  return (spec.volumes ?? []).length === 0 ? '' : undefined;
}
