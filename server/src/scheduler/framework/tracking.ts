import type { PodModel } from '../../cluster/pods/podModel';
import { toldByAll } from './cycle';
import type { Cycle, Profile, SchedulerPlugin, Tracker } from './interface';
import type { ClassScores } from './nodeClasses';
import {
  addUneven,
  type Filters,
  filtersByLook,
  type NodeRanking,
  placesOf,
  planFor,
  pluginsOf,
  type Ranking,
  rankingFor,
  roomFor,
  type ScoringPlan,
} from './nodeRanking';
import { isRefusal } from './status';

/** The way in which a profile decides about Pods of one workload when all of its plugins share their answers or track. */
interface Way {
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

/** The trackers of one way, with the nodes that they were brought to. */
interface Tracked {
  readonly way: Way;
  readonly trackers: readonly Tracker[];
  nodes: Cycle['nodes'];
  /** What the nodes that fit were worked out from, and these. */
  standing: Int32Array | undefined;
  refused: readonly (Uint8Array | undefined)[];
  at: Int32Array;
}

const NO_PLACES = new Int32Array(0);

/** Each tracker holds some numbers of every node, and workloads come one after the other. */
const MOST_TRACKED = 32;

/**
 * The same as `ranked`, without PreFilter and PreScore: each plugin that looks at the whole cluster follows what the last
 * placements changed. Undefined where a plugin does neither share nor track, fewer than two nodes fit, or one failed.
 */
export function rankedByTracking(pod: PodModel, cycle: Cycle, profile: Profile): Ranking | undefined {
  const way = cycle.work.twins(pod)(profile.filter, () => wayFor(pod, cycle, profile));
  const standing = way && rankingFor(way.filters, pod, cycle, way.plan);
  if (way === undefined || standing === undefined || standing.at.length < 2) return undefined;
  const tracked = trackedFor(way, pod, cycle);
  const at = placesLeft(tracked, standing, cycle);
  if (at.length < 2) return undefined;
  const totals = roomFor('totals', at, cycle);
  addUp(standing.sums, classScores(tracked, at), at, totals);
  addUneven(standing.uneven, pod, cycle, at, totals);
  return { at, totals };
}

function classScores({ way, trackers }: Tracked, at: Int32Array): readonly ClassScores[] {
  const found: ClassScores[] = [];
  for (let i = 0; i < trackers.length; i++) {
    const { weight } = way.trackers[i]!;
    const scores = weight === undefined ? undefined : trackers[i]!.scores(at, weight);
    if (scores) found.push(scores);
  }
  return found;
}

function addUp(sums: Float64Array, given: readonly ClassScores[], at: Int32Array, totals: Float64Array): void {
  for (let i = 0; i < at.length; i++) totals[i] = sums[at[i]!]!;
  for (const { classes, worth } of given) {
    for (let i = 0; i < at.length; i++) totals[i]! += worth[classes[at[i]!]!]!;
  }
}

function wayFor(pod: PodModel, cycle: Cycle, profile: Profile): Way | undefined {
  const plan = planFor(pod, cycle, profile);
  const told = toldByAll(profile, pod, cycle);
  const others = [...pluginsOf(profile)].filter(it => !plan.sharing.has(it));
  const areAllAsked = others.every(it => it.track !== undefined && isAskedAsAWhole(it, profile));
  const isOpen = told.every(it => it === undefined || (!isRefusal(it.status) && it.nodeNames === undefined));
  if (!areAllAsked || !isOpen) return undefined;
  const answers = new Map(profile.preFilter.map((it, i) => [it.name, told[i]]));
  const active = profile.filter.filter(it => plan.sharing.has(it) && answers.get(it.name)?.status.code !== 'Skip');
  return {
    plan,
    filters: filtersByLook({ active: active.map(plugin => ({ plugin, state: answers.get(plugin.name)?.state })) }),
    trackers: others.map((plugin): Tracking => {
      const weight = profile.score.find(it => it.plugin === plugin)?.weight;
      return { plugin, filters: profile.filter.includes(plugin), ...(weight !== undefined && { weight }) };
    }),
  };
}

/** Whether the profile asks a plugin to prepare wherever it asks it to decide, and only there. */
function isAskedAsAWhole(plugin: SchedulerPlugin, { preFilter, filter, preScore, score }: Profile): boolean {
  const isScored = score.some(it => it.plugin === plugin);
  return preFilter.includes(plugin) === filter.includes(plugin) && preScore.includes(plugin) === isScored;
}

function trackedFor(way: Way, pod: PodModel, cycle: Cycle): Tracked {
  const { work, nodes } = cycle;
  const kept = work.once('tracked', (): Tracked[] => []);
  const known = kept.find(it => it.way === way);
  const tracked = known ?? {
    way,
    trackers: way.trackers.map(it => it.plugin.track!(pod, cycle)),
    nodes: [],
    standing: undefined,
    refused: [],
    at: NO_PLACES,
  };
  if (!known) kept.unshift(tracked);
  kept.length = Math.min(kept.length, MOST_TRACKED);
  const changed = work.changed(tracked.nodes, nodes);
  for (const it of tracked.trackers) it.follow(pod, cycle, changed);
  tracked.nodes = nodes;
  return tracked;
}

/** The nodes that fit; the same list as long as they are the same. */
function placesLeft(tracked: Tracked, { at }: NodeRanking, { work, nodes }: Cycle): Int32Array {
  const { way, trackers } = tracked;
  const refused = trackers.map((it, i) => (way.trackers[i]!.filters ? it.refused() : undefined));
  const isSame = tracked.standing === at && refused.every((it, i) => it === tracked.refused[i]);
  if (isSame) return tracked.at;
  Object.assign(tracked, { standing: at, refused, at });
  if (refused.every(it => it === undefined)) return at;
  const fits = work.once('fits', () => new Uint8Array(nodes.length)).fill(0);
  for (const index of at) fits[index] = refused.every(it => it?.[index] !== 1) ? 1 : 0;
  tracked.at = placesOf(fits);
  return tracked.at;
}
