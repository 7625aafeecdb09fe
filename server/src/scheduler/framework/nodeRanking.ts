import type { PodModel } from '../../cluster/pods/podModel';
import { runFilter } from './cycle';
import type { Cycle, FilterRun, Profile, SchedulerPlugin } from './interface';
import type { NodeInfo } from './nodeInfo';
import { signatureOf } from './podSignature';
import { addTo, type Scorer, score, scorersFor, sharedScores } from './scores';

/**
 * How the nodes stand to Pods of which all is the same that the plugins look at which share their answers. It follows the
 * nodes as they change: a placement changes one of them, so that the next Pod of a workload asks one node and not all.
 * Upstream reaches for the same with OpportunisticBatching. All by `NodeInfo.index`.
 */
export interface NodeRanking {
  /** What the Pods have in common. */
  readonly sign: string;
  nodes: Cycle['nodes'];
  /** 1: no plugin that shares its answers refuses the Pods. */
  readonly fits: Uint8Array;
  /** What the plugins that share give a node that fits, with their weights; those that normalize aside. */
  readonly sums: Float64Array;
  /** What the filters and the scores that look at the Node object alone say of each node. */
  passed: Float64Array;
  nodeScores: Float64Array;
  /** The nodes that fit; another list once they are others. */
  at: Int32Array;
  /** Those that share and normalize scores which differ between nodes. */
  normalizing: readonly Scorer[];
}

/** What a decision needs where several nodes fit; the next cycle overwrites it. */
export interface RankedNodes {
  /** The nodes that fit, by `NodeInfo.index`. */
  readonly at: Int32Array;
  /** The sums of their scores, by place among them, less what all have in common. */
  readonly totals: Float64Array;
}

/** What looks at the Node object alone, and the others. */
interface ByScope<T> {
  readonly nodeOnly: T;
  readonly others: T;
}

/** The filters that share, in their order. */
export type Filters = ByScope<FilterRun>;

/** Once a filter looks at Pods, all that follow are among the others, since a refusal ends the node. */
export function filtersByScope({ active }: FilterRun): Filters {
  let length = 0;
  while (active[length]?.plugin.shares?.dependsOn === 'node') length += 1;
  return { nodeOnly: { active: active.slice(0, length) }, others: { active: active.slice(length) } };
}

/** The plugins of a profile as Pods of one workload meet them. */
export interface ScoringPlan {
  readonly sharing: ReadonlySet<SchedulerPlugin>;
  /** All of the Pods that these look at. */
  readonly sign: string;
  /** They share their answers, and their scores count as they are. */
  readonly summed: ByScope<readonly Scorer[]>;
  /** They share, and normalize. */
  readonly normalized: readonly Scorer[];
  /** The same profile with those alone that do not share. */
  readonly others: Pick<Profile, 'preScore' | 'score'>;
}

const NO_INDEXES = new Int32Array(0);
const NO_NUMBERS = new Float64Array(0);

/** Workloads come one after the other, so that few are under way at a time. */
const MAX_RANKINGS = 32;

/**
 * What filters and scores come to where nobody is nominated. Undefined where numbers do not tell all: fewer than two nodes
 * fit, a plugin failed, or may have failed where another one had refused already.
 */
export function rankNodes(run: FilterRun, pod: PodModel, cycle: Cycle, profile: Profile): RankedNodes | undefined {
  const plan = planFor(pod, cycle, profile);
  const { sharing, others, isMixed } = splitBySharing(run, plan);
  if (isMixed) return undefined;
  const ranking = rankingFor(filtersByScope(sharing), pod, cycle, plan);
  const at = ranking && feasibleAmong(others, pod, cycle, ranking.at);
  if (ranking === undefined || at === undefined || at.length < 2) return undefined;
  const totals = scratchBuffer('totals', at, cycle);
  for (let i = 0; i < at.length; i++) totals[i] = ranking.sums[at[i]!]!;
  addNormalized([...ranking.normalizing, ...scorersFor(plan.others, pod, cycle, at)], pod, cycle, at, totals);
  return { at, totals };
}

/** Adds what some plugins say of the nodes that fit, normalized and with their weights. */
export function addNormalized(
  scorers: readonly Scorer[],
  pod: PodModel,
  cycle: Cycle,
  at: Int32Array,
  totals: Float64Array,
): void {
  if (scorers.length === 0) return;
  const scores = scratchBuffer('scores', at, cycle);
  for (const scorer of scorers) {
    score(scorer, pod, cycle, at, scores);
    scorer.plugin.normalizeScore?.(scores, scorer.state, at);
    addTo(totals, scores, scorer.weight);
  }
}

/** The filters that share their answers, and those from the first one on that does not. */
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

/** Numbers of the nodes that fit, which the next one who asks for the same overwrites. */
export function scratchBuffer(what: string, { length }: Int32Array, { work, nodes }: Cycle): Float64Array {
  const buffer = work.once(what, () => new Float64Array(nodes.length));
  return length === buffer.length ? buffer : buffer.subarray(0, length);
}

export function pluginsOf({ preFilter, filter, preScore, score }: Profile): ReadonlySet<SchedulerPlugin> {
  return new Set([...preFilter, ...filter, ...preScore, ...score.map(it => it.plugin)]);
}

export function planFor(pod: PodModel, cycle: Cycle, profile: Profile): ScoringPlan {
  return cycle.work.forClass(pod)(profile.score, () => {
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

/** Who says the same of all nodes, before it normalizes and so after it, moves none ahead of another. */
function scoresAllNodesEqually(scorer: Scorer, pod: PodModel, cycle: Cycle): boolean {
  if (scorer.plugin.shares?.dependsOn !== 'node') return false;
  const scores = sharedScores(scorer, pod, cycle, NO_INDEXES);
  return scores?.every(it => it === scores[0]) === true;
}

/** All that some plugins look at of a Pod. */
function signatureOfAll(list: Iterable<Pick<Scorer, 'plugin'>>, pod: PodModel, { work }: Cycle): string {
  const signatures = Array.from(list, ({ plugin }) => `${plugin.name}=${signatureOf(plugin, pod, work)}`);
  return [pod.schedulerName, ...signatures].join('\n');
}

/** Undefined: a plugin failed. */
export function rankingFor(filters: Filters, pod: PodModel, cycle: Cycle, plan: ScoringPlan): NodeRanking | undefined {
  const { work, nodes } = cycle;
  const kept = work.once('standings', (): NodeRanking[] => []);
  const known = kept.find(it => it.sign === plan.sign);
  const ranking = known ?? emptyRanking(plan.sign, nodes.length);
  if (!known) kept.unshift(ranking);
  kept.length = Math.min(kept.length, MAX_RANKINGS);
  const changed = work.changed(ranking.nodes, nodes);
  const isSameCluster = changed.every(it => ranking.nodes[it]?.node === nodes[it]!.node);
  if (!isSameCluster) evaluateNodeObjects(ranking, filters, pod, cycle, plan);
  if (!evaluateNodes(ranking, changed, filters, pod, cycle, plan)) {
    kept.splice(kept.indexOf(ranking), 1);
    return undefined;
  }
  ranking.nodes = nodes;
  return ranking;
}

/** What hangs on the Node objects alone, which is the same from run to run as long as these are. */
function evaluateNodeObjects(
  ranking: NodeRanking,
  { nodeOnly }: Filters,
  pod: PodModel,
  cycle: Cycle,
  { summed, normalized }: ScoringPlan,
): void {
  const { work, nodes } = cycle;
  const passes = (node: NodeInfo): number => {
    const refusal = runFilter(nodeOnly, pod, node, cycle);
    if (refusal === undefined) return 1;
    return refusal.status.code === 'Error' ? FAILED : 0;
  };
  const scoreOf = (node: NodeInfo): number => sumOf(summed.nodeOnly, pod, node, cycle);
  const signatures = [nodeOnly.active, summed.nodeOnly].map(list => signatureOfAll(list, pod, cycle));
  ranking.passed = work.numbers(`passed\n${signatures[0]}`, 'node', passes, nodes);
  ranking.nodeScores = work.numbers(`told\n${signatures[1]}`, 'node', scoreOf, nodes);
  ranking.normalizing = normalized.filter(it => !scoresAllNodesEqually(it, pod, cycle));
}

/** Asks the nodes that have changed; false: a plugin failed. */
function evaluateNodes(
  ranking: NodeRanking,
  changed: readonly number[],
  filters: Filters,
  pod: PodModel,
  cycle: Cycle,
  { summed }: ScoringPlan,
): boolean {
  const { fits, sums, passed, nodeScores: scores } = ranking;
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
  if (!isSame) ranking.at = indexesOf(fits);
  return true;
}

/** What filters that fail come to among those that let a Pod pass, 1, and those that do not, 0. */
const FAILED = -1;

const emptyRanking = (sign: string, length: number): NodeRanking => ({
  sign,
  nodes: [],
  fits: new Uint8Array(length),
  sums: new Float64Array(length),
  passed: NO_NUMBERS,
  nodeScores: NO_NUMBERS,
  at: NO_INDEXES,
  normalizing: [],
});

export function indexesOf(fits: Uint8Array): Int32Array {
  const places = new Int32Array(fits.length);
  let length = 0;
  for (let i = 0; i < fits.length; i++) if (fits[i] === 1) places[length++] = i;
  return places.slice(0, length);
}

function sumOf(scorers: readonly Scorer[], pod: PodModel, node: NodeInfo, cycle: Cycle): number {
  let sum = 0;
  for (const { plugin, weight, state } of scorers) sum += weight * plugin.score!(state, pod, node, cycle);
  return sum;
}

/** The nodes that the filters leave; the same list where they leave all of them. Undefined: one failed. */
function feasibleAmong(run: FilterRun, pod: PodModel, cycle: Cycle, at: Int32Array): Int32Array | undefined {
  if (run.active.length === 0) return at;
  const fits = cycle.work.once('fits', () => new Uint8Array(cycle.nodes.length)).fill(0);
  let count = 0;
  for (let i = 0; i < at.length; i++) {
    const refusal = runFilter(run, pod, cycle.nodes[at[i]!]!, cycle);
    if (refusal?.status.code === 'Error') return undefined;
    if (refusal) continue;
    fits[at[i]!] = 1;
    count += 1;
  }
  return count === at.length ? at : indexesOf(fits);
}
