import type { ClusterModel, JsonObject, NodeModel, PodModel } from '../../../cluster/model';
import { requiredNodeAffinity } from '../../../cluster/requiredAffinity';
import { type ComparisonOperators, isTolerated } from '../../../cluster/tolerations';
import {
  type LabelMatcher,
  labelMapMatcher,
  labelMatcher,
  type NodeMatcher,
  withRequirements,
} from '../../../kube/labelSelector';
import type {
  ReplicaSet,
  ReplicationController,
  Service,
  StringMap,
  TopologySpreadConstraint,
} from '../../../kube/types';
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
import type { Column } from '../../framework/sharedWork';
import { onceForLabels, signNodeAffinity, signTolerations } from '../../framework/signatures';

const HOSTNAME = 'kubernetes.io/hostname';
const ZONE = 'topology.kubernetes.io/zone';
const REASON = "node(s) didn't match pod topology spread constraints";

export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly selector: LabelMatcher;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
}

export interface SpreadDomains {
  /** Domain → matching Pods on nodes that count. */
  readonly counts: ReadonlyMap<string, number>;
  readonly min: number;
}

export interface SpreadState {
  readonly constraints: readonly SpreadConstraint[];
  readonly domains: readonly SpreadDomains[];
  readonly affinity: NodeMatcher;
}

interface ScoreState {
  readonly constraints: readonly SpreadConstraint[];
  readonly ignored: ReadonlySet<string>;
  readonly counts: readonly ReadonlyMap<string, number>[];
  readonly weights: readonly number[];
  /** Per constraint: the Pods that it counts on a node. */
  readonly matching: readonly Column<number>[];
}

type Action = 'DoNotSchedule' | 'ScheduleAnyway';

const SYSTEM_DEFAULTS: readonly TopologySpreadConstraint[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: ZONE, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

/** Upstream: pkg/scheduler/framework/plugins/podtopologyspread. */
export const podTopologySpread: PluginFactory = ({ args, gates }) => {
  const comparison: ComparisonOperators = gates.taintTolerationComparisonOperators ? 'on' : 'off';
  const isListed = args.defaultingType === 'List';
  const defaults = isListed
    ? ((args.defaultConstraints ?? []) as readonly TopologySpreadConstraint[])
    : SYSTEM_DEFAULTS;

  const changed = (state: SpreadState, pod: PodModel, other: PodModel, node: NodeModel, by: 1 | -1): SpreadState => {
    if (other.namespace !== pod.namespace || !hasKeys(node, state.constraints)) return state;
    const domains = state.domains.map((it, i) => {
      const constraint = state.constraints[i]!;
      if (!constraint.selector.matches(other.labels) || !counts(constraint, pod, node, state.affinity, comparison))
        return it;
      const value = node.labels[constraint.topologyKey]!;
      return withMin(new Map(it.counts).set(value, (it.counts.get(value) ?? 0) + by));
    });
    return { ...state, domains };
  };

  return definePlugin<SpreadState, ScoreState>({
    name: 'PodTopologySpread',

    preFilter(pod, cycle) {
      const { cluster, nodes } = cycle;
      const constraints = constraintsOf(pod, cluster, 'DoNotSchedule', defaults);
      if (constraints.length === 0) return { status: skip };
      const affinity = requiredNodeAffinity(pod.spec);
      const found = constraints.map(() => new Map<string, number>());
      const matching = constraints.map(it => matchingOn(it.selector, pod.namespace, cycle));
      const counted = constraints.map(it => countedOn(it, pod, affinity, cycle, comparison));
      for (const info of nodes) {
        if (!hasKeys(info.node, constraints)) continue;
        for (const [i, it] of constraints.entries()) {
          if (!counted[i]!(info)) continue;
          const value = info.node.labels[it.topologyKey]!;
          found[i]!.set(value, (found[i]!.get(value) ?? 0) + matching[i]!(info));
        }
      }
      return { status: success, state: { constraints, domains: found.map(withMin), affinity } };
    },

    addPod: (state, pod, added, node) => changed(state, pod, added, node.node, 1),
    removePod: (state, pod, removed, node) => changed(state, pod, removed, node.node, -1),

    filter({ constraints, domains }, pod, { node }) {
      for (const [i, it] of constraints.entries()) {
        const value = node.labels[it.topologyKey];
        if (value === undefined) return unresolvable(`${REASON} (missing required label)`);
        const domain = domains[i]!;
        const min = domain.counts.size < it.minDomains ? 0 : domain.min;
        const self = it.selector.matches(pod.labels) ? 1 : 0;
        if ((domain.counts.get(value) ?? 0) + self - min > it.maxSkew) return unschedulable(REASON);
      }
      return success;
    },

    preScore(pod, cycle, feasible) {
      const { cluster, nodes } = cycle;
      const constraints = constraintsOf(pod, cluster, 'ScheduleAnyway', defaults);
      if (constraints.length === 0) return { status: skip };
      const needsAllKeys = (pod.spec.topologySpreadConstraints ?? []).length > 0 || isListed;
      const ignored = new Set<string>();
      const found = constraints.map(() => new Map<string, number>());
      for (const { name, node } of feasible) {
        if (needsAllKeys && !hasKeys(node, constraints)) {
          ignored.add(name);
          continue;
        }
        for (const [i, it] of constraints.entries()) {
          if (it.topologyKey !== HOSTNAME) found[i]!.set(node.labels[it.topologyKey] ?? '', 0);
        }
      }
      const weights = constraints.map((it, i) =>
        Math.log((it.topologyKey === HOSTNAME ? feasible.length - ignored.size : found[i]!.size) + 2),
      );
      const affinity = requiredNodeAffinity(pod.spec);
      const matching = constraints.map(it => matchingOn(it.selector, pod.namespace, cycle));
      const counted = constraints.map(it => countedOn(it, pod, affinity, cycle, comparison));
      for (const info of nodes) {
        if (needsAllKeys && !hasKeys(info.node, constraints)) continue;
        for (const [i, it] of constraints.entries()) {
          const value = info.node.labels[it.topologyKey] ?? '';
          const before = found[i]!.get(value);
          if (before === undefined || !counted[i]!(info)) continue;
          found[i]!.set(value, before + matching[i]!(info));
        }
      }
      return { status: success, state: { constraints, ignored, counts: found, weights, matching } };
    },

    score(state, _pod, info) {
      if (state.ignored.has(info.name)) return 0;
      let score = 0;
      for (const [i, it] of state.constraints.entries()) {
        const value = info.node.labels[it.topologyKey];
        if (value === undefined) continue;
        const count = it.topologyKey === HOSTNAME ? state.matching[i]!(info) : (state.counts[i]!.get(value) ?? 0);
        score += count * state.weights[i]! + (it.maxSkew - 1);
      }
      return Math.round(score);
    },

    normalizeScore(scores, { ignored }, feasible) {
      const counted = scores.filter((_, i) => !ignored.has(feasible[i]!.name));
      const min = lowest(counted);
      const max = Math.max(0, highest(counted));
      for (let i = 0; i < scores.length; i++) {
        const isIgnored = ignored.has(feasible[i]!.name);
        const worth = max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - scores[i]!)) / max);
        scores[i] = isIgnored ? 0 : worth;
      }
    },
  });
};

function withMin(counts: ReadonlyMap<string, number>): SpreadDomains {
  let min = 2 ** 31 - 1;
  for (const it of counts.values()) min = Math.min(min, it);
  return { counts, min };
}

/** Whether the Pods on a node count for a constraint. */
function counts(
  { honorsAffinity, honorsTaints }: SpreadConstraint,
  pod: PodModel,
  node: NodeModel,
  affinity: NodeMatcher,
  comparison: ComparisonOperators,
): boolean {
  return (!honorsAffinity || affinity.matches(node)) && (!honorsTaints || toleratesAll(pod, node, comparison));
}

function countedOn(
  constraint: SpreadConstraint,
  pod: PodModel,
  affinity: NodeMatcher,
  { work }: Cycle,
  comparison: ComparisonOperators,
): Column<boolean> {
  const { honorsAffinity, honorsTaints } = constraint;
  const sign = `${honorsAffinity ? signNodeAffinity(pod) : ''}/${honorsTaints ? signTolerations(pod) : ''}`;
  return work.column(`PodTopologySpread/counts/${sign}`, 'node', ({ node }) =>
    counts(constraint, pod, node, affinity, comparison),
  );
}

function hasKeys(node: NodeModel, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(it => node.labels[it.topologyKey] !== undefined);
}

function toleratesAll(pod: PodModel, node: NodeModel, comparison: ComparisonOperators): boolean {
  return node.taints.every(
    it =>
      (it.effect !== 'NoSchedule' && it.effect !== 'NoExecute') ||
      isTolerated(it, pod.spec.tolerations ?? [], comparison),
  );
}

/** Pods on a node that the selector means; those on their way out do not count, and an empty selector means nobody. */
function matchingOn(selector: LabelMatcher, namespace: string, { work }: Cycle): Column<number> {
  if (selector.kind !== 'requirements') return () => 0;
  const sign = JSON.stringify([namespace, selector.requirements]);
  const isMatched = onceForLabels(it => it.namespace === namespace && selector.matches(it.labels));
  return work.column(`PodTopologySpread/matching/${sign}`, 'nodeAndPods', ({ pods }) => {
    let count = 0;
    for (const it of pods) {
      if (!it.terminating && isMatched(it)) count += 1;
    }
    return count;
  });
}

function constraintsOf(
  pod: PodModel,
  cluster: ClusterModel,
  action: Action,
  defaults: readonly TopologySpreadConstraint[],
): readonly SpreadConstraint[] {
  const own = pod.spec.topologySpreadConstraints ?? [];
  if (own.length > 0) return own.filter(it => it.whenUnsatisfiable === action).map(it => constraintOf(it, pod));
  const wanted = defaults.filter(it => it.whenUnsatisfiable === action);
  if (wanted.length === 0) return [];
  const selector = defaultSelector(pod, cluster);
  if (selector.kind === 'everything') return [];
  return wanted.map(it => ({ ...constraintOf(it, pod), selector }));
}

function constraintOf(it: TopologySpreadConstraint, pod: PodModel): SpreadConstraint {
  const keys = (it.matchLabelKeys ?? []).filter(key => pod.labels[key] !== undefined);
  const merged = keys.map(key => ({ key, operator: 'In' as const, values: [pod.labels[key]!] }));
  return {
    maxSkew: it.maxSkew ?? 1,
    topologyKey: it.topologyKey ?? '',
    selector: withRequirements(labelMatcher(it.labelSelector), merged),
    minDomains: it.minDomains ?? 1,
    honorsAffinity: it.nodeAffinityPolicy !== 'Ignore',
    honorsTaints: it.nodeTaintsPolicy === 'Honor',
  };
}

/** What the Pod's Services and its controller select, together. Upstream: helper.DefaultSelector. */
function defaultSelector(pod: PodModel, cluster: ClusterModel): LabelMatcher {
  const labels: Record<string, string> = {};
  for (const service of inNamespace<Service>(cluster, 'Service', pod)) {
    const selector = service.spec?.selector;
    if (selector && labelMapMatcher(selector).matches(pod.labels)) Object.assign(labels, selector);
  }
  const owner = pod.source.metadata?.ownerReferences?.find(it => it.controller === true);
  if (!owner) return labelMapMatcher(labels);
  if (owner.kind === 'ReplicationController' && owner.apiVersion === 'v1') {
    const found = named<ReplicationController>(cluster, owner.kind, pod, owner.name);
    return labelMapMatcher({ ...labels, ...found?.spec?.selector });
  }
  if ((owner.kind === 'ReplicaSet' || owner.kind === 'StatefulSet') && owner.apiVersion === 'apps/v1') {
    const found = named<ReplicaSet>(cluster, owner.kind, pod, owner.name);
    return both(labels, found && labelMatcher(found.spec?.selector));
  }
  return labelMapMatcher(labels);
}

function both(labels: StringMap, other: LabelMatcher | undefined): LabelMatcher {
  const own = labelMapMatcher(labels);
  if (other?.kind !== 'requirements') return own;
  return own.kind === 'everything' ? other : withRequirements(own, other.requirements);
}

function inNamespace<T>(cluster: ClusterModel, kind: string, pod: PodModel): readonly T[] {
  const list = cluster.objects.get(kind) ?? [];
  return list.filter(it => (it.metadata as JsonObject | undefined)?.namespace === pod.namespace) as readonly T[];
}

function named<T extends { readonly metadata?: { readonly name?: string } }>(
  cluster: ClusterModel,
  kind: string,
  pod: PodModel,
  name: string | undefined,
): T | undefined {
  return inNamespace<T>(cluster, kind, pod).find(it => it.metadata?.name === name);
}
