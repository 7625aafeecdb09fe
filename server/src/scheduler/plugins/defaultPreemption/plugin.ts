import type { BudgetModel, PodModel } from '../../../cluster/model';
import { type FilterRun, mapStates, withoutNodeOnly } from '../../framework/cycle';
import { fitErrorMessage } from '../../framework/fitError';
import { type NodeInfo, withPod, withPods } from '../../framework/nodeInfo';
import {
  definePlugin,
  type PostFilterAnswer,
  type PostFilterContext,
  type Refusal,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';

interface Candidate {
  readonly node: string;
  /** Most important first. */
  readonly victims: readonly PodModel[];
  readonly budgetViolations: number;
}

interface Limits {
  readonly percentage: number;
  readonly absolute: number;
}

/** Upstream: pkg/scheduler/framework/plugins/defaultpreemption with pkg/scheduler/framework/preemption. */
export const defaultPreemption: PluginFactory = ({ args }) => {
  const limits: Limits = {
    percentage: numberIn(args.minCandidateNodesPercentage, 10),
    absolute: numberIn(args.minCandidateNodesAbsolute, 100),
  };
  return definePlugin({
    name: 'DefaultPreemption',
    postFilter(pod, context) {
      const answer = preempt(pod, context, limits);
      return { ...answer, message: answer.message && `preemption: ${answer.message}` };
    },
  });
};

function numberIn(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function preempt(pod: PodModel, context: PostFilterContext, limits: Limits): PostFilterAnswer {
  const obstacle = whyNotEligible(pod, context);
  if (obstacle) return { status: unschedulable(obstacle), message: obstacle };
  const { candidates, refusals, broken } = dryRun(pod, context, limits);
  const best = bestCandidate(candidates);
  if (!best && broken) return { status: { code: 'Error', reasons: [broken] }, message: broken };
  if (!best) {
    const names = context.cycle.nodes.map(it => it.name);
    const reasons = names.flatMap(it => refusals.get(it) ?? ['Preemption is not helpful for scheduling']);
    const message = fitErrorMessage(names.length, reasons, '');
    return { status: unschedulable(message), message, nomination: 'none' };
  }
  return {
    status: success,
    message: `found a potential placement for pod on node ${best.node}, preempting ${best.victims.length} victims`,
    nomination: best,
  };
}

/** Upstream: PodEligibleToPreemptOthers. */
function whyNotEligible(pod: PodModel, { cycle, statusOf }: PostFilterContext): string | undefined {
  if (pod.spec.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.nominatedNodeName;
  const node = nominated === undefined ? undefined : cycle.nodeNamed(nominated);
  if (!node || statusOf(node).code === 'UnschedulableAndUnresolvable') return undefined;
  const leaving = node.pods.some(it => it.priority < pod.priority && isTerminatingByPreemption(it));
  return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
}

function isTerminatingByPreemption(pod: PodModel): boolean {
  if (!pod.terminating) return false;
  const found = pod.conditions.find(it => it.type === 'DisruptionTarget');
  return found?.status === 'True' && found.reason === 'PreemptionByScheduler';
}

interface DryRun {
  readonly candidates: readonly Candidate[];
  /** Node → reasons, for nodes that were tried in vain. */
  readonly refusals: ReadonlyMap<string, readonly string[]>;
  /** What plugins failed with, all together. */
  readonly broken?: string;
}

/** Upstream: DryRunPreemption, always from the first node on. */
function dryRun(pod: PodModel, context: PostFilterContext, limits: Limits): DryRun {
  const { run, cycle } = context;
  const refusals = new Map<string, readonly string[]>();
  if (!run) return { candidates: [], refusals };
  const hopeful = cycle.nodes.filter(it => context.statusOf(it).code === 'Unschedulable');
  const enough = Math.max(Math.trunc((hopeful.length * limits.percentage) / 100), limits.absolute);
  const candidates: Candidate[] = [];
  const errors = new Set<string>();
  for (const node of hopeful) {
    const answer = victimsOn(pod, node, run, context);
    if ('reasons' in answer) {
      refusals.set(node.name, answer.reasons);
      if (answer.code === 'Error') errors.add(answer.reasons.join(', '));
      continue;
    }
    if (answer.victims.length === 0) {
      const reason = `expected at least one victim pod on node "${node.name}"`;
      errors.add(reason);
      refusals.set(node.name, [reason]);
      continue;
    }
    candidates.push(answer);
    if (candidates.length >= enough && candidates.some(it => it.budgetViolations === 0)) break;
  }
  const [first] = errors;
  const broken = errors.size > 1 ? `[${[...errors].join(', ')}]` : first;
  return { candidates, refusals, ...(broken !== undefined && { broken }) };
}

/**
 * The fewest Pods that must go from the node. Upstream: SelectVictimsOnNode. All of lower priority are taken away; then
 * they are put back one by one where the Pod still fits, those that a budget protects first, the important ones first.
 */
function victimsOn(
  pod: PodModel,
  node: NodeInfo,
  run: FilterRun,
  { cycle, filter }: PostFilterContext,
): Candidate | Refusal {
  const lower = node.pods.filter(it => it.priority < pod.priority);
  if (lower.length === 0) return unresolvable('No preemption victims found for incoming pod');
  let left = withPods(
    node,
    node.pods.filter(it => it.priority >= pod.priority),
  );
  let state = without(run, pod, lower, left);
  const refusal = filter(state, left);
  if (refusal) return refusal.status;
  state = withoutNodeOnly(state);

  const { violating, harmless } = splitByBudgets([...lower].sort(byImportance), cycle.cluster.budgets);
  const victims: PodModel[] = [];
  let budgetViolations = 0;
  for (const candidate of [...violating, ...harmless]) {
    const [nextState, next] = including(state, pod, candidate, left);
    if (!filter(nextState, next)) {
      state = nextState;
      left = next;
      continue;
    }
    victims.push(candidate);
    if (violating.includes(candidate)) budgetViolations += 1;
  }
  return { node: node.name, victims: victims.sort(byImportance), budgetViolations };
}

/** The states as if some Pods were gone from what is now `left`. */
function without(run: FilterRun, pod: PodModel, gone: readonly PodModel[], left: NodeInfo): FilterRun {
  return mapStates(run, ({ plugin, state }) =>
    plugin.removePod ? gone.reduce((it, victim) => plugin.removePod!(it, pod, victim, left), state) : state,
  );
}

function including(run: FilterRun, pod: PodModel, back: PodModel, node: NodeInfo): [FilterRun, NodeInfo] {
  const after = withPod(node, back);
  return [mapStates(run, it => (it.plugin.addPod ? it.plugin.addPod(it.state, pod, back, after) : it.state)), after];
}

/** Upstream: MoreImportantVictim for single Pods. */
function byImportance(a: PodModel, b: PodModel): number {
  return b.priority - a.priority || a.startTime - b.startTime;
}

/** Upstream: FilterVictimsWithPDBViolation. Each Pod uses up one disruption of every budget that selects it. */
function splitByBudgets(
  pods: readonly PodModel[],
  budgets: readonly BudgetModel[],
): { readonly violating: readonly PodModel[]; readonly harmless: readonly PodModel[] } {
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
  const violating: PodModel[] = [];
  const harmless: PodModel[] = [];
  for (const pod of pods) (violates(pod) ? violating : harmless).push(pod);
  return { violating, harmless };
}

/** An empty selector protects nothing. */
function protects({ namespace, selector, disruptedPods }: BudgetModel, pod: PodModel): boolean {
  if (namespace !== pod.namespace || selector.kind !== 'requirements' || disruptedPods.has(pod.name)) return false;
  return selector.matches(pod.labels);
}

/** Upstream: pickOneNodeForPreemption; what it leaves open is decided by the lowest name. */
function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const keys = candidates.map(it => ({ candidate: it, key: preferenceOf(it) }));
  keys.sort((a, b) => {
    const i = a.key.findIndex((it, at) => it !== b.key[at]);
    return i < 0 ? 0 : a.key[i]! - b.key[i]!;
  });
  return keys[0]?.candidate;
}

/** Compared from left to right, the lower one wins. */
function preferenceOf({ victims, budgetViolations }: Candidate): readonly number[] {
  const highest = victims[0]!.priority;
  // Upstream lifts priorities above zero, so that fewer victims of negative priority win.
  const sum = victims.reduce((total, it) => total + it.priority + 2 ** 31, 0);
  const earliest = Math.min(...victims.filter(it => it.priority === highest).map(it => it.startTime));
  return [budgetViolations, highest, sum, victims.length, -earliest];
}
