import type { AffinityTerm } from '../../../cluster/pods/affinityTerms';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { Cycle, Tracker } from '../../framework/interface';
import { type NodeClasses, nodeClasses } from '../../framework/nodeClasses';
import { MAX_NODE_SCORE } from '../../framework/normalize';
import { type Topology, topologyOf } from '../../framework/topology';
import { countsOf, preferredTerms, type Share, termGroupsFor, weightOf } from './terms';

/** The contributing Pods as last counted, by `NodeInfo.index`. */
interface Tally {
  readonly topology: Topology;
  /** By number of the topology's value: the nodes that have it. */
  readonly members: readonly (readonly number[])[];
  /** The contribution of each of the Pods. */
  readonly by: number;
  readonly counted: Float64Array;
}

/** The scores of the nodes before normalization. Nodes with equal scores are in one class. */
interface TopologyScores {
  /** By class: the score, and the number of its nodes. */
  readonly values: number[];
  readonly counts: number[];
  /** Score → class. */
  readonly numbers: Map<number, number>;
  /** Classes without nodes, for reuse. */
  readonly free: number[];
  readonly classes: NodeClasses;
}

/** The same answers as PreScore, Score and NormalizeScore. */
export function topologyScoreTracker(
  isScored: (pod: PodModel) => boolean,
  hardWeight: number,
): Pick<Tracker, 'follow' | 'scores'> {
  let worth: TopologyScores | undefined;
  let preferred: readonly { readonly terms: readonly AffinityTerm[]; readonly tally: Tally }[] | undefined;
  const theirs: (readonly Tally[])[] = [];
  const initial = ({ nodes }: Cycle): TopologyScores => {
    worth ??= {
      values: [0],
      counts: [nodes.length],
      numbers: new Map([[0, 0]]),
      free: [],
      classes: nodeClasses(nodes.length),
    };
    return worth;
  };
  return {
    follow(pod, cycle, changed) {
      if (!isScored(pod)) return;
      preferred ??= preferredTerms(pod).map(({ term, weight }) => {
        return { terms: [term], tally: tallyOf({ topologyKey: term.topologyKey, by: weight }, cycle) };
      });
      for (const { terms, tally } of preferred) {
        const counts = countsOf(terms, cycle);
        recount(tally, changed, index => counts[index]!, initial(cycle));
      }
      const termGroups = termGroupsFor('InterPodAffinity/theirs', pod, cycle, weightOf(pod, cycle, hardWeight));
      for (let i = 0; i < termGroups.length; i++) {
        const { group, shares } = termGroups[i]!;
        const indexes = theirs[i] ? changed : [...group.on.keys()];
        theirs[i] ??= shares.map(it => tallyOf(it, cycle));
        for (const it of theirs[i]!) recount(it, indexes, index => group.on.get(index) ?? 0, initial(cycle));
      }
    },
    scores(feasible, weight) {
      if (worth === undefined) return undefined;
      const { classes, values } = worth;
      classes.count(feasible);
      return normalized(values, classes.sizes, weight, classes.of);
    },
  };
}

function tallyOf({ topologyKey, by }: Share, cycle: Cycle): Tally {
  const topology = topologyOf(topologyKey, cycle);
  const members = cycle.work.always(topology, () => {
    const found = topology.values.map((): number[] => []);
    for (const [index, value] of topology.of.entries()) found[value]?.push(index);
    return found;
  });
  return { topology, members, by, counted: new Float64Array(cycle.nodes.length) };
}

function recount(
  { topology, members, by, counted }: Tally,
  indexes: readonly number[],
  countOn: (index: number) => number,
  worth: TopologyScores,
): void {
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i]!;
    const now = countOn(index);
    const more = (now - counted[index]!) * by;
    counted[index] = now;
    const value = topology.of[index]!;
    if (more === 0 || value < 0) continue;
    for (const member of members[value]!) add(worth, member, more);
  }
}

function add({ values, counts, numbers, free, classes }: TopologyScores, index: number, more: number): void {
  const before = classes.of[index]!;
  const value = values[before]! + more;
  counts[before]! -= 1;
  if (counts[before] === 0) {
    numbers.delete(values[before]!);
    free.push(before);
  }
  let number = numbers.get(value);
  if (number === undefined) {
    number = free.pop() ?? values.length;
    values[number] = value;
    counts[number] = 0;
    numbers.set(value, number);
  }
  counts[number]! += 1;
  classes.move(index, number);
}

function normalized(
  values: readonly number[],
  sizes: readonly number[],
  weight: number,
  classes: Int32Array,
): ReturnType<Tracker['scores']> {
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let i = 0; i < values.length; i++) {
    if (sizes[i] === 0) continue;
    min = Math.min(min, values[i]!);
    max = Math.max(max, values[i]!);
  }
  const span = max - min;
  if (!(span > 0)) return undefined;
  const worth = values.map(it => weight * Math.trunc(MAX_NODE_SCORE * ((it - min) / span)));
  return { classes, worth };
}
