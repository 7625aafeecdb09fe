import type { BudgetModel, ClusterModel } from '../cluster/clusterModel';
import type { PodModel } from '../cluster/pods/podModel';
import type { Scenario } from '../cluster/scenario';
import type { VolumeClaimModel } from '../cluster/storage/volumes';
import type { Profiles } from './configuration/profiles';
import { attemptIn, scheduleAll } from './cycle/scheduleAll';
import type { DecisionObserver } from './cycle/schedulingCycle';
import { makeCycle } from './framework/cycle';
import type { Profile } from './framework/interface';
import { nodeInfo, nodeInfos } from './framework/nodeInfo';
import { placedPod } from './framework/schedulingState';
import { sharedWork } from './framework/sharedWork';
import { isRefusal } from './framework/status';
import { readsClassAlone } from './framework/tracking';
import { splitByBudgets } from './gangs/victims';
import type { SpreadState } from './plugins/podTopologySpread/filtering';
import { volumesOn } from './plugins/volumeBinding/binder';
import type { Attempt, PlacementResult } from './result';

/** What nodes say to a Pod in a cluster without other Pods: a refusal there is permanent. */
export type Alone = Pick<Attempt, 'nodes'>;

/** Asks nodes about single Pods; those that differ in their names only are asked about once. */
export function createAlone(cluster: ClusterModel): (pod: PodModel, profile: Profile) => Alone {
  const empty = { ...cluster, running: [] };
  const nodes = nodeInfos(empty);
  const cycle = makeCycle(empty, nodes, sharedWork(nodes.length));
  return (pod, profile) => {
    const ask = (): Alone => attemptIn(cycle, pod, profile);
    return readsClassAlone(pod, cycle, profile) ? cycle.work.forClass(pod)(profile, ask) : ask();
  };
}

/** Plugins whose refusal depends on other Pods or on what those hold. */
const CLUSTER_WIDE_PLUGINS: ReadonlySet<string> = new Set([
  'DynamicResources',
  'InterPodAffinity',
  'NodePorts',
  'NodeVolumeLimits',
  'PodTopologySpread',
  'VolumeRestrictions',
]);

/**
 * The nodes that do not refuse a Pod because of the Pod and the node themselves; undefined where no node was evaluated.
 */
export function openNodes({ nodes }: Alone): ReadonlySet<string> | undefined {
  if (nodes === undefined) return undefined;
  const isOpen = (it: (typeof nodes)[number]): boolean =>
    it.verdict === 'feasible' || (it.verdict === 'rejected' && CLUSTER_WIDE_PLUGINS.has(it.plugin));
  return new Set(nodes.filter(isOpen).map(it => it.node));
}

/** The Pod's hard spread constraints, with the domains and their Pod counts; undefined for none. */
export function spreadOf(pod: PodModel, cluster: ClusterModel, profile: Profile): SpreadState | undefined {
  const plugin = profile.preFilter.find(it => it.name === 'PodTopologySpread');
  const nodes = nodeInfos(cluster);
  const answer = plugin?.preFilter?.(pod, makeCycle(cluster, nodes, sharedWork(nodes.length)));
  return answer === undefined || isRefusal(answer.status) ? undefined : (answer.state as SpreadState | undefined);
}

/**
 * Whether no node has enough capacity for a claim whose volume is chosen with the node, though some would fit
 * otherwise.
 */
export function lacksSpace(claim: VolumeClaimModel, { nodes, storage }: ClusterModel): boolean {
  const answers = nodes.map(it => volumesOn(it, { bound: [], delayed: [claim], immediate: [] }, storage));
  const reasons = answers.map(it => ('reasons' in it ? it.reasons : []));
  return (
    reasons.every(it => it.length > 0) && reasons.some(it => it.some(reason => reason.includes('enough free storage')))
  );
}

/** The first of some victims, most important first, that violates a budget, with that budget; undefined for none. */
export function violatedBudget(
  victims: readonly PodModel[],
  budgets: readonly BudgetModel[],
): { readonly victim: PodModel; readonly budget: BudgetModel } | undefined {
  const each = victims.map(it => ({ pods: [it], priority: it.priority, rank: 1, startTime: it.startTime }));
  for (const budget of budgets) {
    const [violating] = splitByBudgets(each, [budget]).violating.keys();
    const victim = violating?.pods[0];
    if (victim !== undefined) return { victim, budget };
  }
  return undefined;
}

/** The scenario after a run: placed Pods run on their nodes, evicted Pods are gone, and nothing is pending. */
export function settledAfter(scenario: Scenario, { placements, evicted }: PlacementResult): Scenario {
  const { cluster, pending, options } = scenario;
  const gone = new Set(evicted);
  const nodes = new Map(cluster.nodes.map((it, i) => [it.name, nodeInfo(it, [], i)]));
  const placed = pending.flatMap((it, i) => {
    const node = nodes.get(placements[it.id] ?? '');
    return node ? [placedPod(it, node, i, options)] : [];
  });
  const running = [...cluster.running, ...placed].filter(it => !gone.has(it.id));
  return { ...scenario, cluster: { ...cluster, running }, pending: [], rejected: [], notes: [] };
}

/**
 * The last attempts of `count` further Pods like the given one, created after all others are placed. Ends with the first Pod
 * for which the scheduler neither has nor makes room, as the others find the same.
 */
export function scheduleMore(like: PodModel, count: number, settled: Scenario, profiles: Profiles): readonly Attempt[] {
  const { nodeName: _, nominatedNodeName: __, ...pod } = like;
  const pending = Array.from({ length: count }, (_, i): PodModel => {
    const name = `${pod.name}-more-${i + 1}`;
    return { ...pod, name, id: `${pod.namespace}/${name}` };
  });
  const seen = { isFull: false, preempts: false };
  const onDecision: DecisionObserver = ({ decision: { attempt, nomination = 'none' } }) => {
    seen.preempts ||= nomination !== 'none';
    seen.isFull ||= attempt.status !== 'scheduled' && nomination === 'none';
  };
  const until = { onDecision, isCancelled: () => seen.isFull };
  const first = lastAttempts(scheduleAll({ ...settled, pending }, profiles, { batch: new Map() }, until));
  if (!seen.isFull || !seen.preempts) return first;
  // Pods that preempted others are tried once more, which the end took from them.
  const tried = pending.slice(0, first.length);
  return lastAttempts(scheduleAll({ ...settled, pending: tried }, profiles, { batch: new Map() }));
}

const lastAttempts = ({ attempts }: PlacementResult): readonly Attempt[] => [
  ...new Map(attempts.map(it => [it.pod, it])).values(),
];
