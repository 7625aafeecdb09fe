import { t, withAnd } from '../../base/l10n';
import type { Steps } from '../../base/steps';
import type { BudgetModel } from '../../cluster/clusterModel';
import type { ClusterTrouble, ScenarioAnswer } from './answer';
import { type Blame, blaming } from './blame';
import { controllerMoves, nodeName } from './controllers';
import { isCrowded, withDeleted } from './ending';
import { movesWithin } from './moves';
import type { SchedulerMoves } from './scheduling';
import {
  type Move,
  nearestCycle,
  nearestWithout,
  type SearchedSpace,
  type SpaceLimits,
  searchSpace,
  shareOf,
} from './search';
import {
  budgetsOfPod,
  differentNodes,
  type ExploredPod,
  type ExploredState,
  healthOf,
  isAvailable,
  isEnding,
  keyOf,
  NAMED_NODES,
  startState,
} from './state';
import { TEMPLATE_SPEC } from './template';
import { clusterWithin, followed } from './trail';
import type { ExploredWorld } from './world';

/** A node comes back once it is empty. */
interface DrainState {
  readonly cluster: ExploredState;
  /** By node: whether it is still to be drained, is being drained, or was drained. */
  readonly marks: readonly DrainMark[];
}

type DrainMark = 'left' | 'now' | 'done';

const DRAIN = 'drain';

/** Where there are more nodes, each is drained alone. */
const MOST_NODES_IN_A_ROW = 8;
/** Where there are more nodes, each two are drained alone, and of more than the second number none. */
const MOST_PAIRS_IN_A_ROW = 4;
const MOST_NODES_IN_PAIRS = 12;

/** Whether every drain ends, alone and two at a time, and whether a drain of one node takes more than one replica away at a time. */
export function* askDrain(
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<readonly ScenarioAnswer[]> {
  const start = startState(world);
  const nodes = [...start.nodes.keys()];
  const { length } = nodes;
  const alone = length <= MOST_NODES_IN_A_ROW ? [nodes] : differentNodes(start, world).map(it => [it]);
  const searched = yield* drained(alone, 1, world, scheduler, shareOf(limits, 2));
  const single = yield* answerTo('drain', t('every drain of a node ends'), searched, world);
  const states = searched.states.length;
  // What never ends alone does not end beside another drain either, and without a budget no eviction is refused.
  const hasBudgets = world.scenario.cluster.budgets.length > 0;
  const isAskedOfTwo = hasBudgets && length > 1 && length <= MOST_NODES_IN_PAIRS && single.holds !== false;
  const twice = isAskedOfTwo
    ? yield* drained(length <= MOST_PAIRS_IN_A_ROW ? [nodes] : pairsOf(nodes), 2, world, scheduler, limits)
    : undefined;
  return [
    single,
    ...(twice ? [yield* answerTo('twoDrains', t('two drains at once end'), twice, world)] : []),
    ...availability(searched, world).map(it => ({ question: 'availability' as const, states, ...it })),
  ];
}

const pairsOf = (nodes: readonly number[]): readonly (readonly number[])[] =>
  nodes.flatMap((it, i) => nodes.slice(i + 1).map(other => [it, other]));

/** The drains of each of these lists of nodes, so many at once. */
function* drained(
  lists: readonly (readonly number[])[],
  atOnce: number,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
  limits: SpaceLimits,
): Steps<SearchedSpace<DrainState>> {
  return yield* searchSpace<DrainState>(
    {
      starts: startsOf(lists, startState(world)),
      keyOf: it => keyOf(it.cluster, world, toTell(it)),
      exactKeyOf: it => keyOf(it.cluster, NAMED_NODES, toTell(it)),
      movesFrom: it => movesFrom(it, atOnce, world, scheduler),
    },
    limits,
  );
}

/** Most nodes are done: only the others are told. */
const toTell = ({ marks }: DrainState): readonly string[] => marks.map(it => (it === 'done' ? '' : it));

function* startsOf(lists: readonly (readonly number[])[], cluster: ExploredState): Iterable<DrainState> {
  for (const list of lists) {
    const drained = new Set(list);
    yield { cluster, marks: cluster.nodes.map((_, i) => (drained.has(i) ? 'left' : 'done')) };
  }
}

function* answerTo(
  question: 'drain' | 'twoDrains',
  claim: string,
  searched: SearchedSpace<DrainState>,
  world: ExploredWorld,
): Steps<ScenarioAnswer> {
  const stuck = nearestWithout(searched, it => it.marks.every(mark => mark === 'done'), 'end');
  const states = searched.states.length;
  if (stuck === undefined) return { question, claim, holds: searched.isComplete ? true : undefined, states };
  return { question, claim, holds: false, states, trouble: yield* wedge(stuck, searched, world) };
}

function movesFrom(
  state: DrainState,
  atOnce: number,
  world: ExploredWorld,
  scheduler: SchedulerMoves,
): readonly Move<DrainState>[] {
  const { cluster, marks } = state;
  const urgent = controllerMoves(cluster, world);
  if (urgent.length > 0) return movesWithin(state, urgent);
  const scheduled = movesWithin(state, scheduler.from(cluster));
  const current = [...marks.keys()].filter(it => marks[it] === 'now');
  const moves = [...scheduled, ...current.flatMap(it => drainMoves(it, state, world))];
  if (current.length === 0 ? scheduled.length > 0 : current.length >= atOnce) return moves;
  const cordons = marks.flatMap((mark, node): readonly Move<DrainState>[] => {
    if (mark !== 'left' || cluster.nodes[node] !== 'up') return [];
    const nodes = cluster.nodes.with(node, 'cordoned');
    const by = { actor: DRAIN, step: t`cordon ${nodeName({ node }, world)}` };
    return [{ by, to: { cluster: { ...cluster, nodes }, marks: marks.with(node, 'now') } }];
  });
  return [...moves, ...cordons];
}

function drainMoves(
  current: number,
  { cluster, marks }: DrainState,
  world: ExploredWorld,
): readonly Move<DrainState>[] {
  const left = cluster.pods.filter(it => it.node === current && world.kinds[it.kind]!.ignoredBy !== 'drains');
  const name = nodeName({ node: current }, world);
  if (left.length === 0) {
    const nodes = cluster.nodes.with(current, 'up');
    const to = { cluster: { ...cluster, nodes }, marks: marks.with(current, 'done') };
    return [{ by: { actor: DRAIN, step: t`${name} is empty; uncordon it` }, to }];
  }
  // What ends already is waited for.
  const staying = left.filter(it => !isEnding(it) && !isCrowded(it, cluster, world));
  const byKind = [...new Map(staying.map(it => [`${it.kind}${it.phase}`, it])).values()];
  return byKind
    .filter(it => whyNotEvicted(it, cluster, world) === undefined)
    .map(it => ({
      by: { actor: DRAIN, step: t`evict ${world.kinds[it.kind]!.name} from ${name}` },
      to: { cluster: withDeleted(cluster, [it], world), marks },
    }));
}

/** Why the eviction API refuses a Pod now; undefined: it does not. Upstream: EvictionREST.Create. */
export function whyNotEvicted(pod: ExploredPod, state: ExploredState, world: ExploredWorld): string | undefined {
  const [budget, second] = budgetsOfPod(pod, world);
  if (budget === undefined || pod.phase === 'waits' || isEnding(pod)) return undefined;
  const nameOf = ({ source }: typeof budget): string => source.metadata?.name ?? '';
  if (second !== undefined) {
    return t`the budgets ${nameOf(budget)} and ${nameOf(second)} both select it, and the eviction API refuses a Pod with several`;
  }
  const { healthy, desired } = healthOf(budget, state, world);
  const policy = budget.source.spec?.unhealthyPodEvictionPolicy;
  const isReady = isAvailable(pod, state);
  if (!isReady && (policy === 'AlwaysAllow' || (desired !== undefined && desired > 0 && healthy >= desired)))
    return undefined;
  if (desired === undefined) {
    return t`the budget ${nameOf(budget)} counts by maxUnavailable or a percentage, and a Pod that it selects has no controller`;
  }
  if (healthy - desired > 0) return undefined;
  return healthy === 1
    ? t`the budget ${nameOf(budget)} wants ${desired} available, and 1 is`
    : t`the budget ${nameOf(budget)} wants ${desired} available, and ${healthy} are`;
}

function* wedge(stuck: number, searched: SearchedSpace<DrainState>, world: ExploredWorld): Steps<ClusterTrouble> {
  const { cluster, marks } = searched.states[stuck]!;
  if ((searched.edges[stuck]?.length ?? 0) > 0) {
    const found = yield* nearestCycle(searched, it => it.actor === DRAIN);
    if (found) {
      const { states, ...steps } = found;
      const says = t('a drain may go on for ever, as what it evicts comes back to the node');
      return { says, ...steps, trail: { world, states: states.map(clusterWithin) }, blamed: cameBack(cluster, world) };
    }
  }
  const current = [...marks.keys()].filter(it => marks[it] === 'now');
  const names = withAnd(current.map(node => nodeName({ node }, world)));
  const reasons = cluster.pods.flatMap(it => {
    if (!current.includes(it.node) || world.kinds[it.kind]!.ignoredBy === 'drains') return [];
    const why = whyNotEvicted(it, cluster, world);
    return why === undefined ? [] : [t`${world.kinds[it.kind]!.name} stays, as ${why}`];
  });
  const why = reasons.length === 0 ? '' : `: ${[...new Set(reasons)].slice(0, 3).join('; ')}`;
  const kept = cluster.pods.filter(it => current.includes(it.node) && whyNotEvicted(it, cluster, world) !== undefined);
  const blamed = kept.flatMap(it => blamedBudgets(budgetsOfPod(it, world)));
  const says = (current.length > 1 ? t`the drains of ${names} never end` : t`the drain of ${names} never ends`) + why;
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
    const claim = t`a drain of one node at a time takes one replica of ${title} away`;
    if (low < 0) return [{ about: title, claim, holds: searched.isComplete ? true : undefined }];
    const says = t`while one node at a time is drained, ${availableIn(states[low]!)} of ${own.length} replicas of ${title} are left`;
    const way = followed({ states, ...searched }, low, world, clusterWithin);
    return [
      { about: title, claim, holds: false, trouble: { says, ...way, blamed: [blaming(source, 'metadata', 'name')] } },
    ];
  });
}
