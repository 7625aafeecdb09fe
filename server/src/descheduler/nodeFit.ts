import type { NodeModel } from '../cluster/clusterModel';
import { termMatches } from '../cluster/pods/affinityTerms';
import type { PodModel } from '../cluster/pods/podModel';
import { requiredNodeAffinity } from '../cluster/pods/requiredAffinity';
import { amountIn } from '../scheduler/framework/allocation';
import { type DeschedulingEnvironment, isHard, toleratesTaints } from './cluster';

/** The unfinished Pods on a node now. */
export type PodsOn = (node: string) => readonly PodModel[];

/**
 * Whether the descheduler expects a node to accept a Pod. It checks less than the scheduler (no spread constraints, no
 * ports, no volumes). Upstream: node.NodeFit.
 */
function fitting(pod: PodModel, podsOn: PodsOn, { cluster }: DeschedulingEnvironment): (node: NodeModel) => boolean {
  const affinity = requiredNodeAffinity(pod.spec);
  return node => {
    if (node.unschedulable || !affinity.matches(node) || !toleratesTaints(pod, node, isHard)) return false;
    const there = podsOn(node.name);
    const isAvoided = pod.terms.requiredAnti.some(
      term =>
        node.labels[term.topologyKey] !== undefined &&
        there.some(it => it.name !== pod.name && termMatches(term, it, cluster.namespaces)),
    );
    return !isAvoided && (pod.nodeName === node.name || hasRoom(pod, node, there));
  };
}

/** Whether one of the nodes would accept the Pod. Upstream: node.PodFitsAnyNode. */
export function fitsAny(
  pod: PodModel,
  nodes: readonly NodeModel[],
  podsOn: PodsOn,
  environment: DeschedulingEnvironment,
): boolean {
  return nodes.some(fitting(pod, podsOn, environment));
}

/** The same without the Pod's own node. Upstream: node.PodFitsAnyOtherNode. */
export function fitsAnyOther(
  pod: PodModel,
  nodes: readonly NodeModel[],
  podsOn: PodsOn,
  environment: DeschedulingEnvironment,
): boolean {
  const fits = fitting(pod, podsOn, environment);
  return nodes.some(it => it.name !== pod.nodeName && fits(it));
}

/** Upstream: node.fitsRequest. */
function hasRoom(pod: PodModel, node: NodeModel, there: readonly PodModel[]): boolean {
  const names = ['cpu', 'memory', 'ephemeral-storage', ...pod.requests.scalar.keys()];
  const fits = (name: string): boolean => {
    const requested = amountIn(pod.requests, name);
    const taken = there.reduce((sum, it) => sum + amountIn(it.requests, name), 0);
    return requested === 0 || requested <= amountIn(node.allocatable, name) - taken;
  };
  return there.length < node.maxPods && names.every(fits);
}
