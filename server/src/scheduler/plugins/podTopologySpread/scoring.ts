import type { PodModel } from '../../../cluster/pods/podModel';
import type { ComparisonOperators } from '../../../cluster/pods/tolerations';
import type { Cycle } from '../../framework/interface';
import { MAX_NODE_SCORE } from '../../framework/normalize';
import type { BorrowedNumbers } from '../../framework/sharedWork';
import { type Topology, topologyOf } from '../../framework/topology';
import { type Defaults, HOSTNAME, type SpreadConstraint } from './constraints';
import { type Counter, countersOf, lackingKeys } from './counting';

/** Upstream: preScoreState. */
export interface ScoreState {
  /** By `NodeInfo.index`; 1: the node lacks a key. */
  readonly ignored: Uint8Array;
  readonly parts: readonly Part[];
}

/** The contribution of one constraint to a node's score. */
interface Part {
  readonly maxSkew: number;
  readonly weight: number;
  readonly topology: Topology;
  /** By number of the value; 1: a feasible node has it. Absent: hostnames, each of which is a domain of its own. */
  readonly isThere?: Uint8Array;
  /** The number of Pods by number of the value, or for hostnames by `NodeInfo.index`. */
  readonly counts: BorrowedNumbers;
}

const NO_CONSTRAINTS: readonly SpreadConstraint[] = [];

type Keys = 'needs all keys' | 'takes what is there';

/** A Pod's own constraints, and those of the args, exclude nodes that lack a key. */
export function keysFor({ spec }: PodModel, { isListed }: Defaults): Keys {
  return (spec.topologySpreadConstraints ?? []).length > 0 || isListed ? 'needs all keys' : 'takes what is there';
}

/** What depends on the feasible nodes and not on their Pods. */
export interface Extent {
  readonly feasible: Int32Array;
  readonly ignored: Uint8Array;
  /** By index of the constraint. */
  readonly parts: readonly Pick<Part, 'maxSkew' | 'weight' | 'topology' | 'isThere'>[];
}

/** Upstream: initPreScoreState and PreScore. */
export function scoreState(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  feasible: Int32Array,
  cycle: Cycle,
  keys: Keys,
  comparison: ComparisonOperators,
): ScoreState {
  // In most cases the next Pod of a workload has the same feasible nodes.
  const kept = cycle.work.forClass(pod)('PodTopologySpread/extent', (): { latest?: Extent } => ({}));
  if (kept.latest?.feasible !== feasible) kept.latest = extentOf(constraints, feasible, cycle, keys);
  const { ignored, parts } = kept.latest;
  const counters = countersOf(constraints, pod, cycle, comparison);
  return { ignored, parts: parts.map((it, i) => countedPart(it, counters[i]!, ignored)) };
}

export function ignoredNodes(constraints: readonly SpreadConstraint[], cycle: Cycle, keys: Keys): Uint8Array {
  return lackingKeys(keys === 'needs all keys' ? constraints : NO_CONSTRAINTS, cycle);
}

export function extentOf(
  constraints: readonly SpreadConstraint[],
  feasible: Int32Array,
  cycle: Cycle,
  keys: Keys,
): Extent {
  const ignored = ignoredNodes(constraints, cycle, keys);
  let scored = 0;
  for (let i = 0; i < feasible.length; i++) scored += 1 - ignored[feasible[i]!]!;
  const parts = constraints.map(({ topologyKey, maxSkew }) => {
    const topology = topologyOf(topologyKey, cycle);
    if (topologyKey === HOSTNAME) return { maxSkew, topology, weight: Math.log(scored + 2) };
    const { isThere, size } = domainsOf(topology, ignored, feasible);
    return { maxSkew, topology, weight: Math.log(size + 2), isThere };
  });
  return { feasible, ignored, parts };
}

/** Nodes without the label form one domain with those whose value is empty. */
export const nameless = ({ numbers, values }: Topology): number => numbers.get('') ?? values.length;

/** The domains of the feasible nodes. */
function domainsOf(
  topology: Topology,
  ignored: Uint8Array,
  feasible: Int32Array,
): { readonly isThere: Uint8Array; readonly size: number } {
  const { of, values } = topology;
  const isThere = new Uint8Array(values.length + 1);
  let size = 0;
  for (let i = 0; i < feasible.length; i++) {
    const index = feasible[i]!;
    const domain = of[index]! < 0 ? nameless(topology) : of[index]!;
    if (ignored[index] === 1 || isThere[domain] === 1) continue;
    isThere[domain] = 1;
    size += 1;
  }
  return { isThere, size };
}

function countedPart(part: Extent['parts'][number], counter: Counter, ignored: Uint8Array): Part {
  const { maxSkew, weight, topology, isThere } = part;
  if (isThere === undefined) return { maxSkew, weight, topology, counts: counter.matching };
  const { of, values } = topology;
  const others = nameless(topology);
  const counts = new Float64Array(values.length + 1);
  for (let index = 0; index < of.length; index++) {
    const domain = of[index]! < 0 ? others : of[index]!;
    if (isThere[domain] === 1 && ignored[index] !== 1 && counter.counted[index]) {
      counts[domain]! += counter.matching[index]!;
    }
  }
  return { maxSkew, weight, topology, isThere, counts };
}

/** Upstream: PodTopologySpread.Score and scoreForCount. */
export function scoreSpread({ ignored, parts }: ScoreState, feasible: Int32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const { topology, isThere, counts, weight, maxSkew } of parts) {
    for (let i = 0; i < feasible.length; i++) {
      const domain = topology.of[feasible[i]!]!;
      if (domain >= 0) scores[i]! += counts[isThere ? domain : feasible[i]!]! * weight + (maxSkew - 1);
    }
  }
  for (let i = 0; i < feasible.length; i++) scores[i] = ignored[feasible[i]!] === 1 ? 0 : Math.round(scores[i]!);
}

/** Upstream: PodTopologySpread.NormalizeScore. */
export function normalizeSpread(scores: Float64Array, { ignored }: ScoreState, feasible: Int32Array): void {
  let min = Number.POSITIVE_INFINITY;
  let max = 0;
  for (let i = 0; i < scores.length; i++) {
    if (ignored[feasible[i]!] === 1) continue;
    if (scores[i]! < min) min = scores[i]!;
    if (scores[i]! > max) max = scores[i]!;
  }
  for (let i = 0; i < scores.length; i++) {
    const isIgnored = ignored[feasible[i]!] === 1;
    const worth = max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - scores[i]!)) / max);
    scores[i] = isIgnored ? 0 : worth;
  }
}
