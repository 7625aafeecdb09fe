import type { BudgetModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { PodGroups } from '../framework/interface';
import type { NodeInfo } from '../framework/nodeInfo';
import { groupIdOf } from './podGroup';

/** Pods that are evicted together or not at all. Upstream: preemption.Victim. */
export interface Victim {
  readonly pods: readonly PodModel[];
  /** The priority of the Pod, or of its group. */
  readonly priority: number;
  /** A group ranks above a Pod without a group. */
  readonly rank: number;
  /** The earliest start time of its Pods. */
  readonly startTime: number;
}

/** The groups that preemption considers. Absent: the gate GenericWorkload is off, and each Pod counts alone. */
export type VictimGroups = PodGroups | undefined;

/** Upstream: GetPodPriority. A running member counts with the priority of its group. */
export function priorityAmong(pod: PodModel, groups: VictimGroups): number {
  const id = groups && groupIdOf(pod);
  return (id === undefined ? undefined : groups?.get(id)?.priority) ?? pod.priority;
}

/**
 * The possible victims among the Pods on `here`; a group that is disrupted as a whole includes its members on all of
 * `nodes`. Upstream: getCrossNodesVictims.
 */
export function victimsAmong(
  here: readonly NodeInfo[],
  nodes: readonly NodeInfo[],
  groups: VictimGroups,
): readonly Victim[] {
  const pods = here.flatMap(it => it.pods);
  if (!groups) return pods.map(it => victimOf([it], it.priority, 1));
  const seen = new Set<string>();
  return pods.flatMap(pod => {
    const id = groupIdOf(pod);
    const priority = priorityAmong(pod, groups);
    const rank = id === undefined ? 1 : 2;
    if (id === undefined || groups.get(id)?.disruption !== 'all') return [victimOf([pod], priority, rank)];
    if (seen.has(id)) return [];
    seen.add(id);
    const members = nodes.flatMap(it => it.pods.filter(other => groupIdOf(other) === id));
    return [victimOf(members, priority, rank)];
  });
}

function victimOf(pods: readonly PodModel[], priority: number, rank: number): Victim {
  return { pods, priority, rank, startTime: pods.reduce((least, it) => Math.min(least, it.startTime), Infinity) };
}

/** Most important first. Upstream: MoreImportantVictim. */
export function byImportance(a: Victim, b: Victim): number {
  return b.priority - a.priority || b.rank - a.rank || b.pods.length - a.pods.length || a.startTime - b.startTime;
}

/**
 * Upstream: FilterVictimsWithPDBViolation. Each Pod uses one disruption of every budget that selects it; a victim is
 * protected if one of its Pods is.
 */
export function splitByBudgets(
  victims: readonly Victim[],
  budgets: readonly BudgetModel[],
): { readonly violating: ReadonlyMap<Victim, number>; readonly inOrder: readonly Victim[] } {
  const left = budgets.map(it => it.disruptionsAllowed);
  const violates = (pod: PodModel): boolean => {
    if (Object.keys(pod.labels).length === 0) return false;
    for (const [i, budget] of budgets.entries()) {
      if (!protects(budget, pod)) continue;
      left[i]! -= 1;
      if (left[i]! < 0) return true;
    }
    return false;
  };
  const violating = new Map<Victim, number>();
  for (const victim of victims) {
    const count = victim.pods.filter(violates).length;
    if (count > 0) violating.set(victim, count);
  }
  return { violating, inOrder: [...violating.keys(), ...victims.filter(it => !violating.has(it))] };
}

/** An empty selector protects nothing. */
function protects({ namespace, selector, disruptedPods }: BudgetModel, pod: PodModel): boolean {
  if (namespace !== pod.namespace || selector.kind !== 'requirements' || disruptedPods.has(pod.name)) return false;
  return selector.matches(pod.labels);
}

/** Upstream: PodTerminatingByPreemption. */
export function isTerminatingByPreemption(pod: PodModel): boolean {
  if (!pod.terminating) return false;
  const found = pod.conditions.find(it => it.type === 'DisruptionTarget');
  return found?.status === 'True' && found.reason === 'PreemptionByScheduler';
}
