import type { PodModel } from '../../../cluster/model';
import { requiredNodeAffinity } from '../../../cluster/requiredAffinity';
import type { ComparisonOperators } from '../../../cluster/tolerations';
import type { NodeInfo } from '../../framework/nodeInfo';
import { type Cycle, MAX_NODE_SCORE } from '../../framework/plugin';
import { type Topology, topologyOf } from '../../framework/topology';
import { HOSTNAME, type SpreadConstraint } from './constraints';
import { type Counter, countersOf, lackingKeys } from './counting';

/** Upstream: preScoreState. */
export interface ScoreState {
  /** By `NodeInfo.index`, 1: the node lacks a key. */
  readonly ignored: Uint8Array;
  readonly parts: readonly Part[];
}

/** What one constraint adds to the score of a node. */
interface Part {
  readonly maxSkew: number;
  readonly weight: number;
  readonly counter: Counter;
  readonly topology: Topology;
  /** By number of the value, 0 for those of no node that fits; absent: hosts, which are counted where they are scored. */
  readonly counts?: Float64Array;
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
  const ignored = lackingKeys(keys === 'needs all keys' ? constraints : [], cycle);
  const counters = countersOf(constraints, pod, requiredNodeAffinity(pod.spec), cycle, comparison);
  let scored = 0;
  for (const { index } of feasible) scored += 1 - ignored[index]!;
  const parts = constraints.map(({ topologyKey, maxSkew }, i): Part => {
    const part = { maxSkew, counter: counters[i]!, topology: topologyOf(topologyKey, cycle) };
    if (topologyKey === HOSTNAME) return { ...part, weight: Math.log(scored + 2) };
    const { size, counts } = countsByDomain(part, ignored, feasible, cycle);
    return { ...part, weight: Math.log(size + 2), counts };
  });
  return { ignored, parts };
}

/** The Pods in the domains of nodes that fit, and how many these domains are. */
function countsByDomain(
  { counter: { counted, matching }, topology }: Pick<Part, 'counter' | 'topology'>,
  ignored: Uint8Array,
  feasible: readonly NodeInfo[],
  { nodes }: Cycle,
): { readonly size: number; readonly counts: Float64Array } {
  const { of, numbers, values } = topology;
  // Nodes without the label are one domain with those whose value is empty.
  const nameless = numbers.get('') ?? values.length;
  const isThere = new Uint8Array(values.length + 1);
  let size = 0;
  for (const { index } of feasible) {
    const domain = of[index]! < 0 ? nameless : of[index]!;
    if (ignored[index] === 1 || isThere[domain] === 1) continue;
    isThere[domain] = 1;
    size += 1;
  }
  const counts = new Float64Array(values.length + 1);
  for (const info of nodes) {
    const domain = of[info.index]! < 0 ? nameless : of[info.index]!;
    if (isThere[domain] === 1 && ignored[info.index] !== 1 && counted(info)) counts[domain]! += matching[info.index]!;
  }
  return { size, counts };
}

/** Upstream: PodTopologySpread.Score and scoreForCount. */
export function scoreSpread({ ignored, parts }: ScoreState, info: NodeInfo): number {
  if (ignored[info.index] === 1) return 0;
  let score = 0;
  for (const { topology, counter, counts, weight, maxSkew } of parts) {
    const domain = topology.of[info.index]!;
    if (domain < 0) continue;
    const count = counts === undefined ? counter.matching[info.index]! : counts[domain]!;
    score += count * weight + (maxSkew - 1);
  }
  return Math.round(score);
}

/** Upstream: PodTopologySpread.NormalizeScore. */
export function normalizeSpread(scores: Float64Array, { ignored }: ScoreState, feasible: readonly NodeInfo[]): void {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (let i = 0; i < scores.length; i++) {
    if (ignored[feasible[i]!.index] === 1) continue;
    min = Math.min(min, scores[i]!);
    max = Math.max(max, scores[i]!);
  }
  for (let i = 0; i < scores.length; i++) {
    const isIgnored = ignored[feasible[i]!.index] === 1;
    const worth = max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - scores[i]!)) / max);
    scores[i] = isIgnored ? 0 : worth;
  }
}
