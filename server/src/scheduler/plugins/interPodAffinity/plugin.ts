import { type AffinityTerm, type PodTerms, termMatches } from '../../../cluster/affinityTerms';
import type { NodeModel, PodModel } from '../../../cluster/model';
import type { LabelMatcher } from '../../../kube/labelSelector';
import type { StringMap } from '../../../kube/types';
import type { NodeInfo } from '../../framework/nodeInfo';
import {
  type Cycle,
  definePlugin,
  highest,
  lowest,
  MAX_NODE_SCORE,
  skip,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';
import type { Share, Tally } from '../../framework/sharedWork';
import { onceForLabels, signLabels } from '../../framework/signatures';
import { type Topology, topologyOf } from '../../framework/topology';

/** Topology key → value → how many matches of terms come or go. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;
type Namespaces = ReadonlyMap<string, StringMap>;

interface Matches<T> {
  /** Anti-affinity terms of running Pods that mean this Pod. */
  readonly existingAnti: T;
  /** Running Pods that all affinity terms of this Pod mean. */
  readonly affinity: T;
  /** Running Pods that an anti-affinity term of this Pod means, for each of these terms. */
  readonly anti: readonly T[];
}

interface FilterState {
  readonly base: Matches<Tally>;
  /** What Pods added or removed since change; small, so that a dry run copies little. */
  readonly change: Matches<Counts>;
  readonly namespaces: Namespaces;
}

/** What each value of a topology is worth, by its number. */
type ScoreState = readonly { readonly topology: Topology; readonly worth: Float64Array }[];

const NO_TALLY: Tally = new Map();
const NO_COUNTS: Counts = new Map();
const NO_SHARES: readonly Share[] = [];

const WITHOUT_COMPANY = unresolvable("node(s) didn't match pod affinity rules");
const AGAINST_ITS_WILL = unschedulable("node(s) didn't match pod anti-affinity rules");
const AGAINST_OTHERS = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = ({ args }) => {
  const hardWeight = typeof args.hardPodAffinityWeight === 'number' ? args.hardPodAffinityWeight : 1;
  const ignoresPreferredOfOthers = args.ignorePreferredTermsOfExistingPods === true;
  return definePlugin<FilterState, ScoreState>({
    name: 'InterPodAffinity',

    preFilter(pod, cycle) {
      const namespaces = cycle.cluster.namespaces;
      const base = matchesOf(pod, cycle);
      const { required, requiredAnti } = pod.terms;
      if (base.existingAnti.size === 0 && required.length === 0 && requiredAnti.length === 0) return { status: skip };
      const change = { existingAnti: NO_COUNTS, affinity: NO_COUNTS, anti: requiredAnti.map(() => NO_COUNTS) };
      return { status: success, state: { base, change, namespaces } };
    },

    addPod: (state, pod, added, node) => changed(state, pod, added, node.node, 1),
    removePod: (state, pod, removed, node) => changed(state, pod, removed, node.node, -1),

    filter(state, pod, { node }) {
      if (!satisfiesAffinity(state, pod, node)) return WITHOUT_COMPANY;
      const { base, change } = state;
      const { requiredAnti } = pod.terms;
      for (let i = 0; i < requiredAnti.length; i++) {
        if (countAt(base.anti[i], change.anti[i], requiredAnti[i]!.topologyKey, node) > 0) return AGAINST_ITS_WILL;
      }
      const { existingAnti } = base;
      for (const key of existingAnti.keys()) {
        if (countAt(existingAnti, change.existingAnti, key, node) > 0) return AGAINST_OTHERS;
      }
      for (const key of change.existingAnti.keys()) {
        if (countAt(existingAnti, change.existingAnti, key, node) > 0) return AGAINST_OTHERS;
      }
      return success;
    },

    preScore(pod, cycle) {
      const wishes = pod.terms.preferred.length > 0 || pod.terms.preferredAnti.length > 0;
      if (ignoresPreferredOfOthers && !wishes) return { status: skip };
      const worth = topologyWorth(pod, cycle, hardWeight);
      return worth.length === 0 ? { status: skip } : { status: success, state: worth };
    },

    score(parts, _pod, { index }) {
      let sum = 0;
      for (const { topology, worth } of parts) {
        const domain = topology.of[index]!;
        if (domain >= 0) sum += worth[domain]!;
      }
      return sum;
    },

    normalizeScore(scores) {
      const min = lowest(scores);
      const span = highest(scores) - min;
      for (let i = 0; i < scores.length; i++) {
        scores[i] = span > 0 ? Math.trunc(MAX_NODE_SCORE * ((scores[i]! - min) / span)) : 0;
      }
    },
  });
};

function matchesOf(pod: PodModel, cycle: Cycle): Matches<Tally> {
  const { namespaces } = cycle.cluster;
  const { required, requiredAnti } = pod.terms;
  const sharesOfPod = onceFor(it => sharesOfTerms(it.requiredAnti, pod, namespaces, () => 1));
  const theirs = (node: NodeInfo): readonly Share[] => sharesOf(node, sharesOfPod);
  return {
    existingAnti: cycle.work.tally(`InterPodAffinity/existingAnti/${signLabels(pod)}`, theirs, cycle.nodes),
    affinity: required.length === 0 ? NO_TALLY : meantBy(required, cycle),
    anti: requiredAnti.map(it => meantBy([it], cycle)),
  };
}

/** What the Pods with terms on a node add. Most nodes have no such Pod. */
function sharesOf({ podsWithAffinity }: NodeInfo, shares: (terms: PodTerms) => readonly Share[]): readonly Share[] {
  let found = NO_SHARES;
  for (const { terms } of podsWithAffinity) {
    const more = shares(terms);
    if (more.length > 0) found = found.length === 0 ? more : [...found, ...more];
  }
  return found;
}

/** Pods of one workload have the very same terms. */
function onceFor(shares: (terms: PodTerms) => readonly Share[]): (terms: PodTerms) => readonly Share[] {
  const known = new Map<PodTerms, readonly Share[]>();
  return terms => {
    const found = known.get(terms) ?? shares(terms);
    known.set(terms, found);
    return found;
  };
}

/** A share for each of some terms that means the Pod. */
function sharesOfTerms(
  terms: readonly AffinityTerm[],
  pod: PodModel,
  namespaces: Namespaces,
  weight: (term: AffinityTerm) => number,
): readonly Share[] {
  let found = NO_SHARES;
  for (const it of terms) {
    if (termMatches(it, pod, namespaces)) found = [...found, { topologyKey: it.topologyKey, by: weight(it) }];
  }
  return found;
}

/** How many running Pods all of some terms mean, by the topology of each term. */
function meantBy(terms: readonly AffinityTerm[], { cluster, nodes, work }: Cycle): Tally {
  const { namespaces } = cluster;
  const isMeant = onceForLabels(it => meansAll(terms, it, namespaces));
  const shares = ({ pods }: NodeInfo): readonly Share[] => {
    let count = 0;
    for (const it of pods) if (isMeant(it)) count += 1;
    return count === 0 ? NO_SHARES : terms.map(it => ({ topologyKey: it.topologyKey, by: count }));
  };
  return work.tally(`InterPodAffinity/meant/${terms.map(signTerm).join()}`, shares, nodes);
}

/** Whom a term means in which topology, as text. */
function signTerm({ topologyKey, selector, namespaces, namespaceSelector }: AffinityTerm): string {
  const sign = ({ kind, requirements }: LabelMatcher): unknown => [kind, requirements];
  return JSON.stringify([topologyKey, sign(selector), [...namespaces], sign(namespaceSelector)]);
}

function changed(state: FilterState, pod: PodModel, other: PodModel, node: NodeModel, by: 1 | -1): FilterState {
  const { namespaces, change } = state;
  const add = (counts: Counts, terms: readonly AffinityTerm[]): Counts =>
    terms.reduce((res, { topologyKey }) => {
      const value = node.labels[topologyKey];
      if (value === undefined) return res;
      const values = res.get(topologyKey);
      return new Map(res).set(topologyKey, new Map(values).set(value, (values?.get(value) ?? 0) + by));
    }, counts);
  const { required, requiredAnti } = pod.terms;
  const theirs = other.terms.requiredAnti.filter(it => termMatches(it, pod, namespaces));
  return {
    ...state,
    change: {
      existingAnti: add(change.existingAnti, theirs),
      affinity: add(change.affinity, meansAll(required, other, namespaces) ? required : []),
      anti: requiredAnti.map((it, i) =>
        add(change.anti[i] ?? NO_COUNTS, termMatches(it, other, namespaces) ? [it] : []),
      ),
    },
  };
}

/** Without any term nobody is meant. */
function meansAll(terms: readonly AffinityTerm[], pod: PodModel, namespaces: Namespaces): boolean {
  return terms.length > 0 && terms.every(it => termMatches(it, pod, namespaces));
}

function countAt(base: Tally | undefined, change: Counts | undefined, key: string, node: NodeModel): number {
  const before = base?.get(key);
  const after = change?.get(key);
  if (before === undefined && after === undefined) return 0;
  const value = node.labels[key];
  return value === undefined ? 0 : (before?.get(value)?.sum ?? 0) + (after?.get(value) ?? 0);
}

/** The first of a group that wants its own kind finds no match anywhere, and may go where the topology keys are. */
function satisfiesAffinity({ base, change, namespaces }: FilterState, pod: PodModel, node: NodeModel): boolean {
  const { required } = pod.terms;
  if (required.some(it => node.labels[it.topologyKey] === undefined)) return false;
  if (required.every(it => countAt(base.affinity, change.affinity, it.topologyKey, node) > 0)) return true;
  return !meansAnybody(base.affinity, change.affinity) && meansAll(required, pod, namespaces);
}

/** Nothing in a tally is negative, so it may be looked at as a whole only where Pods were taken away in thought. */
function meansAnybody(base: Tally, change: Counts): boolean {
  if (change.size === 0) return base.size > 0;
  let total = 0;
  for (const values of base.values()) for (const it of values.values()) total += it.sum;
  for (const values of change.values()) for (const it of values.values()) total += it;
  return total > 0;
}

function topologyWorth(pod: PodModel, cycle: Cycle, hardWeight: number): ScoreState {
  const { namespaces } = cycle.cluster;
  const { preferred, preferredAnti } = pod.terms;
  const sharesOfPod = onceFor(terms => {
    const hard = hardWeight > 0 ? sharesOfTerms(terms.required, pod, namespaces, () => hardWeight) : NO_SHARES;
    const soft = sharesOfTerms(terms.preferred, pod, namespaces, it => it.weight);
    const softAnti = sharesOfTerms(terms.preferredAnti, pod, namespaces, it => -it.weight);
    return hard.length + soft.length + softAnti.length === 0 ? NO_SHARES : [...hard, ...soft, ...softAnti];
  });
  const theirs = (node: NodeInfo): readonly Share[] => sharesOf(node, sharesOfPod);
  const tallies = [
    ...preferred.map(it => ({ tally: meantBy([it], cycle), weight: it.weight })),
    ...preferredAnti.map(it => ({ tally: meantBy([it], cycle), weight: -it.weight })),
    {
      tally: cycle.work.tally(`InterPodAffinity/theirs/${hardWeight}/${signLabels(pod)}`, theirs, cycle.nodes),
      weight: 1,
    },
  ];
  return tallies.flatMap(({ tally, weight }) =>
    [...tally].map(([key, values]) => {
      const topology = topologyOf(key, cycle);
      const worth = new Float64Array(topology.values.length);
      for (const [value, { sum }] of values) worth[topology.numbers.get(value)!] = weight * sum;
      return { topology, worth };
    }),
  );
}
