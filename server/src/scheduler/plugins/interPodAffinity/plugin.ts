import { type AffinityTerm, termMatches } from '../../../cluster/affinityTerms';
import type { NodeModel, PodModel } from '../../../cluster/model';
import type { LabelMatcher } from '../../../kube/labelSelector';
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
import type { Column } from '../../framework/sharedWork';
import { signLabels } from '../../framework/signatures';

/** Topology key → value → how many matches of terms, or their weights together. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;
type MutableCounts = Map<string, Map<string, number>>;
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

/** A topology key and what one Pod adds to the node's value of it. */
interface Share {
  readonly topologyKey: string;
  readonly by: number;
}

const NO_COUNTS: Counts = new Map();
const NO_CHANGE: Tally = { existingAnti: NO_COUNTS, affinity: NO_COUNTS, anti: NO_COUNTS };

/** Upstream: pkg/scheduler/framework/plugins/interpodaffinity. */
export const interPodAffinity: PluginFactory = ({ args }) => {
  const hardWeight = typeof args.hardPodAffinityWeight === 'number' ? args.hardPodAffinityWeight : 1;
  const ignoresPreferredOfOthers = args.ignorePreferredTermsOfExistingPods === true;
  return definePlugin<FilterState, Counts>({
    name: 'InterPodAffinity',

    preFilter(pod, cycle) {
      const namespaces = cycle.cluster.namespaces;
      const base = tallyOf(pod, cycle);
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
      if (hasForeign && keysOfForeign(state).some(it => countAt(state, 'existingAnti', it, node) > 0)) {
        return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
      }
      return success;
    },

    preScore(pod, cycle) {
      const wishes = pod.terms.preferred.length > 0 || pod.terms.preferredAnti.length > 0;
      if (ignoresPreferredOfOthers && !wishes) return { status: skip };
      const scores = topologyScores(pod, cycle, hardWeight);
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
      const min = scores.reduce((least, it) => Math.min(least, it), Number.POSITIVE_INFINITY);
      const span = scores.reduce((most, it) => Math.max(most, it), Number.NEGATIVE_INFINITY) - min;
      return scores.map(it => (span > 0 ? Math.trunc(MAX_NODE_SCORE * ((it - min) / span)) : 0));
    },
  });
};

function bump(counts: MutableCounts, key: string, node: NodeModel, by: number): void {
  const value = node.labels[key];
  if (value === undefined) return;
  const values = counts.get(key);
  if (values === undefined) counts.set(key, new Map([[value, by]]));
  else values.set(value, (values.get(value) ?? 0) + by);
}

const NO_SHARES: readonly Share[] = [];

function tallyOf(pod: PodModel, cycle: Cycle): Tally {
  const { namespaces } = cycle.cluster;
  const { required, requiredAnti } = pod.terms;
  const existingAnti: MutableCounts = new Map();
  const affinity: MutableCounts = new Map();
  const anti: MutableCounts = new Map();
  const theirs = cycle.work.column(`InterPodAffinity/existingAnti/${signLabels(pod)}`, 'nodeAndPods', node =>
    sharesOf(node, other =>
      other.terms.requiredAnti.flatMap(it =>
        termMatches(it, pod, namespaces) ? [{ topologyKey: it.topologyKey, by: 1 }] : [],
      ),
    ),
  );
  const meant = required.length > 0 ? meantOn(required, cycle) : undefined;
  const antiTerms = requiredAnti.map(it => ({ key: it.topologyKey, meant: meantOn([it], cycle) }));
  for (const info of cycle.nodes) {
    for (const { topologyKey, by } of theirs(info)) bump(existingAnti, topologyKey, info.node, by);
    const count = meant?.(info) ?? 0;
    if (count > 0) for (const it of required) bump(affinity, it.topologyKey, info.node, count);
    for (const term of antiTerms) {
      const found = term.meant(info);
      if (found > 0) bump(anti, term.key, info.node, found);
    }
  }
  return { existingAnti, affinity, anti };
}

/** What the Pods with terms on a node add. Most nodes have no such Pod. */
function sharesOf({ podsWithAffinity }: NodeInfo, shares: (other: PodModel) => readonly Share[]): readonly Share[] {
  if (podsWithAffinity.length === 0) return NO_SHARES;
  const found = podsWithAffinity.flatMap(shares);
  return found.length === 0 ? NO_SHARES : found;
}

/** How many Pods on a node all of some terms mean. */
function meantOn(terms: readonly AffinityTerm[], { cluster, work }: Cycle): Column<number> {
  const { namespaces } = cluster;
  return work.column(`InterPodAffinity/meant/${terms.map(signTerm).join()}`, 'nodeAndPods', ({ pods }) => {
    let count = 0;
    for (const it of pods) if (meansAll(terms, it, namespaces)) count += 1;
    return count;
  });
}

/** Whom a term means, as text. */
function signTerm({ selector, namespaces, namespaceSelector }: AffinityTerm): string {
  const sign = ({ kind, requirements }: LabelMatcher): unknown => [kind, requirements];
  return JSON.stringify([sign(selector), [...namespaces], sign(namespaceSelector)]);
}

function changed(state: FilterState, pod: PodModel, other: PodModel, node: NodeModel, by: 1 | -1): FilterState {
  const { namespaces, change } = state;
  const add = (counts: Counts, keys: readonly string[]): Counts => {
    if (keys.length === 0) return counts;
    const res: MutableCounts = new Map([...counts].map(([key, values]) => [key, new Map(values)]));
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

/** The topology keys of the terms of others. */
function keysOfForeign({ base, change }: FilterState): readonly string[] {
  return [...base.existingAnti.keys(), ...change.existingAnti.keys()];
}

function countAt({ base, change }: FilterState, part: keyof Tally, key: string, node: NodeModel): number {
  const before = base[part].get(key);
  const after = change[part].get(key);
  if (before === undefined && after === undefined) return 0;
  const value = node.labels[key];
  return value === undefined ? 0 : (before?.get(value) ?? 0) + (after?.get(value) ?? 0);
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
  for (const counts of [base.affinity, change.affinity]) {
    for (const values of counts.values()) for (const it of values.values()) total += it;
  }
  return total === 0;
}

function topologyScores(pod: PodModel, cycle: Cycle, hardWeight: number): Counts {
  const { namespaces } = cycle.cluster;
  const res: MutableCounts = new Map();
  const { preferred, preferredAnti } = pod.terms;
  const weigh = (terms: readonly AffinityTerm[], sign: 1 | -1) =>
    terms.map(it => ({ key: it.topologyKey, by: sign * it.weight, meant: meantOn([it], cycle) }));
  const wishes = [...weigh(preferred, 1), ...weigh(preferredAnti, -1)];
  const theirs = cycle.work.column(`InterPodAffinity/theirs/${hardWeight}/${signLabels(pod)}`, 'nodeAndPods', node =>
    sharesOf(node, ({ terms }) => {
      const share = (list: readonly AffinityTerm[], weight: (it: AffinityTerm) => number): readonly Share[] =>
        list.flatMap(it => (termMatches(it, pod, namespaces) ? [{ topologyKey: it.topologyKey, by: weight(it) }] : []));
      return [
        ...(hardWeight > 0 ? share(terms.required, () => hardWeight) : []),
        ...share(terms.preferred, it => it.weight),
        ...share(terms.preferredAnti, it => -it.weight),
      ];
    }),
  );
  for (const info of cycle.nodes) {
    for (const { key, by, meant } of wishes) {
      const count = meant(info);
      if (count > 0) bump(res, key, info.node, by * count);
    }
    for (const { topologyKey, by } of theirs(info)) bump(res, topologyKey, info.node, by);
  }
  return res;
}
