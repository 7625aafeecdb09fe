import { t } from '../../base/l10n';
import { termMatches } from '../../cluster/pods/affinityTerms';
import type { PodModel } from '../../cluster/pods/podModel';
import { isTolerated } from '../../cluster/pods/tolerations';
import type { StringMap, TopologySpreadConstraint } from '../../kube/types';
import { amountIn } from '../../scheduler/framework/allocation';
import type { NodeInfo } from '../../scheduler/framework/nodeInfo';
import { amountLike } from '../../scheduler/whatIf/amounts';
import { taintInWords } from '../../scheduler/whatIf/propose/taints';

/** Nodes that a plugin rejects for one reason, with the Pod as it was tried. */
export interface Refused {
  readonly pod: PodModel;
  readonly nodes: readonly NodeInfo[];
  /** Upstream's words. */
  readonly reason: string;
  /** All nodes, with the Pods that ran there then. */
  readonly all: readonly NodeInfo[];
  /** The Pods nominated to a node then. */
  readonly nominated: (node: string) => readonly PodModel[];
  readonly namespaces: ReadonlyMap<string, StringMap>;
}

/** What a plugin's refusal means, as the end of a sentence: "TaintToleration rejects n1: …". By plugin. */
const WORDS: Readonly<Record<string, (refused: Refused) => string>> = {
  NodeName: ({ pod }) => t`the Pod names the node ${pod.spec.nodeName ?? ''} itself`,
  NodeUnschedulable: () => t('no new Pods are let in there (cordoned, spec.unschedulable)'),
  TaintToleration: ({ pod, nodes }) => t`there are taints that the Pod does not tolerate: ${taintsOf(pod, nodes)}`,
  NodeAffinity: ({ pod }) => t`the labels there are not what the Pod asks for${askedOf(pod)}`,
  NodePorts: ({ pod }) =>
    t`another Pod there has the host port already (${[...new Set(pod.hostPorts.map(it => it.port))].join(', ')})`,
  NodeResourcesFit: shortage,
  PodTopologySpread: ({ pod, reason }) =>
    reason.includes('missing required label')
      ? t`a label that the Pod spreads over is missing (${spreadKeys(pod)})`
      : t`one more Pod there would be spread too unevenly over ${spreadKeys(pod)}`,
  InterPodAffinity: refused => `${POD_AFFINITY.get(refused.reason)?.() ?? refused.reason}${othersOf(refused)}`,
  VolumeBinding: ({ reason }) => VOLUMES.get(reason)?.() ?? reason,
  VolumeZone: () => t('a volume of the Pod is in another zone'),
  NodeVolumeLimits: () => t('as many volumes of this driver are attached there as may be'),
  VolumeRestrictions: () => t('a volume that only one Pod may use at a time is in use'),
  DynamicResources: () => t('the devices that the Pod claims are not there, or taken'),
  NodeDeclaredFeatures: () => t('the kubelet there does not declare a feature that the Pod needs'),
};

const POD_AFFINITY: ReadonlyMap<string, () => string> = new Map([
  ["node(s) didn't match pod affinity rules", () => t('none of the Pods that the Pod must be near is there')],
  ["node(s) didn't match pod anti-affinity rules", () => t('a Pod that the Pod must be apart from is there')],
  [
    "node(s) didn't satisfy existing pods anti-affinity rules",
    () => t('a Pod that runs there must be apart from Pods like this one'),
  ],
]);

/** The Pods that are meant, where it is not for want of one. */
function othersOf({ pod, reason, all, namespaces }: Refused): string {
  const running = all.flatMap(it => it.pods);
  const meant =
    reason === "node(s) didn't match pod anti-affinity rules"
      ? running.filter(other => pod.terms.requiredAnti.some(it => termMatches(it, other, namespaces)))
      : reason === "node(s) didn't satisfy existing pods anti-affinity rules"
        ? running.filter(other => other.terms.requiredAnti.some(it => termMatches(it, pod, namespaces)))
        : [];
  return meant.length === 0 ? '' : ` (${namesOf(meant)})`;
}

function namesOf(pods: readonly PodModel[]): string {
  const names = pods.slice(0, MOST_PODS).map(it => it.id);
  return `${names.join(', ')}${pods.length > names.length ? ', …' : ''}`;
}

const MOST_PODS = 3;

const VOLUMES: ReadonlyMap<string, () => string> = new Map([
  [
    "node(s) didn't find available persistent volumes to bind",
    () => t('there is no free PersistentVolume that fits the claim'),
  ],
  [
    "node(s) didn't match PersistentVolume's node affinity",
    () => t('the volume of a claim can only be used from other nodes'),
  ],
  ['node(s) did not have enough free storage', () => t('too little storage is free for a new volume')],
  [
    'pod has unbound immediate PersistentVolumeClaims',
    () => t('a claim has no volume yet, and its storage class binds before Pods are placed'),
  ],
]);

/** "there are taints that …"; upstream's own words where nothing better is known. */
export function refusalInWords(plugin: string, refused: Refused): string {
  const words = Object.hasOwn(WORDS, plugin) ? WORDS[plugin]?.(refused) : undefined;
  return words ?? refused.reason;
}

function taintsOf({ spec }: PodModel, nodes: readonly NodeInfo[]): string {
  const tolerations = spec.tolerations ?? [];
  const taints = nodes.flatMap(({ node }) =>
    node.taints.filter(it => it.effect !== 'PreferNoSchedule' && !isTolerated(it, tolerations, 'off')),
  );
  return [...new Set(taints.map(taintInWords))].join(', ');
}

function askedOf({ spec }: PodModel): string {
  const selected = Object.entries(spec.nodeSelector ?? {}).map(([key, value]) => `${key}=${value}`);
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (required?.nodeSelectorTerms ?? []).map(it =>
    [...(it.matchExpressions ?? []), ...(it.matchFields ?? [])]
      .map(({ key = '', operator = '', values = [] }) => `${key} ${operator} ${values.join(',')}`.trim())
      .join(t(' and ')),
  );
  const all = [...selected, ...(terms.length > 0 ? [terms.join(t(', or '))] : [])];
  return all.length === 0 ? '' : ` (${all.join('; ')})`;
}

/** Room that is kept for nominated Pods is not free. Upstream: addGENominatedPods. */
function shortage({ pod, nodes, reason, nominated }: Refused): string {
  const keptOn = (node: string): readonly PodModel[] =>
    nominated(node).filter(it => it.priority >= pod.priority && it.id !== pod.id);
  if (reason === 'Too many pods') {
    const kept = nodes.flatMap(it => keptOn(it.name));
    return kept.length === 0
      ? t('as many Pods run there as may be')
      : t`as many Pods as may be run there or are nominated to it (${namesOf(kept)})`;
  }
  const resource = reason.replace(/^Insufficient /, '');
  const keptAmount = (it: NodeInfo): number =>
    keptOn(it.name).reduce((sum, other) => sum + amountIn(other.requests, resource), 0);
  const free = (it: NodeInfo): number =>
    amountIn(it.node.allocatable, resource) - amountIn(it.requested, resource) - keptAmount(it);
  if (nodes.every(it => amountIn(it.node.allocatable, resource) === 0)) {
    return t`there is no ${resource}, and the Pod asks for ${amountIn(pod.requests, resource)}`;
  }
  const [best] = [...nodes].sort((a, b) => free(b) - free(a));
  const words = (amount: number): string => amountLike(resource, resource === 'cpu' ? 'm' : '', Math.max(0, amount));
  const asked = words(amountIn(pod.requests, resource));
  if (best === undefined) return t`too little ${resource}: the Pod asks for ${asked}`;
  const [left, whole, kept] = [words(free(best)), words(amountIn(best.node.allocatable, resource)), keptAmount(best)];
  const said =
    nodes.length === 1
      ? t`too little ${resource}: the Pod asks for ${asked}, and there only ${left} of ${whole} is free`
      : t`too little ${resource}: the Pod asks for ${asked}, and at most (on ${best.name}) only ${left} of ${whole} is free`;
  if (kept === 0) return said;
  return t`${said}, as ${words(kept)} is kept for Pods that are nominated to it (${namesOf(keptOn(best.name))})`;
}

const spreadKeys = ({ spec }: PodModel): string =>
  (spec.topologySpreadConstraints ?? [])
    .filter(it => it.whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey = '', maxSkew = 1 }: TopologySpreadConstraint) => `${topologyKey}, maxSkew ${maxSkew}`)
    .join('; ') || t('the keys of the configuration of the scheduler');
