import type { NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import { runFilter } from './cycle';
import type { Cycle, FilterRun, Profile, SchedulerPlugin } from './interface';
import type { NodeInfo } from './nodeInfo';
import { signatureOf } from './podSignature';
import { addTo, type Scorer, score, scorersFor, sharedScores } from './scores';
import type { BorrowedNumbers } from './sharedWork';

/**
 * Feasibility and score sums per node, cached for all Pods with one signature, of the plugins that share their answers.
 * It is updated as nodes change: a placement changes one node, so the next Pod of a workload evaluates one node instead
 * of all. Upstream's OpportunisticBatching has the same aim. All arrays are indexed by `NodeInfo.index`.
 */
export interface NodeRanking {
  /** The signature of the Pods. */
  readonly sign: string;
  nodes: Cycle['nodes'];
  /** 1: no plugin that shares its answers refuses the Pods. */
  readonly fits: Uint8Array;
  /** Weighted score sums of the feasible nodes, from sharing plugins without normalizeScore. */
  readonly sums: Float64Array;
  /** Results of the filters and scores that depend on the Node object alone. */
  passed: BorrowedNumbers;
  nodeScores: BorrowedNumbers;
  /** `NodeInfo.index` of the feasible nodes; replaced by a new array when they change. */
  feasible: Int32Array;
  /** Sharing plugins that normalize and whose scores differ between nodes. */
  normalizing: readonly Scorer[];
}

/**
 * The feasible nodes and their totals, for a decision among several nodes. Both buffers belong to the run's
 * `SharedWork`: they are valid until the next call of `rankNodes` or `rankByTracking` with the same work, which
 * overwrites them.
 */
export interface RankedNodes {
  /** `NodeInfo.index` of the feasible nodes. */
  readonly feasible: BorrowedNumbers;
  /** Their score totals, by position in `feasible`, without the amount that is equal for all. */
  readonly totals: BorrowedNumbers;
}

/** What depends on the Node object alone, and the rest. */
interface ByScope<T> {
  readonly nodeOnly: T;
  readonly others: T;
}

/** The filters that share their answers, in calling order. */
export type Filters = ByScope<FilterRun>;

/**
 * From the first filter on that depends on Pods, all filters count as `others`: a refusal ends the evaluation of a
 * node, so the order matters.
 */
export function filtersByScope({ active }: FilterRun): Filters {
  let length = 0;
  while (active[length]?.plugin.shares?.dependsOn === 'node') length += 1;
  return { nodeOnly: { active: active.slice(0, length) }, others: { active: active.slice(length) } };
}

/** How the plugins of a profile treat the Pods of one equivalence class. */
export interface ScoringPlan {
  readonly sharing: ReadonlySet<SchedulerPlugin>;
  /** Everything that the sharing plugins read of the Pods. */
  readonly sign: string;
  /** Scorers that share their answers and do not normalize. */
  readonly summed: ByScope<readonly Scorer[]>;
  /** Scorers that share their answers and normalize. */
  readonly normalized: readonly Scorer[];
  /** The profile's scoring plugins that do not share. */
  readonly others: Pick<Profile, 'preScore' | 'score'>;
}

const NO_INDEXES = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);

/** Workloads are scheduled one after the other, so few rankings are in use at a time. */
const MAX_RANKINGS = 32;

/**
 * Filters and scores without nominated Pods. undefined where the totals cannot decide: fewer than two nodes fit, a
 * plugin failed, or may have failed on a node that another plugin had refused before.
 */
export function rankNodes(run: FilterRun, pod: PodModel, cycle: Cycle, profile: Profile): RankedNodes | undefined {
  const plan = planFor(pod, cycle, profile);
  const { sharing, others, isMixed } = splitBySharing(run, plan);
  if (isMixed) return undefined;
  const ranking = rankingFor(filtersByScope(sharing), pod, cycle, plan);
  const feasible = ranking && feasibleAmong(others, pod, cycle, ranking.feasible);
  if (ranking === undefined || feasible === undefined || feasible.length < 2) return undefined;
  const totals = scratchBuffer('totals', feasible, cycle);
  for (let i = 0; i < feasible.length; i++) totals[i] = ranking.sums[feasible[i]!]!;
  addNormalized(
    [...ranking.normalizing, ...scorersFor(plan.others, pod, cycle, feasible)],
    pod,
    cycle,
    feasible,
    totals,
  );
  return { feasible, totals };
}

/** Adds the weighted scores of plugins to the totals of the feasible nodes, after normalization. */
export function addNormalized(
  scorers: readonly Scorer[],
  pod: PodModel,
  cycle: Cycle,
  feasible: Int32Array,
  totals: Float64Array,
): void {
  if (scorers.length === 0) return;
  const scores = scratchBuffer('scores', feasible, cycle);
  for (const scorer of scorers) {
    score(scorer, pod, cycle, feasible, scores);
    scorer.plugin.normalizeScore?.(scores, scorer.state, feasible);
    addTo(totals, scores, scorer.weight);
  }
}

/** The leading filters that share their answers, and all filters from the first one on that does not. */
function splitBySharing(
  { active }: FilterRun,
  { sharing }: ScoringPlan,
): { readonly sharing: FilterRun; readonly others: FilterRun; readonly isMixed: boolean } {
  let i = 0;
  while (i < active.length && sharing.has(active[i]!.plugin)) i += 1;
  const others = active.slice(i);
  const isMixed = others.some(it => sharing.has(it.plugin));
  return { sharing: { active: active.slice(0, i) }, others: { active: others }, isMixed };
}

/**
 * A buffer with one number for each feasible node. It belongs to the run's `SharedWork`; the next caller with the same
 * `purpose` overwrites it.
 */
export function scratchBuffer(purpose: string, { length }: Int32Array, { work, nodes }: Cycle): Float64Array {
  const buffer = work.always(purpose, () => new Float64Array(nodes.length));
  return length === buffer.length ? buffer : buffer.subarray(0, length);
}

export function pluginsOf({ preFilter, filter, preScore, score }: Profile): ReadonlySet<SchedulerPlugin> {
  return new Set([...preFilter, ...filter, ...preScore, ...score.map(it => it.plugin)]);
}

export function planFor(pod: PodModel, cycle: Cycle, profile: Profile): ScoringPlan {
  return cycle.work.alwaysForClass(pod)(profile.score, () => {
    const isShared = (plugin: SchedulerPlugin): boolean => signatureOf(plugin, pod, cycle.work) !== undefined;
    const plugins = new Set([...pluginsOf(profile)].filter(isShared));
    const sharingPlugins = {
      preScore: profile.preScore.filter(isShared),
      score: profile.score.filter(it => isShared(it.plugin)),
    };
    const sharing = scorersFor(sharingPlugins, pod, cycle, NO_INDEXES);
    return {
      sharing: plugins,
      sign: signatureOfAll(
        Array.from(plugins, plugin => ({ plugin })),
        pod,
        cycle,
      ),
      summed: {
        nodeOnly: sharing.filter(it => !it.plugin.normalizeScore && it.plugin.shares?.dependsOn === 'node'),
        others: sharing.filter(it => !it.plugin.normalizeScore && it.plugin.shares?.dependsOn !== 'node'),
      },
      normalized: sharing.filter(it => it.plugin.normalizeScore),
      others: {
        preScore: profile.preScore.filter(it => !isShared(it)),
        score: profile.score.filter(it => !isShared(it.plugin)),
      },
    };
  });
}

/**
 * Whether a scorer gives all nodes the same score, before and hence after normalization, so that it cannot change the
 * ranking.
 */
function scoresAllNodesEqually(scorer: Scorer, pod: PodModel, cycle: Cycle): boolean {
  if (scorer.plugin.shares?.dependsOn !== 'node') return false;
  const scores = sharedScores(scorer, pod, cycle, NO_INDEXES);
  if (scores === undefined) return false;
  for (let i = 1; i < scores.length; i++) if (scores[i] !== scores[0]) return false;
  return true;
}

/** Everything that some plugins read of a Pod. */
function signatureOfAll(list: Iterable<Pick<Scorer, 'plugin'>>, pod: PodModel, { work }: Cycle): string {
  const signatures = Array.from(list, ({ plugin }) => `${plugin.name}=${signatureOf(plugin, pod, work)}`);
  return [pod.schedulerName, ...signatures].join('\n');
}

/** The ranking for the Pod's signature, brought up to date. undefined: a plugin failed. */
export function rankingFor(filters: Filters, pod: PodModel, cycle: Cycle, plan: ScoringPlan): NodeRanking | undefined {
  const { work, nodes } = cycle;
  const kept = work.always('standings', (): NodeRanking[] => []);
  const cached = kept.find(it => it.sign === plan.sign);
  const ranking = cached ?? emptyRanking(plan.sign, nodes.length);
  if (!cached) kept.unshift(ranking);
  kept.length = Math.min(kept.length, MAX_RANKINGS);
  const changed = work.changed(ranking.nodes, nodes);
  const isSameCluster = changed.every(it => ranking.nodes[it]?.node === nodes[it]!.node);
  if (!isSameCluster) Object.assign(ranking, nodeObjectAnswers(filters, pod, cycle, plan));
  if (!evaluateNodes(ranking, changed, filters, pod, cycle, plan)) {
    kept.splice(kept.indexOf(ranking), 1);
    return undefined;
  }
  ranking.nodes = nodes;
  return ranking;
}

type NodeObjectAnswers = Pick<NodeRanking, 'passed' | 'nodeScores' | 'normalizing'>;

/** What depends on the Node objects alone; it stays valid across runs as long as these objects do. */
function nodeObjectAnswers(filters: Filters, pod: PodModel, cycle: Cycle, plan: ScoringPlan): NodeObjectAnswers {
  const objects = nodeObjects(cycle);
  const kept = cycle.work.alwaysForClass(pod)(plan, (): KeptAnswers => ({ of: undefined, answers: undefined }));
  if (kept.of !== objects)
    Object.assign(kept, { of: objects, answers: evaluateNodeObjects(filters, pod, cycle, plan) });
  return kept.answers!;
}

interface KeptAnswers {
  readonly of: readonly NodeModel[] | undefined;
  readonly answers: NodeObjectAnswers | undefined;
}

/** The Node objects of a cycle; the same list as long as they are the same. */
function nodeObjects({ work, nodes }: Cycle): readonly NodeModel[] {
  const kept = work.always('node objects', (): { list: readonly NodeModel[] } => ({ list: [] }));
  if (!areOf(kept.list, nodes)) kept.list = nodes.map(it => it.node);
  return kept.list;
}

function areOf(objects: readonly NodeModel[], nodes: Cycle['nodes']): boolean {
  if (objects.length !== nodes.length) return false;
  for (let i = 0; i < nodes.length; i++) if (objects[i] !== nodes[i]!.node) return false;
  return true;
}

function evaluateNodeObjects(
  { nodeOnly }: Filters,
  pod: PodModel,
  cycle: Cycle,
  { summed, normalized }: ScoringPlan,
): NodeObjectAnswers {
  const { work, nodes } = cycle;
  const passes = (node: NodeInfo): number => {
    const refusal = runFilter(nodeOnly, pod, node, cycle);
    if (refusal === undefined) return 1;
    return refusal.status.code === 'Error' ? FAILED : 0;
  };
  const scoreOf = (node: NodeInfo): number => sumOf(summed.nodeOnly, pod, node, cycle);
  const signatures = [nodeOnly.active, summed.nodeOnly].map(list => signatureOfAll(list, pod, cycle));
  return {
    passed: work.numbers(`passed\n${signatures[0]}`, 'node', passes, nodes),
    nodeScores: work.numbers(`scores\n${signatures[1]}`, 'node', scoreOf, nodes),
    normalizing: normalized.filter(it => !scoresAllNodesEqually(it, pod, cycle)),
  };
}

/** With fewer nodes than this it does not pay to prepare for many. */
const MANY_NODES = 4;

/** Evaluates the changed nodes. false: a plugin failed. */
function evaluateNodes(
  ranking: NodeRanking,
  changed: readonly number[],
  filters: Filters,
  pod: PodModel,
  cycle: Cycle,
  plan: ScoringPlan,
): boolean {
  const { fits, sums, passed, nodeScores: scores } = ranking;
  const { summed } = plan;
  if (changed.length >= MANY_NODES && filters.others.active.every(it => it.plugin.filterMany)) {
    return evaluateManyNodes(ranking, changed, filters.others, pod, cycle, summed.others);
  }
  let isSame = true;
  for (let i = 0; i < changed.length; i++) {
    const index = changed[i]!;
    if (passed[index] === FAILED) return false;
    const node = cycle.nodes[index]!;
    const refusal = passed[index] === 1 ? runFilter(filters.others, pod, node, cycle) : undefined;
    if (refusal?.status.code === 'Error') return false;
    const isFit = passed[index] === 1 && refusal === undefined ? 1 : 0;
    isSame &&= fits[index] === isFit;
    fits[index] = isFit;
    if (isFit === 1) sums[index] = scores[index]! + sumOf(summed.others, pod, node, cycle);
  }
  if (!isSame) ranking.feasible = indexesOf(fits);
  return true;
}

/** The same where no filter can fail, plugin by plugin. */
function evaluateManyNodes(
  ranking: NodeRanking,
  changed: readonly number[],
  { active }: FilterRun,
  pod: PodModel,
  cycle: Cycle,
  scorers: readonly Scorer[],
): boolean {
  const { fits, sums, passed, nodeScores: scores } = ranking;
  const before = cycle.work.always('fits before', () => new Uint8Array(cycle.nodes.length));
  for (let i = 0; i < changed.length; i++) {
    const index = changed[i]!;
    if (passed[index] === FAILED) return false;
    before[index] = fits[index]!;
    fits[index] = passed[index]!;
    sums[index] = scores[index]!;
  }
  for (const { plugin, state } of active) plugin.filterMany!(state, pod, cycle, changed, fits);
  for (const scorer of scorers) addScores(scorer, pod, cycle, changed, ranking);
  let isSame = true;
  for (let i = 0; i < changed.length; i++) isSame &&= fits[changed[i]!] === before[changed[i]!];
  if (!isSame) ranking.feasible = indexesOf(fits);
  return true;
}

function addScores(
  { plugin, weight, state }: Scorer,
  pod: PodModel,
  cycle: Cycle,
  indexes: readonly number[],
  { fits, sums }: Pick<NodeRanking, 'fits' | 'sums'>,
): void {
  if (plugin.addScores) {
    plugin.addScores(state, cycle, indexes, fits, { sums, weight });
    return;
  }
  for (const it of indexes) {
    if (fits[it] === 1) sums[it]! += weight * plugin.score!(state, pod, cycle.nodes[it]!, cycle);
  }
}

/** The value in `passed` for a node whose filter failed; 1: the Pod passes, 0: it does not. */
const FAILED = -1;

const emptyRanking = (sign: string, length: number): NodeRanking => ({
  sign,
  nodes: [],
  fits: new Uint8Array(length),
  sums: new Float64Array(length),
  passed: NO_NUMBERS,
  nodeScores: NO_NUMBERS,
  feasible: NO_INDEXES,
  normalizing: [],
});

export function indexesOf(fits: Uint8Array): Int32Array {
  let length = 0;
  for (let i = 0; i < fits.length; i++) length += fits[i]!;
  const indexes = new Int32Array(length);
  for (let i = fits.length - 1; length > 0; i--) if (fits[i] === 1) indexes[--length] = i;
  return indexes;
}

function sumOf(scorers: readonly Scorer[], pod: PodModel, node: NodeInfo, cycle: Cycle): number {
  let sum = 0;
  for (const { plugin, weight, state } of scorers) sum += weight * plugin.score!(state, pod, node, cycle);
  return sum;
}

/** The nodes that the filters leave; `feasible` itself where they leave all. undefined: a filter failed. */
function feasibleAmong(run: FilterRun, pod: PodModel, cycle: Cycle, feasible: Int32Array): Int32Array | undefined {
  if (run.active.length === 0) return feasible;
  const fits = cycle.work.always('fits', () => new Uint8Array(cycle.nodes.length)).fill(0);
  let count = 0;
  for (let i = 0; i < feasible.length; i++) {
    const refusal = runFilter(run, pod, cycle.nodes[feasible[i]!]!, cycle);
    if (refusal?.status.code === 'Error') return undefined;
    if (refusal) continue;
    fits[feasible[i]!] = 1;
    count += 1;
  }
  return count === feasible.length ? feasible : indexesOf(fits);
}
