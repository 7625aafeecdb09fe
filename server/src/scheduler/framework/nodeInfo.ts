import type { HostPort, NodeModel, PodModel } from '../../cluster/model';
import { minus, plus, type Resources } from '../../cluster/resources';

/** A node with the Pods that count as running there and their sums. Immutable. Upstream: framework.NodeInfo. */
export interface NodeInfo {
  readonly name: string;
  readonly node: NodeModel;
  readonly pods: readonly PodModel[];
  readonly requested: Resources;
  /** With 100 millicores and 200 MB for containers that name none: what scores count. */
  readonly nonZeroRequested: Resources;
  readonly usedPorts: readonly HostPort[];
}

export function nodeInfo(node: NodeModel, pods: readonly PodModel[]): NodeInfo {
  const empty: NodeInfo = {
    name: node.name,
    node,
    pods: [],
    requested: NOTHING,
    nonZeroRequested: NOTHING,
    usedPorts: [],
  };
  return pods.reduce(withPod, empty);
}

const NOTHING: Resources = { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalar: new Map() };

export function withPod(info: NodeInfo, pod: PodModel): NodeInfo {
  return {
    ...info,
    pods: [...info.pods, pod],
    requested: plus(info.requested, pod.requests),
    nonZeroRequested: plus(info.nonZeroRequested, pod.nonZeroRequests),
    usedPorts: pod.hostPorts.length > 0 ? [...info.usedPorts, ...pod.hostPorts] : info.usedPorts,
  };
}

export function withoutPod(info: NodeInfo, pod: PodModel): NodeInfo {
  const pods = info.pods.filter(it => it.id !== pod.id);
  if (pods.length === info.pods.length) return info;
  return {
    ...info,
    pods,
    requested: minus(info.requested, pod.requests),
    nonZeroRequested: minus(info.nonZeroRequested, pod.nonZeroRequests),
    usedPorts: pod.hostPorts.length > 0 ? pods.flatMap(it => it.hostPorts) : info.usedPorts,
  };
}
