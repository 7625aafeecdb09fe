import type { Steps } from '../../base/steps';
import type { BudgetModel } from '../../cluster/clusterModel';
import type { ClusterTrouble, ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { controllerMoves, nodeName } from './controllers';
import { isCrowded, withDeleted } from './ending';
import { movesWithin } from './moves';
import type { SchedulerMoves } from './scheduling';
import { type Move, nearestCycle, nearestWithout, type SearchedSpace, type SpaceLimits, searchSpace } from './search';
import {
  budgetsOfPod,
  type ExploredPod,
  type ExploredState,
  healthOf,
  isAvailable,
  isEnding,
  keyOf,
  startState,
} from './state';
import { TEMPLATE_SPEC } from './template';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld } from './world';

/** Nodes are drained one after the other, each comes back before the next. */
interface DrainState {
  readonly cluster: ExploredState;
  /** Index of the node that is being drained; -1: none. */
  readonly current: number;
  /** By node: whether it was drained. */
  readonly done: readonly boolean[];
}

const DRAIN = 'drain';

/** Where there are more nodes, each is drained alone. */
const MOST_NODES_IN_A_ROW = 8;

/** Whether every drain ends, and whether a drain of one node takes more than one replica away at a time. */
export function* askDrain(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const start = startState(world);
  const { length } = start.nodes;
  const none = start.nodes.map(() => false);
  const starts: readonly DrainState[] =
    length <= MOST_NODES_IN_A_ROW
      ? [{ cluster: start, current: -1, done: none }]
      : start.nodes.map((_, i) => ({ cluster: start, current: -1, done: none.map((__, other) => other !== i) }));
  const searched = yield* searchSpace(
    {
      starts,
      keyOf: ({ cluster, current, done }) => {
        const markOf = (isDone: boolean, node: number): string => (node === current ? 'now' : isDone ? 'done' : '');
        return keyOf(cluster, world, done.map(markOf));
      },
      movesFrom: it => movesFrom(it, world, scheduler),
    },
    limits,
  );
  const stuck = nearestWithout(searched, it => it.done.every(Boolean), 'end');
  const holds = stuck === undefined ? (searched.isComplete ? true : undefined) : false;
  const states = searched.states.length;
  const trouble = stuck === undefined ? undefined : yield* wedge(stuck, searched, world);
  return [
    { question: 'drain', claim: 'every drain of a node ends', holds, states, ...(trouble && { trouble }) },
    ...availability(searched, world).map(it => ({ question: 'availability' as const, states, ...it })),
  ];
}

function movesFrom(state: DrainState, world: ExploredWorld, scheduler: SchedulerMoves): readonly Move<DrainState>[] {
  const { cluster, current, done } = state;
  const urgent = controllerMoves(cluster, world);
  if (urgent.length > 0) return movesWithin(state, urgent);
  const scheduled = movesWithin(state, scheduler.from(cluster));
  if (current >= 0) return [...scheduled, ...drainMoves(state, world)];
  if (scheduled.length > 0) return scheduled;
  return done.flatMap((isDone, node): readonly Move<DrainState>[] => {
    if (isDone || cluster.nodes[node] !== 'up') return [];
    const nodes = cluster.nodes.with(node, 'cordoned');
    const by = { actor: DRAIN, step: `cordon ${nodeName({ node }, world)}` };
    return [{ by, to: { cluster: { ...cluster, nodes }, current: node, done } }];
  });
}

function drainMoves({ cluster, current, done }: DrainState, world: ExploredWorld): readonly Move<DrainState>[] {
  const left = cluster.pods.filter(it => it.node === current && world.kinds[it.kind]!.ignoredBy !== 'drains');
  const name = nodeName({ node: current }, world);
  if (left.length === 0) {
    const nodes = cluster.nodes.with(current, 'up');
    const to = { cluster: { ...cluster, nodes }, current: -1, done: done.with(current, true) };
    return [{ by: { actor: DRAIN, step: `${name} is empty; uncordon it` }, to }];
  }
  // What ends already is waited for.
  const staying = left.filter(it => !isEnding(it) && !isCrowded(it, cluster, world));
  const byKind = [...new Map(staying.map(it => [`${it.kind}${it.phase}`, it])).values()];
  return byKind
    .filter(it => whyNotEvicted(it, cluster, world) === undefined)
    .map(it => ({
      by: { actor: DRAIN, step: `evict ${world.kinds[it.kind]!.name} from ${name}` },
      to: { cluster: withDeleted(cluster, [it], world), current, done },
    }));
}

/** Why the eviction API refuses a Pod now; undefined: it does not. Upstream: EvictionREST.Create. */
export function whyNotEvicted(pod: ExploredPod, state: ExploredState, world: ExploredWorld): string | undefined {
  const [budget, second] = budgetsOfPod(pod, world);
  if (budget === undefined || pod.phase === 'waits' || isEnding(pod)) return undefined;
  const nameOf = ({ source }: typeof budget): string => source.metadata?.name ?? '';
  if (second !== undefined) {
    return `the budgets ${nameOf(budget)} and ${nameOf(second)} both select it, and the eviction API refuses a Pod with several`;
  }
  const { healthy, desired } = healthOf(budget, state, world);
  const policy = budget.source.spec?.unhealthyPodEvictionPolicy;
  const isReady = isAvailable(pod, state);
  if (!isReady && (policy === 'AlwaysAllow' || (desired !== undefined && desired > 0 && healthy >= desired)))
    return undefined;
  if (desired === undefined) {
    return `the budget ${nameOf(budget)} counts by maxUnavailable or a percentage, and a Pod that it selects has no controller`;
  }
  if (healthy - desired > 0) return undefined;
  return `the budget ${nameOf(budget)} wants ${desired} available, and ${healthy} ${healthy === 1 ? 'is' : 'are'}`;
}

function* wedge(stuck: number, searched: SearchedSpace<DrainState>, world: ExploredWorld): Steps<ClusterTrouble> {
  const { cluster, current } = searched.states[stuck]!;
  if ((searched.edges[stuck]?.length ?? 0) > 0) {
    const found = yield* nearestCycle(searched, it => it.actor === DRAIN);
    if (found) {
      const { states, ...steps } = found;
      const says = 'a drain may go on for ever, as what it evicts comes back to the node';
      return { says, ...steps, trail: { world, states: states.map(clusterWithin) }, blamed: cameBack(cluster, world) };
    }
  }
  const node = nodeName({ node: current }, world);
  const reasons = cluster.pods.flatMap(it => {
    if (it.node !== current || world.kinds[it.kind]!.ignoredBy === 'drains') return [];
    const why = whyNotEvicted(it, cluster, world);
    return why === undefined ? [] : [`${world.kinds[it.kind]!.name} stays, as ${why}`];
  });
  const why = reasons.length === 0 ? '' : `: ${[...new Set(reasons)].slice(0, 3).join('; ')}`;
  const kept = cluster.pods.filter(it => it.node === current && whyNotEvicted(it, cluster, world) !== undefined);
  const blamed = kept.flatMap(it => blamedBudgets(budgetsOfPod(it, world)));
  const says = `the drain of ${node} never ends${why}`;
  return { says, ...followed(searched, stuck, world, clusterWithin), blamed };
}

/** Of several budgets the selectors, which overlap. */
function blamedBudgets(budgets: readonly BudgetModel[]): readonly Blame[] {
  return budgets.map(({ namespace, source }) => {
    const { minAvailable } = source.spec ?? {};
    const field = budgets.length > 1 ? 'selector' : minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
    const object = { group: 'policy', kind: 'PodDisruptionBudget', namespace, name: source.metadata?.name ?? '' };
    return { object, path: ['spec', field] };
  });
}

/** The workloads whose templates name a node. */
function cameBack({ pods }: ExploredState, { kinds, sets, workloads }: ExploredWorld): readonly Blame[] {
  const named = pods.filter(it => kinds[it.kind]!.namedNode !== undefined);
  const makers = new Set(named.flatMap(it => sets[kinds[it.kind]!.set ?? -1]?.workload ?? []));
  return [...makers].map(it => blaming(workloads[it]!.source, ...TEMPLATE_SPEC, 'nodeName'));
}

type AvailabilityAnswer = Pick<ScenarioAnswer, 'about' | 'claim' | 'holds' | 'trouble'>;

/** For each workload with one replica a node: whether more than one of them is missing while one node is drained. */
function availability(
  { states, ...searched }: SearchedSpace<DrainState>,
  world: ExploredWorld,
): readonly AvailabilityAnswer[] {
  const { workloads, kinds, sets } = world;
  return workloads.flatMap(({ title, kind, source }, workload): readonly AvailabilityAnswer[] => {
    const isOwn = (it: ExploredPod): boolean => sets[kinds[it.kind]!.set ?? -1]?.workload === workload;
    const own = states[0]!.cluster.pods.filter(isOwn);
    const isSpread =
      own.length > 1 && own.every(it => it.node >= 0) && new Set(own.map(it => it.node)).size === own.length;
    if (!isSpread || kind === 'DaemonSet' || kind === 'Job') return [];
    const availableIn = ({ cluster }: DrainState): number =>
      cluster.pods.filter(it => isOwn(it) && isAvailable(it, cluster)).length;
    const low = states.findIndex(it => availableIn(it) < own.length - 1);
    const claim = `a drain of one node at a time takes one replica of ${title} away`;
    if (low < 0) return [{ about: title, claim, holds: searched.isComplete ? true : undefined }];
    const says = `while one node at a time is drained, ${availableIn(states[low]!)} of ${own.length} replicas of ${title} are left`;
    const way = followed({ states, ...searched }, low, world, clusterWithin);
    return [
      { about: title, claim, holds: false, trouble: { says, ...way, blamed: [blaming(source, 'metadata', 'name')] } },
    ];
  });
}
