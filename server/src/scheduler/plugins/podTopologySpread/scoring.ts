import type { PodModel } from '../../../cluster/model';
import { requiredNodeAffinity } from '../../../cluster/requiredAffinity';
import type { ComparisonOperators } from '../../../cluster/tolerations';
import type { NodeInfo } from '../../framework/nodeInfo';
import { type Cycle, highest, lowest, MAX_NODE_SCORE } from '../../framework/plugin';
import { HOSTNAME, type SpreadConstraint } from './constraints';
import { type Counter, countersOf, hasKeys } from './counting';

/** Upstream: preScoreState. */
export interface ScoreState {
  readonly constraints: readonly SpreadConstraint[];
  /** Nodes that lack a key. */
  readonly ignored: ReadonlySet<string>;
  /** Per constraint: domain of fitting nodes → Pods; those of hosts are counted where they are scored. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  readonly weights: readonly number[];
  readonly counters: readonly Counter[];
}

type Keys = 'needs all keys' | 'takes what is there';

/** Upstream: initPreScoreState and PreScore. */
export function scoreState(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  feasible: readonly NodeInfo[],
  cycle: Cycle,
  keys: Keys,
  comparison: ComparisonOperators,
): ScoreState {
  const lacksKey = ({ node }: NodeInfo): boolean => keys === 'needs all keys' && !hasKeys(node, constraints);
  const ignored = new Set(feasible.filter(lacksKey).map(it => it.name));
  const counts = constraints.map(it => domainsOf(it, feasible, ignored));
  const weights = constraints.map((it, i) =>
    Math.log((it.topologyKey === HOSTNAME ? feasible.length - ignored.size : counts[i]!.size) + 2),
  );
  const counters = countersOf(constraints, pod, requiredNodeAffinity(pod.spec), cycle, comparison);
  for (const info of cycle.nodes) {
    if (lacksKey(info)) continue;
    for (const [i, it] of constraints.entries()) {
      const { counted, matching } = counters[i]!;
      const value = info.node.labels[it.topologyKey] ?? '';
      const before = counts[i]!.get(value);
      if (before !== undefined && counted(info)) counts[i]!.set(value, before + matching(info));
    }
  }
  return { constraints, ignored, counts, weights, counters };
}

function domainsOf(
  { topologyKey }: SpreadConstraint,
  feasible: readonly NodeInfo[],
  ignored: ReadonlySet<string>,
): Map<string, number> {
  const domains = new Map<string, number>();
  if (topologyKey === HOSTNAME) return domains;
  for (const { name, node } of feasible) if (!ignored.has(name)) domains.set(node.labels[topologyKey] ?? '', 0);
  return domains;
}

/** Upstream: PodTopologySpread.Score and scoreForCount. */
export function scoreSpread({ constraints, ignored, counts, weights, counters }: ScoreState, info: NodeInfo): number {
  if (ignored.has(info.name)) return 0;
  let score = 0;
  for (const [i, { topologyKey, maxSkew }] of constraints.entries()) {
    const value = info.node.labels[topologyKey];
    if (value === undefined) continue;
    const count = topologyKey === HOSTNAME ? counters[i]!.matching(info) : (counts[i]!.get(value) ?? 0);
    score += count * weights[i]! + (maxSkew - 1);
  }
  return Math.round(score);
}

/** Upstream: PodTopologySpread.NormalizeScore. */
export function normalizeSpread(scores: Float64Array, { ignored }: ScoreState, feasible: readonly NodeInfo[]): void {
  const counted = scores.filter((_, i) => !ignored.has(feasible[i]!.name));
  const min = lowest(counted);
  const max = Math.max(0, highest(counted));
  for (let i = 0; i < scores.length; i++) {
    const isIgnored = ignored.has(feasible[i]!.name);
    const worth = max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - scores[i]!)) / max);
    scores[i] = isIgnored ? 0 : worth;
  }
}
