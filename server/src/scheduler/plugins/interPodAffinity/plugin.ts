import { type AffinityTerm, type PodTerms, termMatches } from '../../../cluster/affinityTerms';
import type { NodeModel, PodModel } from '../../../cluster/model';
import type { LabelMatcher } from '../../../kube/labelSelector';
import type { StringMap } from '../../../kube/types';
import { hasTerms, type NodeInfo } from '../../framework/nodeInfo';
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
import { among, countMeant, nobodyAsked } from '../../framework/population';
import type { PluginFactory } from '../../framework/profile';
import type { Alike } from '../../framework/sharedWork';
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
  readonly base: Matches<Sums>;
  /** What Pods added or removed since change; small, so that a dry run copies little. */
  readonly change: Matches<Counts>;
  readonly namespaces: Namespaces;
}

/** Topology key → by number of the node's value, what Pods on such nodes add; only keys to which somebody adds. */
type Sums = ReadonlyMap<string, Sum>;

interface Sum {
  readonly topology: Topology;
  readonly of: Float64Array;
}

type Weighted = Sum & { readonly weight: number };

/** What one Pod adds to its node's value of a topology key. */
interface Share {
  readonly topologyKey: string;
  readonly by: number;
}

const NO_SUMS: Sums = new Map();
const NO_COUNTS: Counts = new Map();
const NO_SHARES: readonly Share[] = [];

const WITHOUT_COMPANY = unresolvable("node(s) didn't match pod affinity rules");
const AGAINST_ITS_WILL = unschedulable("node(s) didn't match pod anti-affinity rules");
const AGAINST_OTHERS = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = ({ args }) => {
  const hardWeight = typeof args.hardPodAffinityWeight === 'number' ? args.hardPodAffinityWeight : 1;
  const ignoresPreferredOfOthers = args.ignorePreferredTermsOfExistingPods === true;
  return definePlugin<FilterState, readonly Weighted[]>({
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

    filter(state, pod, node) {
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

    scoreAll(sums, at, scores) {
      scores.fill(0);
      for (const { topology, of, weight } of sums) {
        for (let i = 0; i < at.length; i++) {
          const domain = topology.of[at[i]!]!;
          if (domain >= 0) scores[i]! += weight * of[domain]!;
        }
      }
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

function matchesOf(pod: PodModel, cycle: Cycle): Matches<Sums> {
  const { namespaces } = cycle.cluster;
  const { required, requiredAnti } = pod.terms;
  return {
    existingAnti: sumsOfOthers('InterPodAffinity/anti', pod, cycle, it =>
      sharesOfTerms(it.requiredAnti, pod, namespaces, () => 1),
    ),
    affinity: required.length === 0 ? NO_SUMS : meantBy(required, cycle),
    anti: requiredAnti.map(it => meantBy([it], cycle)),
  };
}

/** What the Pods with terms add for this one. Pods of one workload have the very same terms. */
function sumsOfOthers(
  what: string,
  pod: PodModel,
  cycle: Cycle,
  sharesOf: (terms: PodTerms) => readonly Share[],
): Sums {
  const { nodes, work } = cycle;
  const others = work.alike('terms', it => (hasTerms(it) ? it.terms : undefined), nodes);
  if (others.length === 0) return NO_SUMS;
  const known = work.twins(pod)(what, () => ({ ...nobodyAsked(), shares: new Map<Alike, readonly Share[]>() }));
  const adds = (group: Alike): boolean => {
    const shares = sharesOf(group.sample.terms);
    known.shares.set(group, shares);
    return shares.length > 0;
  };
  const givers = among(others, adds, known);
  if (givers.length === 0) return NO_SUMS;
  const sums = new Map<string, Sum>();
  for (const group of givers) {
    for (const { topologyKey, by } of known.shares.get(group)!) {
      const add = adding(sums, topologyKey, cycle);
      for (const [index, count] of group.on) add(index, by * count);
    }
  }
  return sums;
}

/** Adds what is on a node, by `NodeInfo.index`, to the node's value of a topology key. */
function adding(sums: Map<string, Sum>, topologyKey: string, cycle: Cycle): (index: number, by: number) => void {
  const topology = topologyOf(topologyKey, cycle);
  let sum = sums.get(topologyKey);
  return (index, by) => {
    const domain = topology.of[index]!;
    if (domain < 0) return;
    if (sum === undefined) {
      sum = { topology, of: new Float64Array(topology.values.length) };
      sums.set(topologyKey, sum);
    }
    sum.of[domain]! += by;
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
function meantBy(terms: readonly AffinityTerm[], cycle: Cycle): Sums {
  const { namespaces } = cycle.cluster;
  const counts = countMeant(signTerms(terms, cycle), 'all', it => meansAll(terms, it, namespaces), cycle);
  const sums = new Map<string, Sum>();
  for (const { topologyKey } of terms) {
    const add = adding(sums, topologyKey, cycle);
    for (let index = 0; index < counts.length; index++) if (counts[index]! > 0) add(index, counts[index]!);
  }
  return sums;
}

/** Pods of one workload have the very same terms, and each of them asks for their text. */
function signTerms(terms: readonly AffinityTerm[], { work }: Cycle): string {
  const [first] = terms;
  const make = (): string => `InterPodAffinity/${terms.map(signTerm).join()}`;
  return terms.length === 1 && first ? work.once(first, make) : make();
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

function countAt(base: Sums | undefined, change: Counts | undefined, key: string, { node, index }: NodeInfo): number {
  const before = base?.get(key);
  const after = change?.get(key);
  const domain = before?.topology.of[index] ?? -1;
  const there = domain < 0 ? 0 : before!.of[domain]!;
  const value = after === undefined ? undefined : node.labels[key];
  return value === undefined ? there : there + (after?.get(value) ?? 0);
}

/** The first of a group that wants its own kind finds no match anywhere, and may go where the topology keys are. */
function satisfiesAffinity({ base, change, namespaces }: FilterState, pod: PodModel, node: NodeInfo): boolean {
  const { required } = pod.terms;
  if (required.some(it => node.node.labels[it.topologyKey] === undefined)) return false;
  if (required.every(it => countAt(base.affinity, change.affinity, it.topologyKey, node) > 0)) return true;
  return !meansAnybody(base.affinity, change.affinity) && meansAll(required, pod, namespaces);
}

/** Nothing in the sums is negative, so they may be looked at as a whole only where Pods were taken away in thought. */
function meansAnybody(base: Sums, change: Counts): boolean {
  if (change.size === 0) return base.size > 0;
  let total = 0;
  for (const { of } of base.values()) for (const it of of) total += it;
  for (const values of change.values()) for (const it of values.values()) total += it;
  return total > 0;
}

function topologyWorth(pod: PodModel, cycle: Cycle, hardWeight: number): readonly Weighted[] {
  const { namespaces } = cycle.cluster;
  const { preferred, preferredAnti } = pod.terms;
  const sharesOf = (terms: PodTerms): readonly Share[] => [
    ...(hardWeight > 0 ? sharesOfTerms(terms.required, pod, namespaces, () => hardWeight) : NO_SHARES),
    ...sharesOfTerms(terms.preferred, pod, namespaces, it => it.weight),
    ...sharesOfTerms(terms.preferredAnti, pod, namespaces, it => -it.weight),
  ];
  return [
    ...preferred.flatMap(it => weighted(meantBy([it], cycle), it.weight)),
    ...preferredAnti.flatMap(it => weighted(meantBy([it], cycle), -it.weight)),
    ...weighted(sumsOfOthers('InterPodAffinity/theirs', pod, cycle, sharesOf), 1),
  ];
}

const weighted = (sums: Sums, weight: number): readonly Weighted[] => [...sums.values()].map(it => ({ ...it, weight }));
