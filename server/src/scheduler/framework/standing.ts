import type { PodModel } from '../../cluster/model';
import { type FilterRun, runFilter } from './cycle';
import type { NodeInfo } from './nodeInfo';
import type { Cycle } from './plugin';
import type { Profile } from './profile';
import { addTo, type Scorer, score, scorersFor, toldBy } from './scores';
import { signBy } from './sharing';

/**
 * How the nodes stand to Pods of which all is the same that the plugins look at which share their answers. It follows the
 * nodes as they change: a placement changes one of them, so that the next Pod of a workload asks one node and not all.
 * Upstream reaches for the same with OpportunisticBatching. All by `NodeInfo.index`.
 */
interface Standing {
  /** What the Pods have in common. */
  readonly sign: string;
  nodes: Cycle['nodes'];
  /** 1: no plugin that shares its answers refuses the Pods. */
  readonly fits: Uint8Array;
  /** What the plugins that share give a node that fits, with their weights; those that normalize aside. */
  readonly sums: Float64Array;
  /** The nodes that fit; another list once they are others. */
  at: Int32Array;
  /** Those that share and normalize scores which differ between nodes. */
  uneven: readonly Scorer[];
}

/** What a decision needs where several nodes fit; the next cycle overwrites it. */
export interface Ranking {
  /** The nodes that fit, by `NodeInfo.index`. */
  readonly at: Int32Array;
  /** The sums of their scores, by place among them, less what all have in common. */
  readonly totals: Float64Array;
}

/** The plugins of a profile as Pods of one workload meet them. */
interface Plan {
  readonly sharing: ReadonlySet<Scorer['plugin']>;
  /** All of the Pods that these look at. */
  readonly sign: string;
  /** They share their answers, and their scores count as they are. */
  readonly summed: readonly Scorer[];
  /** They share, and normalize. */
  readonly normalized: readonly Scorer[];
  /** The same profile with those alone that do not share. */
  readonly others: Pick<Profile, 'preScore' | 'score'>;
}

const NO_PLACES = new Int32Array(0);

/** Workloads come one after the other, so that few are under way at a time. */
const MOST_STANDINGS = 32;

/**
 * What filters and scores come to where nobody is nominated. Undefined where numbers do not tell all: fewer than two nodes
 * fit, a plugin failed, or may have failed where another one had refused already.
 */
export function ranked(run: FilterRun, pod: PodModel, cycle: Cycle, profile: Profile): Ranking | undefined {
  const plan = planFor(pod, cycle, profile);
  const { sharing, others, isMixed } = parted(run, plan);
  if (isMixed) return undefined;
  const standing = standingFor(sharing, pod, cycle, plan);
  const at = standing && leftBy(others, pod, cycle, standing.at);
  if (standing === undefined || at === undefined || at.length < 2) return undefined;
  const totals = placeFor('totals', at, cycle);
  const scores = placeFor('scores', at, cycle);
  for (let i = 0; i < at.length; i++) totals[i] = standing.sums[at[i]!]!;
  for (const scorer of [...standing.uneven, ...scorersFor(plan.others, pod, cycle, at)]) {
    score(scorer, pod, cycle, at, scores);
    scorer.plugin.normalizeScore?.(scores, scorer.state, at);
    addTo(totals, scores, scorer.weight);
  }
  return { at, totals };
}

/** The filters that share their answers, and those from the first one on that does not. */
function parted(
  { active }: FilterRun,
  { sharing }: Plan,
): { readonly sharing: FilterRun; readonly others: FilterRun; readonly isMixed: boolean } {
  let i = 0;
  while (i < active.length && sharing.has(active[i]!.plugin)) i += 1;
  const others = active.slice(i);
  const isMixed = others.some(it => sharing.has(it.plugin));
  return { sharing: { active: active.slice(0, i) }, others: { active: others }, isMixed };
}

function placeFor(what: string, { length }: Int32Array, { work, nodes }: Cycle): Float64Array {
  const place = work.once(what, () => new Float64Array(nodes.length));
  return length === place.length ? place : place.subarray(0, length);
}

function planFor(pod: PodModel, cycle: Cycle, profile: Profile): Plan {
  return cycle.work.twins(pod)(profile.score, () => {
    const isShared = (plugin: Scorer['plugin']): boolean => signBy(plugin, pod, cycle.work) !== undefined;
    const plugins = new Set([...profile.filter, ...profile.score.map(it => it.plugin)].filter(isShared));
    const sharers = {
      preScore: profile.preScore.filter(isShared),
      score: profile.score.filter(it => isShared(it.plugin)),
    };
    const sharing = scorersFor(sharers, pod, cycle, NO_PLACES);
    return {
      sharing: plugins,
      sign: [profile.schedulerName, ...[...plugins].map(it => `${it.name}=${signBy(it, pod, cycle.work)}`)].join('\n'),
      summed: sharing.filter(it => !it.plugin.normalizeScore),
      normalized: sharing.filter(it => it.plugin.normalizeScore),
      others: {
        preScore: profile.preScore.filter(it => !isShared(it)),
        score: profile.score.filter(it => !isShared(it.plugin)),
      },
    };
  });
}

/** Who says the same of all nodes, before it normalizes and so after it, moves none ahead of another. */
function isLevel(scorer: Scorer, pod: PodModel, cycle: Cycle): boolean {
  if (scorer.plugin.shares?.looksAt !== 'node') return false;
  const told = toldBy(scorer, pod, cycle, NO_PLACES);
  return told?.every(it => it === told[0]) === true;
}

/** Undefined: a plugin failed. */
function standingFor(run: FilterRun, pod: PodModel, cycle: Cycle, plan: Plan): Standing | undefined {
  const { work, nodes } = cycle;
  const kept = work.once('standings', (): Standing[] => []);
  const known = kept.find(it => it.sign === plan.sign);
  const standing = known ?? nobodyAsked(plan.sign, nodes.length);
  if (!known) kept.unshift(standing);
  kept.length = Math.min(kept.length, MOST_STANDINGS);
  const { fits, sums } = standing;
  let [isSame, isSameCluster] = [true, true];
  for (const index of work.changed(standing.nodes, nodes)) {
    const node = nodes[index]!;
    isSameCluster &&= standing.nodes[index]?.node === node.node;
    const refusal = runFilter(run, pod, node, cycle);
    if (refusal?.status.code === 'Error') {
      kept.splice(kept.indexOf(standing), 1);
      return undefined;
    }
    const isFit = refusal === undefined ? 1 : 0;
    isSame &&= fits[index] === isFit;
    fits[index] = isFit;
    if (isFit) sums[index] = sumOf(plan.summed, pod, node, cycle);
  }
  standing.nodes = nodes;
  if (!isSame) standing.at = placesOf(fits);
  if (!isSameCluster) standing.uneven = plan.normalized.filter(it => !isLevel(it, pod, cycle));
  return standing;
}

const nobodyAsked = (sign: string, length: number): Standing => ({
  sign,
  nodes: [],
  fits: new Uint8Array(length),
  sums: new Float64Array(length),
  at: NO_PLACES,
  uneven: [],
});

function placesOf(fits: Uint8Array): Int32Array {
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
function leftBy(run: FilterRun, pod: PodModel, cycle: Cycle, at: Int32Array): Int32Array | undefined {
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
  return count === at.length ? at : placesOf(fits);
}
