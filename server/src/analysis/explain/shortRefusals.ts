import { t } from '../../base/l10n';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { isTolerated } from '../../cluster/pods/tolerations';
import type { StringMap } from '../../kube/types';
import { amountIn } from '../../scheduler/framework/allocation';
import type { NodeInfo } from '../../scheduler/framework/nodeInfo';
import type { NodeVerdict } from '../../scheduler/result';
import { taintInWords } from '../../scheduler/whatIf/propose/taints';
import { refusalInWords } from './refusals';

/** The nodes with the Pods that are there when a Pod is tried. */
export interface TriedNodes {
  readonly pod: PodModel;
  readonly nodes: readonly NodeInfo[];
  /** The Pods nominated to a node then. */
  readonly nominated: (node: string) => readonly PodModel[];
  readonly namespaces: ReadonlyMap<string, StringMap>;
}

type Rejected = Extract<NodeVerdict, { readonly verdict: 'rejected' }>;

interface OneNode extends TriedNodes {
  readonly node: NodeInfo;
  /** Upstream's words. */
  readonly reason: string;
}

/** Why a node does not take a Pod, in a few words: "needs 3 CPU, 1.89 free". */
export function refusalInShort({ plugin, reasons }: Rejected, node: NodeInfo, tried: TriedNodes): string {
  const words = reasons.map(reason => {
    const one = { ...tried, node, reason };
    return (Object.hasOwn(SHORT, plugin) ? SHORT[plugin]?.(one) : undefined) ?? inWords(plugin, one);
  });
  return [...new Set(words)].join('; ');
}

const inWords = (plugin: string, { pod, node, reason, nodes: all, namespaces, nominated }: OneNode): string =>
  refusalInWords(plugin, { pod, nodes: [node], reason, all, namespaces, nominated });

/** By plugin; undefined: there is nothing shorter than the sentence. */
const SHORT: Readonly<Record<string, (refused: OneNode) => string | undefined>> = {
  NodeName: () => t('not the node that the Pod names'),
  NodeUnschedulable: () => t('cordoned'),
  TaintToleration: ({ pod, node }) => untolerated(pod, node),
  NodeAffinity: ({ pod, node }) => unmatchedLabels(pod, node),
  NodePorts: ({ pod, node }) => takenPorts(pod, node),
  NodeResourcesFit: shortage,
  InterPodAffinity: keptApart,
};

function untolerated({ spec }: PodModel, { node }: NodeInfo): string | undefined {
  const tolerations = spec.tolerations ?? [];
  const [first] = node.taints.filter(it => it.effect !== 'PreferNoSchedule' && !isTolerated(it, tolerations, 'off'));
  return first && t`taint ${taintInWords(first)} not tolerated`;
}

/** Labels of a nodeSelector alone; the terms of a node affinity are told in the sentence. */
function unmatchedLabels({ spec }: PodModel, { node }: NodeInfo): string | undefined {
  const wanted = Object.entries(spec.nodeSelector ?? {}).filter(([key, value]) => node.labels[key] !== value);
  const [first] = wanted;
  if (first === undefined) return undefined;
  const [key, value] = first;
  const found = node.labels[key];
  return found === undefined ? t`no label ${key}=${value}` : t`label ${key}=${found}, needs ${value}`;
}

function takenPorts({ hostPorts }: PodModel, { usedPorts }: NodeInfo): string | undefined {
  const taken = hostPorts.find(({ port, protocol }) =>
    usedPorts.some(it => it.port === port && it.protocol === protocol),
  );
  return taken && t`host port ${taken.port} is taken`;
}

/** Room that is kept for nominated Pods is not free. Upstream: addGENominatedPods. */
function shortage({ pod, node, reason, nominated }: OneNode): string {
  const kept = nominated(node.name).filter(it => it.priority >= pod.priority && it.id !== pod.id);
  if (reason === 'Too many pods') return t`${node.pods.length + kept.length} of ${node.node.maxPods} Pods run there`;
  const resource = reason.replace(/^Insufficient /, '');
  const whole = amountIn(node.node.allocatable, resource);
  const asked = amountIn(pod.requests, resource);
  if (whole === 0) return t`has no ${nameOf(resource)}`;
  const ofKept = kept.reduce((sum, it) => sum + amountIn(it.requests, resource), 0);
  const free = Math.max(0, whole - amountIn(node.requested, resource) - ofKept);
  return t`needs ${amountOf(resource, asked, Math.ceil)} ${nameOf(resource)}, ${amountOf(resource, free, Math.floor)} free`;
}

const nameOf = (resource: string): string => (resource === 'cpu' ? 'CPU' : resource);

const UNITS = ['Ti', 'Gi', 'Mi', 'Ki'] as const;

/** Cores, or bytes in their largest unit, with at most two decimals; else the number itself. */
export function amountOf(resource: string, amount: number, round: (value: number) => number): string {
  const hundredths = (value: number): string => String(round(Number((value * 100).toFixed(6))) / 100);
  if (resource === 'cpu') return amount < 10 && amount > 0 ? `${amount / 1000}` : hundredths(amount / 1000);
  const isInBytes = resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
  if (!isInBytes) return String(amount);
  const at = UNITS.findIndex((_, i) => amount >= 1024 ** (4 - i));
  return at < 0 ? String(amount) : `${hundredths(amount / 1024 ** (4 - at))} ${UNITS[at]}B`;
}

/** The first Pod of the node's domain that keeps the Pod away, or is kept away from by it. */
function keptApart({ pod, node, nodes, reason, namespaces }: OneNode): string | undefined {
  const sharesDomain = (other: NodeInfo, key: string): boolean =>
    node.node.labels[key] !== undefined && other.node.labels[key] === node.node.labels[key];
  const near = nodes.flatMap(it => it.pods.map(other => ({ at: it, other })));
  if (reason === "node(s) didn't match pod anti-affinity rules") {
    const found = near.find(({ at, other }) =>
      pod.terms.requiredAnti.some(it => sharesDomain(at, it.topologyKey) && termMatches(it, other, namespaces)),
    );
    return found && t`must be apart from ${found.other.name}`;
  }
  if (reason === "node(s) didn't satisfy existing pods anti-affinity rules") {
    const found = near.find(({ at, other }) =>
      other.terms.requiredAnti.some(it => sharesDomain(at, it.topologyKey) && termMatches(it, pod, namespaces)),
    );
    return found && t`${found.other.name} must be apart from it`;
  }
  return reason === "node(s) didn't match pod affinity rules" ? t('no Pod there that it must be near') : undefined;
}
