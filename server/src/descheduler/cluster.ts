import { grouped } from '../base/multiMap';
import type { ClusterModel, NodeModel } from '../cluster/clusterModel';
import type { PodModel } from '../cluster/pods/podModel';
import { isTolerated } from '../cluster/pods/tolerations';
import { labelMatcher } from '../kube/labelSelector';
import type { Taint } from '../kube/types';
import type { NamespaceChoice, PodChoice } from './policy';

/** What the plugins of one run of the descheduler read. */
export interface DeschedulingEnvironment {
  readonly cluster: ClusterModel;
  /** Ready nodes that the policy selects. */
  readonly nodes: readonly NodeModel[];
  /** Failed and succeeded Pods, with the node that they ran on. */
  readonly finished: readonly PodModel[];
  /** Milliseconds since the epoch, for ages; absent: all ages are unknown. */
  readonly now?: number;
}

/**
 * Whether a Pod tolerates those taints of a node that `filter` accepts. Upstream:
 * utils.TolerationsTolerateTaintsWithFilter.
 */
export function toleratesTaints(pod: PodModel, node: NodeModel, isMeant: (taint: Taint) => boolean): boolean {
  return node.taints.filter(isMeant).every(it => isTolerated(it, pod.spec.tolerations ?? [], 'on'));
}

/** Taints that keep Pods off a node. */
export const isHard = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

/**
 * The Pods that `namespaces` and `labelSelector` select; an absent one selects all. Upstream:
 * pod.Options.BuildFilterFunc.
 */
export function chosenBy({ namespaces, labelSelector }: PodChoice): (pod: PodModel) => boolean {
  const selector = labelSelector && labelMatcher(labelSelector);
  return pod => isIn(namespaces, pod) && (selector?.matches(pod.labels) ?? true);
}

export function isIn({ include = [], exclude = [] }: NamespaceChoice = {}, { namespace }: PodModel): boolean {
  return (include.length === 0 || include.includes(namespace)) && !exclude.includes(namespace);
}

/** Upstream: node.IsReady. */
export function isReady({ source }: NodeModel): boolean {
  return !(source.status?.conditions ?? []).some(it => it.type === 'Ready' && it.status !== 'True');
}

/** Seconds since the Pod was created; undefined where the file does not say, or the current time is unknown. */
export function ageOf({ source }: PodModel, now: number | undefined): number | undefined {
  const created = Date.parse(source.metadata?.creationTimestamp ?? '');
  return now === undefined || Number.isNaN(created) ? undefined : (now - created) / 1000;
}

/** The owners of a Pod as comparable texts: KIND/UID where there is a UID, else KIND/NAME. */
export function ownerKeys({ source }: PodModel): readonly string[] {
  return (source.metadata?.ownerReferences ?? []).map(it => `${it.kind}/${it.uid ?? it.name}`);
}

export const ownerKinds = ({ source }: PodModel): readonly string[] =>
  (source.metadata?.ownerReferences ?? []).flatMap(it => it.kind ?? []);

/** Pods without a node have the empty name as key. */
export function byNode(pods: readonly PodModel[]): ReadonlyMap<string, readonly PodModel[]> {
  return grouped(pods, it => it.nodeName ?? '');
}
