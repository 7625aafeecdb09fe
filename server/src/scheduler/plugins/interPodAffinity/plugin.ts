import type { NodeModel } from '../../../cluster/clusterModel';
import { type AffinityTerm, type PodTerms, termMatches } from '../../../cluster/pods/affinityTerms';
import type { PodModel } from '../../../cluster/pods/podModel';
import type { Cycle, PluginFactory, SchedulerPlugin, Status, Tracker } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { highest, lowest, MAX_NODE_SCORE } from '../../framework/normalize';
import { definePlugin } from '../../framework/plugin';
import { skip, success, unresolvable, unschedulable } from '../../framework/status';
import { type Topology, topologyOf } from '../../framework/topology';
import {
  countsOf,
  matchesAll,
  preferredTerms,
  type Share,
  sharesOfTerms,
  type TermNamespaces,
  termGroupsFor,
  weightOf,
} from './terms';
import { topologyScoreTracker } from './tracking';

/** Topology key → value → change of the number of matches. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Matches<T> {
  /** Anti-affinity terms of running Pods that match this Pod. */
  readonly existingAnti: T;
  /** Running Pods that match all affinity terms of this Pod. */
  readonly affinity: T;
  /** Running Pods that match an anti-affinity term of this Pod, for each of these terms. */
  readonly anti: readonly T[];
}

interface FilterState {
  readonly base: Matches<Sums>;
  /** The effect of Pods that were added or removed since; small, so that a dry run copies little. */
  readonly change: Matches<Counts>;
  readonly namespaces: TermNamespaces;
}

/**
 * Topology key → by number of the node's value, the sum that Pods on such nodes contribute; only keys with a
 * contribution.
 */
type Sums = ReadonlyMap<string, Sum>;

interface Sum {
  readonly topology: Topology;
  readonly of: Float64Array;
}

type Weighted = Sum & { readonly weight: number };

const NO_SUMS: Sums = new Map();
const NO_COUNTS: Counts = new Map();

const AFFINITY_UNMET = unresolvable("node(s) didn't match pod affinity rules");
const ANTI_AFFINITY_UNMET = unschedulable("node(s) didn't match pod anti-affinity rules");
const EXISTING_ANTI_AFFINITY_UNMET = unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = ({ args }) => {
  const hardWeight = typeof args.hardPodAffinityWeight === 'number' ? args.hardPodAffinityWeight : 1;
  const ignoresPreferredOfOthers = args.ignorePreferredTermsOfExistingPods === true;
  const plugin: SchedulerPlugin<FilterState, readonly Weighted[]> = {
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

    filter: filterByTerms,

    preScore(pod, cycle) {
      if (ignoresPreferredOfOthers && !hasPreferredTerms(pod)) return { status: skip };
      const worth = topologyScore(pod, cycle, hardWeight);
      return worth.length === 0 ? { status: skip } : { status: success, state: worth };
    },

    scoreAll: scoreTopologies,
    normalizeScore: normalizeTopologyScores,
  };
  return definePlugin({
    ...plugin,
    track: () => {
      const isScored = (pod: PodModel): boolean => !ignoresPreferredOfOthers || hasPreferredTerms(pod);
      const worth = topologyScoreTracker(isScored, hardWeight);
      const filter = filterTracker(plugin);
      return {
        follow(pod, cycle, changed) {
          filter.follow(pod, cycle, changed);
          worth.follow(pod, cycle, changed);
        },
        refused: filter.refused,
        scores: worth.scores,
      };
    },
  });
};

const hasPreferredTerms = ({ terms }: PodModel): boolean =>
  terms.preferred.length > 0 || terms.preferredAnti.length > 0;

/** The same answers as PreFilter and Filter. Most Pods have no terms and match none. */
function filterTracker({ preFilter }: SchedulerPlugin<FilterState>): Pick<Tracker, 'follow' | 'refused'> {
  let refused: Uint8Array | undefined;
  return {
    follow(pod, cycle) {
      const { state } = preFilter!(pod, cycle);
      const now = state && cycle.nodes.map(it => Number(filterByTerms(state, pod, it) !== success));
      if (now === undefined || !refused?.every((it, i) => it === now[i])) refused = now && Uint8Array.from(now);
    },
    refused: () => refused,
  };
}

function filterByTerms({ base, change, namespaces }: FilterState, pod: PodModel, node: NodeInfo): Status {
  if (!satisfiesAffinity({ base, change, namespaces }, pod, node)) return AFFINITY_UNMET;
  const { requiredAnti } = pod.terms;
  for (let i = 0; i < requiredAnti.length; i++) {
    if (countAt(base.anti[i], change.anti[i], requiredAnti[i]!.topologyKey, node) > 0) return ANTI_AFFINITY_UNMET;
  }
  const { existingAnti } = base;
  for (const key of existingAnti.keys()) {
    if (countAt(existingAnti, change.existingAnti, key, node) > 0) return EXISTING_ANTI_AFFINITY_UNMET;
  }
  for (const key of change.existingAnti.keys()) {
    if (countAt(existingAnti, change.existingAnti, key, node) > 0) return EXISTING_ANTI_AFFINITY_UNMET;
  }
  return success;
}

function scoreTopologies(sums: readonly Weighted[], feasible: Int32Array, scores: Float64Array): void {
  scores.fill(0);
  for (const { topology, of, weight } of sums) {
    for (let i = 0; i < feasible.length; i++) {
      const domain = topology.of[feasible[i]!]!;
      if (domain >= 0) scores[i]! += weight * of[domain]!;
    }
  }
}

function normalizeTopologyScores(scores: Float64Array): void {
  const min = lowest(scores);
  const span = highest(scores) - min;
  for (let i = 0; i < scores.length; i++) {
    scores[i] = span > 0 ? Math.trunc(MAX_NODE_SCORE * ((scores[i]! - min) / span)) : 0;
  }
}

function matchesOf(pod: PodModel, cycle: Cycle): Matches<Sums> {
  const { namespaces } = cycle.cluster;
  const { required, requiredAnti } = pod.terms;
  return {
    existingAnti: sumsOfOthers('InterPodAffinity/anti', pod, cycle, it =>
      sharesOfTerms(it.requiredAnti, pod, namespaces, () => 1),
    ),
    affinity: required.length === 0 ? NO_SUMS : matchCounts(required, cycle),
    anti: requiredAnti.map(it => matchCounts([it], cycle)),
  };
}

/** The sums that the terms of other Pods contribute for this one. */
function sumsOfOthers(
  question: string,
  pod: PodModel,
  cycle: Cycle,
  sharesOf: (terms: PodTerms) => readonly Share[],
): Sums {
  const termGroups = termGroupsFor(question, pod, cycle, sharesOf);
  if (termGroups.length === 0) return NO_SUMS;
  const sums = new Map<string, Sum>();
  for (const { group, shares } of termGroups) {
    for (const { topologyKey, by } of shares) {
      const add = adding(sums, topologyKey, cycle);
      for (const [index, count] of group.on) add(index, by * count);
    }
  }
  return sums;
}

/** Adds an amount on a node, by `NodeInfo.index`, to the sum of the node's value of a topology key. */
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

/** The number of running Pods that match all of some terms, by the topology of each term. */
function matchCounts(terms: readonly AffinityTerm[], cycle: Cycle): Sums {
  const counts = countsOf(terms, cycle);
  const sums = new Map<string, Sum>();
  for (const { topologyKey } of terms) {
    const add = adding(sums, topologyKey, cycle);
    for (let index = 0; index < counts.length; index++) if (counts[index]! > 0) add(index, counts[index]!);
  }
  return sums;
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
      affinity: add(change.affinity, matchesAll(required, other, namespaces) ? required : []),
      anti: requiredAnti.map((it, i) =>
        add(change.anti[i] ?? NO_COUNTS, termMatches(it, other, namespaces) ? [it] : []),
      ),
    },
  };
}

function countAt(base: Sums | undefined, change: Counts | undefined, key: string, { node, index }: NodeInfo): number {
  const before = base?.get(key);
  const after = change?.get(key);
  const domain = before?.topology.of[index] ?? -1;
  const there = domain < 0 ? 0 : before!.of[domain]!;
  const value = after === undefined ? undefined : node.labels[key];
  return value === undefined ? there : there + (after?.get(value) ?? 0);
}

/**
 * The first Pod of a group with affinity to itself finds no match anywhere and may go wherever the topology keys exist.
 */
function satisfiesAffinity({ base, change, namespaces }: FilterState, pod: PodModel, node: NodeInfo): boolean {
  const { required } = pod.terms;
  if (required.some(it => node.node.labels[it.topologyKey] === undefined)) return false;
  if (required.every(it => countAt(base.affinity, change.affinity, it.topologyKey, node) > 0)) return true;
  return !hasAnyMatch(base.affinity, change.affinity) && matchesAll(required, pod, namespaces);
}

/** No base sum is negative, so single values matter only where Pods were removed hypothetically. */
function hasAnyMatch(base: Sums, change: Counts): boolean {
  if (change.size === 0) return base.size > 0;
  let total = 0;
  for (const { of } of base.values()) for (const it of of) total += it;
  for (const values of change.values()) for (const it of values.values()) total += it;
  return total > 0;
}

function topologyScore(pod: PodModel, cycle: Cycle, hardWeight: number): readonly Weighted[] {
  return [
    ...preferredTerms(pod).flatMap(({ term, weight }) => weighted(matchCounts([term], cycle), weight)),
    ...weighted(sumsOfOthers('InterPodAffinity/theirs', pod, cycle, weightOf(pod, cycle, hardWeight)), 1),
  ];
}

const weighted = (sums: Sums, weight: number): readonly Weighted[] => [...sums.values()].map(it => ({ ...it, weight }));
