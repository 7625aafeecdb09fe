import type { UnknownObject } from '../../base/json';
import { grouped } from '../../base/multiMap';
import { jsonText } from '../../base/printed';
import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';

const HOSTNAME = 'kubernetes.io/hostname';

/** Nodes that nothing tells apart. */
export interface EqualNodes {
  /** Indexes of nodes, in lists of two or more. */
  readonly lists: readonly (readonly number[])[];
  /** By index of the node: the number of its list; absent: no node is its equal. */
  readonly listOf: ReadonlyMap<number, number>;
}

export const NO_EQUAL_NODES: EqualNodes = { lists: [], listOf: new Map() };

/**
 * Equal for contents that differ in the names of equal nodes alone. `contents`: by index of the node; nodes of which there is
 * nothing to tell are absent, so that thousands of empty nodes cost nothing.
 */
export function signOfContents(contents: Iterable<readonly [number, string]>, { listOf }: EqualNodes): string {
  const texts: string[] = [];
  for (const [node, text] of contents) {
    const list = listOf.get(node);
    texts.push(list === undefined ? `${node}=${text}` : `~${list}=${text}`);
  }
  return texts.sort().join('/');
}

/**
 * Nodes that differ in their names and host names alone: exchanging two of them changes no decision. `highest`: the highest
 * priority of a Pod that may preempt.
 */
export function equalNodes(scenario: Scenario, highest: number): EqualNodes {
  const { cluster, pending } = scenario;
  if (takesMoreThanNodes(scenario)) return NO_EQUAL_NODES;
  const running = grouped(cluster.running, it => it.nodeName ?? '');
  const named = textsIn([
    ...[...cluster.running, ...pending].map(({ spec: { nodeName: _, ...spec }, source: { metadata, status } }) => ({
      spec,
      metadata,
      status,
    })),
    ...[...cluster.objects].flatMap(([kind, it]) => (kind === 'Node' || kind === 'Pod' ? [] : it)),
  ]);
  const hosts = grouped(cluster.nodes, it => it.labels[HOSTNAME]);
  const signOf = (node: NodeModel): string => {
    const host = node.labels[HOSTNAME];
    const isOwn = host !== undefined && hosts.get(host)?.length === 1;
    const pods = running.get(node.name) ?? [];
    const isNamed = named.has(node.name) || (isOwn && named.has(host));
    // The start times of Pods that can be evicted tell nodes apart.
    if (isNamed || pods.some(it => it.priority < highest)) return node.name;
    return jsonText([nodeSign(node, isOwn), pods.map(podSign).sort()]);
  };
  const signs = grouped(cluster.nodes.keys(), i => signOf(cluster.nodes[i]!));
  const lists = [...signs.values()].filter(it => it.length > 1);
  return { lists, listOf: new Map(lists.flatMap((list, number) => list.map(it => [it, number]))) };
}

/** Claims and devices are on certain nodes, so that nodes differ in more than what is compared here. */
function takesMoreThanNodes({ cluster, pending }: Scenario): boolean {
  const hasClaims = ({ spec }: PodModel): boolean =>
    spec.resourceClaims !== undefined ||
    spec.volumes?.some(it => it.persistentVolumeClaim !== undefined || it.ephemeral !== undefined) === true;
  return pending.some(hasClaims) || cluster.objects.has('ResourceSlice') || cluster.objects.has('CSINode');
}

function nodeSign(node: NodeModel, isHostnameOwn: boolean): readonly unknown[] {
  const { name: _, source: __, labels, images, declaredFeatures, allocatable, ...rest } = node;
  const { [HOSTNAME]: host, ...others } = labels;
  const amounts = { ...allocatable, scalar: [...allocatable.scalar].sort() };
  return [
    rest,
    Object.entries(others).sort(),
    isHostnameOwn ? '' : host,
    [...images].sort(),
    [...declaredFeatures].sort(),
    amounts,
    { ...node.source.spec, podCIDR: '', podCIDRs: '', providerID: '' },
  ];
}

function podSign({ spec: { nodeName: _, ...spec }, namespace, labels, priority, terminating }: PodModel): string {
  return jsonText([spec, namespace, labels, priority, terminating]);
}

/** All texts that are values somewhere in these objects. */
function textsIn(values: readonly unknown[]): ReadonlySet<string> {
  const found = new Set<string>();
  const seen = new Set<object>();
  const left: unknown[] = [...values];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') found.add(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    for (const each of Object.values(value as UnknownObject)) left.push(each);
  }
  return found;
}
