import { smallest } from '../../../base/manyItems';
import type { ClusterModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { preemptWithExtenders } from '../../extenders/preempt';
import { mapStates, runSignature, withoutNodeFilters } from '../../framework/cycle';
import { countReasons, fitErrorMessage } from '../../framework/fitError';
import type { FilterRun, PluginFactory, PostFilterAnswer, PostFilterContext, Refusal } from '../../framework/interface';
import { type NodeInfo, withoutPods, withPod } from '../../framework/nodeInfo';
import { definePlugin } from '../../framework/plugin';
import { success, unresolvable, unschedulable } from '../../framework/status';
import { preemptForGroup } from '../../gangs/groupPreemption';
import { podGroupsOf } from '../../gangs/podGroup';
import {
  byImportance,
  isTerminatingByPreemption,
  priorityAmong,
  splitByBudgets,
  type Victim,
  type VictimGroups,
  victimsAmong,
} from '../../gangs/victims';

interface Candidate {
  readonly node: string;
  /** Most important victim first. */
  readonly victims: readonly PodModel[];
  readonly budgetViolations: number;
}

interface Limits {
  readonly percentage: number;
  readonly absolute: number;
}

/** Upstream: pkg/scheduler/framework/plugins/defaultpreemption with pkg/scheduler/framework/preemption. */
export const defaultPreemption: PluginFactory = ({ args, gates }) => {
  const limits: Limits = {
    percentage: numberIn(args.minCandidateNodesPercentage, 10),
    absolute: numberIn(args.minCandidateNodesAbsolute, 100),
  };
  // Groups that the API server would refuse are noted when the run begins.
  const groupsIn = (cluster: ClusterModel): VictimGroups => podGroupsOf(cluster, gates, () => undefined);
  return definePlugin({
    name: 'DefaultPreemption',
    postFilter(pod, context) {
      const { cluster, work } = context.cycle;
      const groups = work.once('podGroups', () => groupsIn(cluster));
      const answer = preempt(pod, { ...context, groups }, limits);
      return { ...answer, message: answer.message && `preemption: ${answer.message}` };
    },
    podGroupPostFilter: context => preemptForGroup(context, groupsIn(context.at.cluster) ?? new Map()),
  });
};

/** With the groups of Pods that are evicted together. */
type Context = PostFilterContext & { readonly groups: VictimGroups };

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

const NOT_HELPFUL: readonly string[] = ['Preemption is not helpful for scheduling'];

function preempt(pod: PodModel, context: Context, limits: Limits): PostFilterAnswer {
  const obstacle = whyNotEligible(pod, context);
  if (obstacle) return { status: unschedulable(obstacle), message: obstacle };
  const { candidates, refusals, broken } = dryRun(pod, context, limits);
  if (candidates.length === 0 && broken) return failed(broken);
  if (candidates.length === 0) {
    const { nodes } = context.cycle;
    const reasons = countReasons(nodes, it => refusals[it.index] ?? NOT_HELPFUL);
    const message = fitErrorMessage(nodes.length, reasons, '');
    return { status: unschedulable(message), message, nomination: 'none' };
  }
  const left = leftByExtenders(pod, candidates, context);
  if ('error' in left) return failed(left.error);
  const [best, ...equal] = bestCandidates(left);
  if (!best) {
    const message = 'no candidate node for preemption';
    return { status: unschedulable(message), message };
  }
  return {
    status: success,
    message: `found a potential placement for pod on node ${best.node}, preempting ${best.victims.length} victims`,
    nomination: { ...best, ...(equal.length > 0 && { tied: [best, ...equal] }) },
  };
}

function failed(error: string): PostFilterAnswer {
  return { status: { code: 'Error', reasons: [error] }, message: error };
}

/** Upstream: callExtenders. */
function leftByExtenders(
  pod: PodModel,
  candidates: readonly Candidate[],
  { cycle, extenders }: Context,
): readonly Candidate[] | { readonly error: string } {
  if (!extenders) return candidates;
  const victims = new Map(candidates.map(it => [it.node, { pods: it.victims, violations: it.budgetViolations }]));
  const left = preemptWithExtenders(extenders, pod, victims, name => cycle.nodeNamed(name)?.pods);
  if ('error' in left) return left;
  return [...left].map(([node, { pods, violations }]) => ({ node, victims: pods, budgetViolations: violations }));
}

/** Upstream: PodEligibleToPreemptOthers. */
function whyNotEligible(pod: PodModel, { cycle, statusOf, groups }: Context): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.nominatedNodeName;
  const node = nominated === undefined ? undefined : cycle.nodeNamed(nominated);
  if (!node || statusOf(node).code === 'UnschedulableAndUnresolvable') return undefined;
  const leaving = node.pods.some(it => priorityAmong(it, groups) < pod.priority && isTerminatingByPreemption(it));
  return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

interface DryRun {
  readonly candidates: readonly Candidate[];
  /** The reasons of the nodes where preemption does not help, by the index of the node. */
  readonly refusals: readonly (readonly string[] | undefined)[];
  /** The joined errors of plugins. */
  readonly broken?: string;
}

/** Upstream: DryRunPreemption, always from the first node on. */
function dryRun(pod: PodModel, context: Context, limits: Limits): DryRun {
  const { run, cycle } = context;
  const refusals = new Array<readonly string[] | undefined>(cycle.nodes.length).fill(undefined);
  if (!run) return { candidates: [], refusals };
  const hopeful = cycle.nodes.filter(it => context.statusOf(it).code === 'Unschedulable');
  const enough = Math.max(Math.trunc((hopeful.length * limits.percentage) / 100), limits.absolute);
  const candidates: Candidate[] = [];
  const errors = new Set<string>();
  const ask = (node: NodeInfo): Candidate | Refusal => victimsOn(pod, node, run, context);
  // Without groups, the victims depend on the node and on what the filters read, so Pods with the same signature share
  // them.
  const sign = context.groups ? undefined : runSignature(run, pod, cycle.work);
  const key = `${pod.schedulerName}/DefaultPreemption/${pod.priority}/${sign}`;
  const known = sign === undefined ? ask : cycle.work.column(key, 'nodeAndPods', ask);
  for (const node of hopeful) {
    const answer = context.hasNominated(node) ? ask(node) : known(node);
    if ('reasons' in answer) {
      refusals[node.index] = answer.reasons;
      if (answer.code === 'Error') errors.add(answer.reasons.join(', '));
      continue;
    }
    if (answer.victims.length === 0) {
      const reason = `expected at least one victim pod on node "${node.name}"`;
      errors.add(reason);
      refusals[node.index] = [reason];
      continue;
    }
    candidates.push(answer);
    if (candidates.length >= enough && candidates.some(it => it.budgetViolations === 0)) break;
  }
  const [first] = errors;
  const broken = errors.size > 1 ? `[${[...errors].join(', ')}]` : first;
  return { candidates: capped(candidates, enough), refusals, ...(broken !== undefined && { broken }) };
}

/** Candidates with and without budget violations are kept in separate lists, each up to `length`. */
function capped(candidates: readonly Candidate[], length: number): readonly Candidate[] {
  const kept = { violating: 0, harmless: 0 };
  return candidates.filter(it => {
    const list = it.budgetViolations > 0 ? 'violating' : 'harmless';
    kept[list] += 1;
    return kept[list] <= length;
  });
}

/**
 * The smallest set of Pods whose eviction makes room on the node. Upstream: SelectVictimsOnNode. Removes all Pods of
 * lower priority, then restores them one by one where the Pod still fits: first those that a budget protects, important
 * ones first. Members on other nodes of a group that is disrupted as a whole leave the filter states only, not their
 * nodes.
 */
function victimsOn(
  pod: PodModel,
  node: NodeInfo,
  run: FilterRun,
  { cycle, filter, groups }: Context,
): Candidate | Refusal {
  const lower = victimsAmong([node], cycle.nodes, groups).filter(it => it.priority < pod.priority);
  if (lower.length === 0) return unresolvable('No preemption victims found for incoming pod');
  const leaving = lower.flatMap(it => it.pods);
  let left = withoutPods(node, leaving);
  const elsewhere = (it: PodModel): NodeInfo => cycle.nodeNamed(it.nodeName ?? '') ?? node;
  let state = leaving.reduce(
    (it, victim) => without(it, pod, victim, isOn(victim, node) ? left : elsewhere(victim)),
    run,
  );
  const refusal = filter(state, left);
  if (refusal) return refusal.status;
  state = withoutNodeFilters(state, pod, cycle.work);

  const { violating, inOrder } = splitByBudgets([...lower].sort(byImportance), cycle.cluster.budgets);
  const victims: Victim[] = [];
  let budgetViolations = 0;
  for (const candidate of inOrder) {
    let nextState = state;
    let next = left;
    for (const it of candidate.pods) {
      if (isOn(it, node)) next = withPod(next, it);
      nextState = including(nextState, pod, it, isOn(it, node) ? next : elsewhere(it));
    }
    if (!filter(nextState, next)) {
      state = nextState;
      left = next;
      continue;
    }
    victims.push(candidate);
    budgetViolations += violating.get(candidate) ?? 0;
  }
  return { node: node.name, victims: victims.sort(byImportance).flatMap(it => it.pods), budgetViolations };
}

function isOn(pod: PodModel, node: NodeInfo): boolean {
  return pod.nodeName === node.name;
}

function without(run: FilterRun, pod: PodModel, gone: PodModel, left: NodeInfo): FilterRun {
  if (run.active.every(({ plugin }) => plugin.removePod === undefined)) return run;
  return mapStates(run, ({ plugin, state }) => (plugin.removePod ? plugin.removePod(state, pod, gone, left) : state));
}

function including(run: FilterRun, pod: PodModel, back: PodModel, node: NodeInfo): FilterRun {
  if (run.active.every(({ plugin }) => plugin.addPod === undefined)) return run;
  return mapStates(run, ({ plugin, state }) => (plugin.addPod ? plugin.addPod(state, pod, back, node) : state));
}

/**
 * The candidates that upstream's pickOneNodeForPreemption tells not apart, by name; it takes any of them.
 */
function bestCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const keys = candidates.map(it => ({ candidate: it, key: preferenceOf(it) }));
  const compare = (a: readonly number[], b: readonly number[]): number => {
    const i = a.findIndex((it, at) => it !== b[at]);
    return i < 0 ? 0 : a[i]! - b[i]!;
  };
  keys.sort((a, b) => compare(a.key, b.key));
  return keys.filter(it => compare(it.key, keys[0]!.key) === 0).map(it => it.candidate);
}

/** Compared from left to right; the lower value wins. */
function preferenceOf({ victims, budgetViolations }: Candidate): readonly number[] {
  const highest = victims[0]!.priority;
  // Upstream shifts priorities above zero, so that fewer victims of negative priority win.
  const sum = victims.reduce((total, it) => total + it.priority + 2 ** 31, 0);
  const earliest = smallest(victims.filter(it => it.priority === highest).map(it => it.startTime));
  return [budgetViolations, highest, sum, victims.length, -earliest];
}
