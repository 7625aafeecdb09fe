import type { NodeModel, PodModel } from '../../../cluster/model';
import { requiredNodeAffinity } from '../../../cluster/requiredAffinity';
import type { ComparisonOperators } from '../../../cluster/tolerations';
import type { NodeMatcher } from '../../../kube/labelSelector';
import { type Cycle, type Status, success, unresolvable, unschedulable } from '../../framework/plugin';
import type { SpreadConstraint } from './constraints';
import { countersOf, counts, hasKeys } from './counting';

const REASON = "node(s) didn't match pod topology spread constraints";

export interface SpreadDomains {
  /** Domain → matching Pods on nodes that count. */
  readonly counts: ReadonlyMap<string, number>;
  readonly min: number;
}

/** Upstream: preFilterState. */
export interface SpreadState {
  readonly constraints: readonly SpreadConstraint[];
  readonly domains: readonly SpreadDomains[];
  readonly affinity: NodeMatcher;
}

/** Upstream: calPreFilterState. */
export function spreadState(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  cycle: Cycle,
  comparison: ComparisonOperators,
): SpreadState {
  const affinity = requiredNodeAffinity(pod.spec);
  const found = constraints.map(() => new Map<string, number>());
  const counters = countersOf(constraints, pod, affinity, cycle, comparison);
  for (const info of cycle.nodes) {
    if (!hasKeys(info.node, constraints)) continue;
    for (const [i, it] of constraints.entries()) {
      const { counted, matching } = counters[i]!;
      if (!counted(info)) continue;
      const value = info.node.labels[it.topologyKey]!;
      found[i]!.set(value, (found[i]!.get(value) ?? 0) + matching(info));
    }
  }
  return { constraints, domains: found.map(withMin), affinity };
}

/** The state with another Pod more or less on a node. Upstream: preFilterState.updateWithPod. */
export function changedState(
  state: SpreadState,
  pod: PodModel,
  other: PodModel,
  node: NodeModel,
  by: 1 | -1,
  comparison: ComparisonOperators,
): SpreadState {
  if (other.namespace !== pod.namespace || !hasKeys(node, state.constraints)) return state;
  const domains = state.domains.map((it, i) => {
    const constraint = state.constraints[i]!;
    const isMeant = constraint.selector.matches(other.labels);
    if (!isMeant || !counts(constraint, pod, node, state.affinity, comparison)) return it;
    const value = node.labels[constraint.topologyKey]!;
    return withMin(new Map(it.counts).set(value, (it.counts.get(value) ?? 0) + by));
  });
  return { ...state, domains };
}

/** Upstream: PodTopologySpread.Filter. */
export function filterSpread({ constraints, domains }: SpreadState, pod: PodModel, node: NodeModel): Status {
  for (const [i, it] of constraints.entries()) {
    const value = node.labels[it.topologyKey];
    if (value === undefined) return unresolvable(`${REASON} (missing required label)`);
    const domain = domains[i]!;
    const min = domain.counts.size < it.minDomains ? 0 : domain.min;
    const self = it.selector.matches(pod.labels) ? 1 : 0;
    if ((domain.counts.get(value) ?? 0) + self - min > it.maxSkew) return unschedulable(REASON);
  }
  return success;
}

function withMin(counts: ReadonlyMap<string, number>): SpreadDomains {
  let min = 2 ** 31 - 1;
  for (const it of counts.values()) min = Math.min(min, it);
  return { counts, min };
}
