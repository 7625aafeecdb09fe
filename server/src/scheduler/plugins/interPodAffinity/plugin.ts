import { type AffinityTerm, termMatches } from '../../../cluster/affinityTerms';
import type { NodeModel, PodModel } from '../../../cluster/model';
import type { StringMap } from '../../../kube/types';
import type { NodeInfo } from '../../framework/nodeInfo';
import {
  type Cycle,
  definePlugin,
  MAX_NODE_SCORE,
  skip,
  success,
  unresolvable,
  unschedulable,
} from '../../framework/plugin';
import type { PluginFactory } from '../../framework/profile';

/** Topology key and value → how many matches of terms. */
type Counts = ReadonlyMap<string, number>;
type Namespaces = ReadonlyMap<string, StringMap>;

interface Tally {
  /** Anti-affinity terms of running Pods that mean this Pod. */
  readonly existingAnti: Counts;
  /** Running Pods that all affinity terms of this Pod mean. */
  readonly affinity: Counts;
  /** Running Pods that an anti-affinity term of this Pod means. */
  readonly anti: Counts;
}

interface FilterState {
  readonly base: Tally;
  /** What Pods added or removed since change; small, so that a dry run copies little. */
  readonly change: Tally;
  readonly namespaces: Namespaces;
}

/** Topology key → value → score. */
type ScoreState = ReadonlyMap<string, ReadonlyMap<string, number>>;

const NO_COUNTS: Counts = new Map();
const NO_CHANGE: Tally = { existingAnti: NO_COUNTS, affinity: NO_COUNTS, anti: NO_COUNTS };

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = ({ args }) => {
  const hardWeight = typeof args.hardPodAffinityWeight === 'number' ? args.hardPodAffinityWeight : 1;
  const ignoresPreferredOfOthers = args.ignorePreferredTermsOfExistingPods === true;
  return definePlugin<FilterState, ScoreState>({
    name: 'InterPodAffinity',

    preFilter(pod, cycle) {
      const namespaces = cycle.cluster.namespaces;
      const base = tallyOf(pod, cycle.nodes, namespaces);
      const { required, requiredAnti } = pod.terms;
      if (base.existingAnti.size === 0 && required.length === 0 && requiredAnti.length === 0) return { status: skip };
      return { status: success, state: { base, change: NO_CHANGE, namespaces } };
    },

    addPod: (state, pod, added, node) => changed(state, pod, added, node.node, 1),
    removePod: (state, pod, removed, node) => changed(state, pod, removed, node.node, -1),

    filter(state, pod, { node }) {
      if (!satisfiesAffinity(state, pod, node)) return unresolvable("node(s) didn't match pod affinity rules");
      if (pod.terms.requiredAnti.some(it => countAt(state, 'anti', it.topologyKey, node) > 0)) {
        return unschedulable("node(s) didn't match pod anti-affinity rules");
      }
      const hasForeign = state.base.existingAnti.size > 0 || state.change.existingAnti.size > 0;
      if (hasForeign && Object.keys(node.labels).some(it => countAt(state, 'existingAnti', it, node) > 0)) {
        return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
      }
      return success;
    },

    preScore(pod, cycle) {
      const wishes = pod.terms.preferred.length > 0 || pod.terms.preferredAnti.length > 0;
      if (ignoresPreferredOfOthers && !wishes) return { status: skip };
      const scores = topologyScores(pod, cycle, hardWeight, wishes ? 'all' : 'withAffinity');
      return scores.size === 0 ? { status: skip } : { status: success, state: scores };
    },

    score(scores, _pod, { node }) {
      let sum = 0;
      for (const [key, values] of scores) {
        const value = node.labels[key];
        if (value !== undefined) sum += values.get(value) ?? 0;
      }
      return sum;
    },

    normalizeScore(scores) {
      const min = Math.min(...scores);
      const span = Math.max(...scores) - min;
      return scores.map(it => (span > 0 ? Math.trunc(MAX_NODE_SCORE * ((it - min) / span)) : 0));
    },
  });
};

function pair(key: string, value: string): string {
  return `${key}\u0000${value}`;
}

function bump(counts: Map<string, number>, key: string, node: NodeModel, by: number): void {
  const value = node.labels[key];
  if (value === undefined) return;
  const at = pair(key, value);
  counts.set(at, (counts.get(at) ?? 0) + by);
}

function tallyOf(pod: PodModel, nodes: readonly NodeInfo[], namespaces: Namespaces): Tally {
  const existingAnti = new Map<string, number>();
  const affinity = new Map<string, number>();
  const anti = new Map<string, number>();
  const { required, requiredAnti } = pod.terms;
  const asks = required.length > 0 || requiredAnti.length > 0;
  for (const { node, pods, podsWithAffinity } of nodes) {
    for (const other of podsWithAffinity) {
      for (const term of other.terms.requiredAnti) {
        if (termMatches(term, pod, namespaces)) bump(existingAnti, term.topologyKey, node, 1);
      }
    }
    if (asks) for (const other of pods) countOther(other, node, 1);
  }
  return { existingAnti, affinity, anti };

  function countOther(other: PodModel, node: NodeModel, by: number): void {
    if (meansAll(required, other, namespaces)) for (const it of required) bump(affinity, it.topologyKey, node, by);
    for (const it of requiredAnti) if (termMatches(it, other, namespaces)) bump(anti, it.topologyKey, node, by);
  }
}

function changed(state: FilterState, pod: PodModel, other: PodModel, node: NodeModel, by: 1 | -1): FilterState {
  const { namespaces, change } = state;
  const add = (counts: Counts, keys: readonly string[]): Counts => {
    if (keys.length === 0) return counts;
    const res = new Map(counts);
    for (const key of keys) bump(res, key, node, by);
    return res;
  };
  const { required, requiredAnti } = pod.terms;
  const keysOf = (terms: readonly AffinityTerm[]): readonly string[] => terms.map(it => it.topologyKey);
  return {
    ...state,
    change: {
      existingAnti: add(
        change.existingAnti,
        keysOf(other.terms.requiredAnti.filter(it => termMatches(it, pod, namespaces))),
      ),
      affinity: add(change.affinity, meansAll(required, other, namespaces) ? keysOf(required) : []),
      anti: add(change.anti, keysOf(requiredAnti.filter(it => termMatches(it, other, namespaces)))),
    },
  };
}

/** Without any term nobody is meant. */
function meansAll(terms: readonly AffinityTerm[], pod: PodModel, namespaces: Namespaces): boolean {
  return terms.length > 0 && terms.every(it => termMatches(it, pod, namespaces));
}

function countAt({ base, change }: FilterState, part: keyof Tally, key: string, node: NodeModel): number {
  const value = node.labels[key];
  if (value === undefined) return 0;
  const at = pair(key, value);
  return (base[part].get(at) ?? 0) + (change[part].get(at) ?? 0);
}

/** The first of a group that wants its own kind finds no match anywhere, and may go where the topology keys are. */
function satisfiesAffinity(state: FilterState, pod: PodModel, node: NodeModel): boolean {
  const { required } = pod.terms;
  if (required.some(it => node.labels[it.topologyKey] === undefined)) return false;
  if (required.every(it => countAt(state, 'affinity', it.topologyKey, node) > 0)) return true;
  return isEmpty(state) && meansAll(required, pod, state.namespaces);
}

function isEmpty({ base, change }: FilterState): boolean {
  let total = 0;
  for (const it of base.affinity.values()) total += it;
  for (const it of change.affinity.values()) total += it;
  return total === 0;
}

function topologyScores(pod: PodModel, cycle: Cycle, hardWeight: number, whom: 'all' | 'withAffinity'): ScoreState {
  const namespaces = cycle.cluster.namespaces;
  const res = new Map<string, Map<string, number>>();
  const add = (term: AffinityTerm, meant: PodModel, weight: number, node: NodeModel): void => {
    const value = node.labels[term.topologyKey];
    if (value === undefined || !termMatches(term, meant, namespaces)) return;
    const values = res.get(term.topologyKey) ?? new Map<string, number>();
    values.set(value, (values.get(value) ?? 0) + weight);
    res.set(term.topologyKey, values);
  };
  const { preferred, preferredAnti } = pod.terms;
  for (const { node, pods, podsWithAffinity } of cycle.nodes) {
    for (const other of whom === 'all' ? pods : []) {
      for (const it of preferred) add(it, other, it.weight, node);
      for (const it of preferredAnti) add(it, other, -it.weight, node);
    }
    for (const other of podsWithAffinity) {
      const theirs = other.terms;
      if (hardWeight > 0) for (const it of theirs.required) add(it, pod, hardWeight, node);
      for (const it of theirs.preferred) add(it, pod, it.weight, node);
      for (const it of theirs.preferredAnti) add(it, pod, -it.weight, node);
    }
  }
  return res;
}
