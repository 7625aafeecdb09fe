import type { PodModel } from '../../cluster/model';
import type { Resources } from '../../cluster/resources';

/** The parts of a Pod that several plugins look at, as texts. Upstream: the SignPlugin extension point's fragments. */

export function signTolerations({ spec }: PodModel): string {
  return JSON.stringify(spec.tolerations ?? []);
}

export function signNodeAffinity({ spec }: PodModel): string {
  return JSON.stringify([spec.nodeSelector, spec.affinity?.nodeAffinity]);
}

export function signRequests({ requests, nonZeroOfContainers }: PodModel): string {
  return `${signResources(requests)};${signResources(nonZeroOfContainers)}`;
}

function signResources({ milliCpu, memory, ephemeralStorage, scalar }: Resources): string {
  const basic = `${milliCpu},${memory},${ephemeralStorage}`;
  return scalar.size === 0 ? basic : `${basic},${JSON.stringify([...scalar])}`;
}

/** Whom label selectors see. */
export function signLabels({ namespace, labels }: PodModel): string {
  return JSON.stringify([namespace, labels]);
}

/** A test that looks at nothing but a Pod's namespace and labels, asked once for all Pods that are alike in these. */
export function onceForLabels(test: (pod: PodModel) => boolean): (pod: PodModel) => boolean {
  const known = new Map<PodModel['labels'], boolean>();
  return pod => {
    let answer = known.get(pod.labels);
    if (answer === undefined) {
      answer = test(pod);
      known.set(pod.labels, answer);
    }
    return answer;
  };
}
