import { largest } from '../../base/manyItems';
import type { PodModel } from '../../cluster/pods/podModel';
import type {
  GroupRun,
  GroupSnapshot,
  GroupStatus,
  PodEvaluation,
  PodGroupModel,
  PodScheduler,
} from '../framework/interface';
import { assumed } from './groupStatus';
import { placementsOf } from './placements';
import { membersOn } from './podGroup';

/** Upstream: errPodGroupUnschedulable. */
export const GROUP_UNSCHEDULABLE = 'pod group is unschedulable';

/**
 * Finds nodes for the Pods of a group if the group's policy can be met: anywhere, or within the best of its placements.
 * Upstream: podGroupSchedulingAlgorithm and the end of runRootSchedulingAlgorithm.
 */
export function scheduleGroup(
  group: PodGroupModel,
  pods: readonly PodModel[],
  at: GroupSnapshot,
  podScheduler: PodScheduler,
): GroupRun {
  const run = group.topology
    ? scheduleInBestPlacement(group, pods, at, podScheduler)
    : scheduleWithin(group, pods, at, podScheduler);
  if (run.status.code !== 'Success' || run.results.some(isPlaced)) return run;
  return { ...run, status: unschedulable(group, []), after: { ...at, start: run.after.start } };
}

/**
 * Evaluates the Pods of a group in order, each in the cluster where the previous ones have their nodes, until the
 * group's policy can no longer be met. Upstream: podGroupSchedulingDefaultAlgorithm.
 */
function scheduleWithin(
  group: PodGroupModel,
  pods: readonly PodModel[],
  at: GroupSnapshot,
  podScheduler: PodScheduler,
): GroupRun {
  let scheduled = membersOn(at.nodes, group).length;
  let remaining = pods.length;
  let status = podScheduler.feasible(group, { scheduled, remaining });
  if (status.code === 'Unschedulable') return failedRun(unschedulable(group, status.reasons), at);
  let here = at;
  const evaluations: PodEvaluation[] = [];
  for (const pod of pods) {
    const decision = podScheduler.evaluate(pod, here);
    const { node } = decision.attempt;
    const taken = node === undefined ? undefined : podScheduler.reserve(pod, node, here);
    evaluations.push({ pod, decision, ...(taken && { taken }) });
    here = { ...here, start: (here.start + decision.evaluatedNodes) % Math.max(1, here.nodes.length) };
    if (node !== undefined) {
      here = assumed(here, pod, node, taken);
      scheduled += 1;
    }
    if (decision.attempt.status === 'error') {
      status = fault(`failed to schedule other pod from a pod group: ${decision.attempt.message ?? ''}`);
      break;
    }
    remaining -= 1;
    status = podScheduler.feasible(group, { scheduled, remaining });
    if (status.code === 'Unschedulable') break;
  }
  if (status.code === 'Wait') status = unschedulable(group, status.reasons);
  const after = status.code === 'Success' ? here : { ...at, start: here.start };
  return { status, evaluations, results: evaluations, after };
}

/** Upstream: podGroupSchedulingPlacementAlgorithm with the plugin PodGroupPodsCount; among equals the lowest name. */
function scheduleInBestPlacement(
  group: PodGroupModel,
  pods: readonly PodModel[],
  at: GroupSnapshot,
  podScheduler: PodScheduler,
): GroupRun {
  const placements = placementsOf(group, at);
  if ('fault' in placements) return failedRun(fault(placements.fault), at);
  const runs: GroupRun[] = [];
  let start = at.start;
  for (const { within } of placements) {
    const run = scheduleWithin(group, pods, { ...at, start, ...(within && { within }) }, podScheduler);
    start = run.after.start;
    runs.push(run);
    if (run.status.code === 'Error')
      return { ...run, evaluations: runs.flatMap(it => it.evaluations), after: { ...at, start } };
  }
  const [first] = runs;
  if (!first) return failedRun({ code: 'Unschedulable', reasons: ['no feasible placements found'] }, at);
  const there = membersOn(at.nodes, group).length;
  const counts = runs.map(it => (it.status.code === 'Success' ? there + it.results.filter(isPlaced).length : -1));
  const most = largest(counts);
  const best = runs[counts.findIndex(it => it >= 0 && scoreOf(it, most) === scoreOf(most, most))];
  const { within: _, ...after } = { ...(best?.after ?? at), start };
  // The evaluations that count come last, so that a Pod's last attempt is the final one.
  const others = runs.filter(it => it !== best).flatMap(it => it.evaluations);
  if (best) return { ...best, evaluations: [...others, ...best.evaluations], after };
  const [firstReason, ...more] = first.status.reasons;
  const why = firstReason === GROUP_UNSCHEDULABLE ? firstReason : [firstReason, ...more].join(', ');
  const message = `0/${placements.length} placements are available, first placement status: ${why}`;
  return { ...first, status: unschedulable(group, [message]), evaluations: others, after };
}

/** Upstream: PodGroupPodsCount.NormalizePlacementScore. */
function scoreOf(count: number, most: number): number {
  return most === 0 ? 0 : Math.trunc((count * 100) / most);
}

export function isPlaced({ decision }: PodEvaluation): boolean {
  return decision.attempt.node !== undefined;
}

function failedRun(status: GroupStatus, at: GroupSnapshot): GroupRun {
  return { status, evaluations: [], results: [], after: at };
}

function fault(reason: string): GroupStatus {
  return { code: 'Error', reasons: [reason] };
}

function unschedulable({ batch }: PodGroupModel, reasons: readonly string[]): GroupStatus {
  return { code: 'Unschedulable', reasons: batch ? reasons : [GROUP_UNSCHEDULABLE, ...reasons] };
}
