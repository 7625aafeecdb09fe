import type { PodModel } from '../../cluster/pods/podModel';
import { sharedPreFilterAnswers } from './cycle';
import type { Cycle, Profile, SchedulerPlugin, Tracker } from './interface';
import type { ClassScores } from './nodeClasses';
import {
  addNormalized,
  type Filters,
  filtersByScope,
  indexesOf,
  type NodeRanking,
  planFor,
  pluginsOf,
  type RankedNodes,
  rankingFor,
  type ScoringPlan,
  scratchBuffer,
} from './nodeRanking';
import { signatureOf } from './podSignature';
import { isRefusal } from './status';

/**
 * How a profile decides about the Pods of one equivalence class when each of its plugins shares its answers or tracks
 * the cluster.
 */
interface TrackingPlan {
  readonly plan: ScoringPlan;
  readonly filters: Filters;
  readonly trackers: readonly Tracking[];
}

interface Tracking {
  readonly plugin: SchedulerPlugin;
  readonly filters: boolean;
  /** Absent: it does not score. */
  readonly weight?: number;
}

/** The trackers of one plan, with the nodes that they are up to date with. */
interface Tracked {
  readonly trackingPlan: TrackingPlan;
  readonly trackers: readonly Tracker[];
  nodes: Cycle['nodes'];
  /** The inputs of the last `feasibleAfter`, and its result. */
  feasibleBefore: Int32Array | undefined;
  refused: readonly (Uint8Array | undefined)[];
  feasible: Int32Array;
}

const NO_INDEXES = new Int32Array(0);

/**
 * Each tracker holds numbers for every node; workloads are scheduled one after the other, so few trackers are in use.
 */
const MAX_TRACKED = 32;

/**
 * The same result as `rankNodes`, without PreFilter and PreScore: plugins that read the whole cluster track the changes
 * of the last placements. undefined where a plugin neither shares nor tracks, fewer than two nodes fit, or a plugin
 * failed. The result is overwritten by the next call.
 */
export function rankByTracking(pod: PodModel, cycle: Cycle, profile: Profile): RankedNodes | undefined {
  const trackingPlan = cycle.work.alwaysForClass(pod)(profile.filter, () => trackingPlanFor(pod, cycle, profile));
  const ranking = trackingPlan && rankingFor(trackingPlan.filters, pod, cycle, trackingPlan.plan);
  if (trackingPlan === undefined || ranking === undefined || ranking.feasible.length < 2) return undefined;
  const tracked = trackedFor(trackingPlan, pod, cycle);
  const feasible = feasibleAfter(tracked, ranking, cycle);
  if (feasible.length < 2) return undefined;
  const totals = scratchBuffer('totals', feasible, cycle);
  sumInto(ranking.sums, classScores(tracked, feasible), feasible, totals);
  addNormalized(ranking.normalizing, pod, cycle, feasible, totals);
  return { feasible, totals };
}

function classScores({ trackingPlan, trackers }: Tracked, feasible: Int32Array): readonly ClassScores[] {
  const found: ClassScores[] = [];
  for (let i = 0; i < trackers.length; i++) {
    const { weight } = trackingPlan.trackers[i]!;
    const scores = weight === undefined ? undefined : trackers[i]!.scores(feasible, weight);
    if (scores) found.push(scores);
  }
  return found;
}

function sumInto(sums: Float64Array, given: readonly ClassScores[], feasible: Int32Array, totals: Float64Array): void {
  const [first, ...others] = given;
  if (first === undefined) {
    for (let i = 0; i < feasible.length; i++) totals[i] = sums[feasible[i]!]!;
    return;
  }
  // One loop for both: it goes through all nodes for each Pod.
  const { classes, worth } = first;
  for (let i = 0; i < feasible.length; i++) {
    const index = feasible[i]!;
    totals[i] = sums[index]! + worth[classes[index]!]!;
  }
  for (const { classes, worth } of others) {
    for (let i = 0; i < feasible.length; i++) totals[i]! += worth[classes[feasible[i]!]!]!;
  }
}

function trackingPlanFor(pod: PodModel, cycle: Cycle, profile: Profile): TrackingPlan | undefined {
  const plan = planFor(pod, cycle, profile);
  const shared = sharedPreFilterAnswers(profile, pod, cycle);
  const others = [...pluginsOf(profile)].filter(it => !plan.sharing.has(it));
  const canAllTrack = others.every(it => it.track !== undefined && preparesWhereItDecides(it, profile));
  const isUnrestricted = shared.every(it => it === undefined || (!isRefusal(it.status) && it.nodeNames === undefined));
  if (!canAllTrack || !isUnrestricted) return undefined;
  const answers = new Map(profile.preFilter.map((it, i) => [it.name, shared[i]]));
  const active = profile.filter.filter(it => plan.sharing.has(it) && answers.get(it.name)?.status.code !== 'Skip');
  return {
    plan,
    filters: filtersByScope({ active: active.map(plugin => ({ plugin, state: answers.get(plugin.name)?.state })) }),
    trackers: others.map((plugin): Tracking => {
      const weight = profile.score.find(it => it.plugin === plugin)?.weight;
      return { plugin, filters: profile.filter.includes(plugin), ...(weight !== undefined && { weight }) };
    }),
  };
}

/** Whether all that a profile decides about a Pod, preemption included, is the same for each Pod that differs in its name only. */
export function readsClassAlone(pod: PodModel, cycle: Cycle, profile: Profile): boolean {
  const deciding = pluginsOf(profile);
  return [...deciding, ...profile.postFilter].every(it =>
    it.shares ? signatureOf(it, pod, cycle.work) !== undefined : it.track !== undefined || !deciding.has(it),
  );
}

/** Whether the profile enables a plugin's preparing extension points exactly where it enables the deciding ones. */
function preparesWhereItDecides(plugin: SchedulerPlugin, { preFilter, filter, preScore, score }: Profile): boolean {
  const isScored = score.some(it => it.plugin === plugin);
  return preFilter.includes(plugin) === filter.includes(plugin) && preScore.includes(plugin) === isScored;
}

function trackedFor(trackingPlan: TrackingPlan, pod: PodModel, cycle: Cycle): Tracked {
  const { work, nodes } = cycle;
  const kept = work.following('tracked', (): Tracked[] => []);
  const cached = kept.find(it => it.trackingPlan === trackingPlan);
  const tracked = cached ?? {
    trackingPlan,
    trackers: trackingPlan.trackers.map(it => it.plugin.track!(pod, cycle)),
    nodes: [],
    feasibleBefore: undefined,
    refused: [],
    feasible: NO_INDEXES,
  };
  if (!cached) kept.unshift(tracked);
  kept.length = Math.min(kept.length, MAX_TRACKED);
  const changed = work.changed(tracked.nodes, nodes);
  for (const it of tracked.trackers) it.follow(pod, cycle, changed);
  tracked.nodes = nodes;
  return tracked;
}

function clearRefused(fits: Uint8Array, refused: Uint8Array): void {
  for (let i = 0; i < fits.length; i++) if (refused[i] === 1) fits[i] = 0;
}

/** The feasible nodes; the same array as long as they are the same. */
function feasibleAfter(tracked: Tracked, { feasible }: NodeRanking, { work, nodes }: Cycle): Int32Array {
  const { trackingPlan, trackers } = tracked;
  const refused = trackers.map((it, i) => (trackingPlan.trackers[i]!.filters ? it.refused() : undefined));
  const isSame = tracked.feasibleBefore === feasible && refused.every((it, i) => it === tracked.refused[i]);
  if (isSame) return tracked.feasible;
  tracked.feasibleBefore = feasible;
  tracked.refused = refused;
  tracked.feasible = feasible;
  if (refused.every(it => it === undefined)) return feasible;
  const fits = work.always('fits', () => new Uint8Array(nodes.length)).fill(0);
  for (let i = 0; i < feasible.length; i++) fits[feasible[i]!] = 1;
  for (const it of refused) if (it) clearRefused(fits, it);
  tracked.feasible = indexesOf(fits);
  return tracked.feasible;
}
