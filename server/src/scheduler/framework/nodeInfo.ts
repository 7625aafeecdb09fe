import { grouped } from '../../base/multiMap';
import { isSameList } from '../../base/sameValue';
import type { ClusterModel, NodeModel } from '../../cluster/clusterModel';
import type { HostPort, PodModel } from '../../cluster/pods/podModel';
import { minus, plus, type Resources } from '../../cluster/resources/resources';

/** A node, the Pods that count as running there, and their sums. Immutable. Upstream: framework.NodeInfo. */
export interface NodeInfo {
  readonly name: string;
  /** Its index among the nodes of the cluster. */
  readonly index: number;
  readonly node: NodeModel;
  readonly pods: readonly PodModel[];
  /** Those with an affinity or anti-affinity to other Pods. */
  readonly podsWithAffinity: readonly PodModel[];
  readonly requested: Resources;
  /** With defaults of 100 millicores and 200 MB for containers that request none; used for scores. */
  readonly nonZeroRequested: Resources;
  readonly usedPorts: readonly HostPort[];
}

export function nodeInfo(node: NodeModel, pods: readonly PodModel[], index: number): NodeInfo {
  const usedPorts = pods.flatMap(it => it.hostPorts);
  const requested = sum(pods.map(it => it.requests));
  return infoOf(
    node,
    index,
    pods,
    pods.filter(hasTerms),
    requested,
    sum(pods.map(it => it.nonZeroRequests)),
    usedPorts,
  );
}

/** The nodes of a cluster with their Pods; a node that is unchanged since `before` is the same object. */
export function nodeInfos(cluster: ClusterModel, before: readonly NodeInfo[] = []): readonly NodeInfo[] {
  const byNode = grouped(cluster.running, it => it.nodeName ?? '');
  return cluster.nodes.map((it, i) => {
    const pods = byNode.get(it.name) ?? [];
    const previous = before[i];
    return previous?.node === it && isSameList(previous.pods, pods) ? previous : nodeInfo(it, pods, i);
  });
}

const NOTHING: Resources = { milliCpu: 0, memory: 0, ephemeralStorage: 0, scalar: new Map() };

export function withPod(info: NodeInfo, pod: PodModel): NodeInfo {
  return infoOf(
    info.node,
    info.index,
    [...info.pods, pod],
    hasTerms(pod) ? [...info.podsWithAffinity, pod] : info.podsWithAffinity,
    plus(info.requested, pod.requests),
    plus(info.nonZeroRequested, pod.nonZeroRequests),
    pod.hostPorts.length > 0 ? [...info.usedPorts, ...pod.hostPorts] : info.usedPorts,
  );
}

/** The node without the given Pods. */
export function withoutPods(info: NodeInfo, gone: readonly PodModel[]): NodeInfo {
  const ids = new Set(gone.map(it => it.id));
  const left = nodeInfo(
    info.node,
    info.pods.filter(it => !ids.has(it.id)),
    info.index,
  );
  return { ...left, usedPorts: portsWithout(info.usedPorts, gone) };
}

/** Removing one of two Pods that hold a port frees the port. Upstream: HostPortInfo.Remove. */
function portsWithout(ports: readonly HostPort[], gone: readonly PodModel[]): readonly HostPort[] {
  const freed = gone.flatMap(it => it.hostPorts);
  if (freed.length === 0) return ports;
  return ports.filter(it => !freed.some(o => o.ip === it.ip && o.protocol === it.protocol && o.port === it.port));
}

export function withoutPod(info: NodeInfo, pod: PodModel): NodeInfo {
  const pods = info.pods.filter(it => it.id !== pod.id);
  if (pods.length === info.pods.length) return info;
  return infoOf(
    info.node,
    info.index,
    pods,
    hasTerms(pod) ? info.podsWithAffinity.filter(it => it.id !== pod.id) : info.podsWithAffinity,
    minus(info.requested, pod.requests),
    minus(info.nonZeroRequested, pod.nonZeroRequests),
    portsWithout(info.usedPorts, [pod]),
  );
}

/** The node with newer models of its Pods, which ask for the same. */
export const withModels = (info: NodeInfo, pods: readonly PodModel[]): NodeInfo =>
  infoOf(info.node, info.index, pods, pods.filter(hasTerms), info.requested, info.nonZeroRequested, info.usedPorts);

/** One object literal for all nodes, so that V8 gives them one hidden class. */
function infoOf(
  node: NodeModel,
  index: number,
  pods: readonly PodModel[],
  podsWithAffinity: readonly PodModel[],
  requested: Resources,
  nonZeroRequested: Resources,
  usedPorts: readonly HostPort[],
): NodeInfo {
  return { name: node.name, index, node, pods, podsWithAffinity, requested, nonZeroRequested, usedPorts };
}

/** Whether a Pod has an affinity or anti-affinity to others. */
export function hasTerms({ terms }: PodModel): boolean {
  return (
    terms.required.length > 0 ||
    terms.requiredAnti.length > 0 ||
    terms.preferred.length > 0 ||
    terms.preferredAnti.length > 0
  );
}

function sum(all: readonly Resources[]): Resources {
  return all.reduce(plus, NOTHING);
}

/** The nodes with one more Pod on one of them. */
export function withPlaced(nodes: readonly NodeInfo[], { index }: NodeInfo, placed: PodModel): readonly NodeInfo[] {
  return nodes.with(index, withPod(nodes[index]!, placed));
}

export function withoutNomination(pod: PodModel): PodModel {
  if (!('nominatedNodeName' in pod)) return pod;
  const { nominatedNodeName: _, ...rest } = pod;
  return rest;
}

export function withoutKey<T>(map: ReadonlyMap<string, T>, key: string): ReadonlyMap<string, T> {
  if (!map.has(key)) return map;
  const res = new Map(map);
  res.delete(key);
  return res;
}
