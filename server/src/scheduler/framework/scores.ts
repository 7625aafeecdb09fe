import type { PodModel } from '../../cluster/pods/podModel';
import type { NodeVerdict, PluginScore } from '../result';
import type { Cycle, Profile, SchedulerPlugin } from './interface';
import type { NodeInfo } from './nodeInfo';
import { signatureOf } from './podSignature';
import type { BorrowedNumbers } from './sharedWork';

/** The scores of one plugin, by index among the feasible nodes. */
export interface ScoreColumn {
  readonly plugin: string;
  readonly weight: number;
  readonly raw: Float64Array;
  readonly normalized: Float64Array;
}

export interface Scores {
  readonly columns: readonly ScoreColumn[];
  readonly totals: Float64Array;
}

/** A scoring plugin of the profile with its PreScore state. A plugin that skips has none. */
export interface Scorer {
  readonly plugin: SchedulerPlugin;
  readonly weight: number;
  readonly state: unknown;
}

/** Upstream: RunPreScorePlugins. `feasible`: `NodeInfo.index` of the feasible nodes. */
export function scorersFor(
  profile: Pick<Profile, 'preScore' | 'score'>,
  pod: PodModel,
  cycle: Cycle,
  feasible: Int32Array,
): readonly Scorer[] {
  const states = new Map<SchedulerPlugin, unknown>();
  const skipped = new Set<SchedulerPlugin>();
  for (const plugin of profile.preScore) {
    const { status, state } = plugin.preScore!(pod, cycle, feasible);
    if (status.code === 'Skip') skipped.add(plugin);
    else states.set(plugin, state);
  }
  return profile.score
    .filter(it => !skipped.has(it.plugin))
    .map(({ plugin, weight }) => ({ plugin, weight, state: states.get(plugin) }));
}

/** Upstream: RunPreScorePlugins and RunScorePlugins over the feasible nodes. */
export function runScore(profile: Profile, pod: PodModel, cycle: Cycle, feasible: readonly NodeInfo[]): Scores {
  const indexes = Int32Array.from(feasible, it => it.index);
  const totals = new Float64Array(indexes.length);
  const columns = scorersFor(profile, pod, cycle, indexes).map((scorer): ScoreColumn => {
    const { plugin, weight, state } = scorer;
    const raw = new Float64Array(indexes.length);
    score(scorer, pod, cycle, indexes, raw);
    const normalized = plugin.normalizeScore ? raw.slice() : raw;
    plugin.normalizeScore?.(normalized, state, indexes);
    addTo(totals, normalized, weight);
    return { plugin: plugin.name, weight, raw, normalized };
  });
  return { columns, totals };
}

export function addTo(totals: Float64Array, scores: Float64Array, weight: number): void {
  for (let i = 0; i < totals.length; i++) totals[i]! += scores[i]! * weight;
}

/** Writes a plugin's scores of the feasible nodes into `scores`. */
export function score(scorer: Scorer, pod: PodModel, cycle: Cycle, feasible: Int32Array, scores: Float64Array): void {
  const { plugin, state } = scorer;
  if (plugin.scoreAll) {
    plugin.scoreAll(state, feasible, scores);
    return;
  }
  const shared = sharedScores(scorer, pod, cycle, feasible);
  for (let i = 0; i < feasible.length; i++) {
    scores[i] = shared ? shared[feasible[i]!]! : plugin.score!(state, pod, cycle.nodes[feasible[i]!]!, cycle);
  }
}

/**
 * Scores of a plugin that shares its answers, by `NodeInfo.index`; undefined for other plugins. Cached in `SharedWork`:
 * valid within the cycle.
 */
export function sharedScores(
  { plugin, state }: Scorer,
  pod: PodModel,
  cycle: Cycle,
  feasible: Int32Array,
): BorrowedNumbers | undefined {
  const { work, nodes } = cycle;
  const sign = signatureOf(plugin, pod, work);
  if (sign === undefined) return undefined;
  const { dependsOn } = plugin.shares!;
  const evaluatedNodes = dependsOn === 'node' ? nodes : Array.from(feasible, it => nodes[it]!);
  const ask = (node: NodeInfo): number => plugin.score!(state, pod, node, cycle);
  return work.numbers(`${pod.schedulerName}/${plugin.name}/score/${sign}`, dependsOn, ask, evaluatedNodes);
}

export function verdictOf(node: string, { columns, totals }: Scores, i: number): NodeVerdict {
  const scores: Record<string, PluginScore> = {};
  for (const { plugin, weight, raw, normalized } of columns) {
    scores[plugin] = { raw: raw[i]!, normalized: normalized[i]!, weighted: normalized[i]! * weight };
  }
  return { node, verdict: 'feasible', total: totals[i]!, scores };
}
