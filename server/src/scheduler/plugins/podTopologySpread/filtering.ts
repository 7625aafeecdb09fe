import type { NodeModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import type { ComparisonOperators } from '../../../cluster/pods/tolerations';
import type { NodeMatcher } from '../../../kube/labelSelector';
import type { Cycle, Status } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { success, unresolvable, unschedulable } from '../../framework/status';
import { type Topology, topologyOf } from '../../framework/topology';
import type { SpreadConstraint } from './constraints';
import { type Counter, countersOf, counts, hasKeys, lackingKeys } from './counting';

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
  /** By constraint: 1 where it matches the Pod itself. */
  readonly self: readonly number[];
  /** The limits of the domains, valid while no other Pod is added or removed hypothetically. */
  readonly limits?: readonly Limit[];
}

/** The domains of a constraint that are full. */
interface Limit {
  readonly topology: Topology;
  /** By number of the value; 1: full. */
  readonly isOver: Uint8Array;
}

/** Upstream: calPreFilterState. */
export function spreadState(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  cycle: Cycle,
  comparison: ComparisonOperators,
): SpreadState {
  const counters = countersOf(constraints, pod, cycle, comparison);
  const lacking = lackingKeys(constraints, cycle);
  const topologies = constraints.map(it => topologyOf(it.topologyKey, cycle));
  const domains = topologies.map((it, i) => withMin(countsOf(it, counters[i]!, lacking, cycle)));
  const self = constraints.map(it => (it.selector.matches(pod.labels) ? 1 : 0));
  const limits = topologies.map((topology, i): Limit => {
    const isOver = (value: string): boolean => isTooMany(constraints[i]!, domains[i]!, self[i]!, value);
    return { topology, isOver: Uint8Array.from(topology.values, it => Number(isOver(it))) };
  });
  return { constraints, domains, affinity: requiredNodeAffinity(pod.spec), self, limits };
}

/** By domain, in node order. */
function countsOf(
  { of, values }: Topology,
  { counted, matching }: Counter,
  lacking: Uint8Array,
  { nodes }: Cycle,
): ReadonlyMap<string, number> {
  const sums = new Float64Array(values.length);
  const isThere = new Uint8Array(values.length);
  const order: number[] = [];
  for (let index = 0; index < nodes.length; index++) {
    if (lacking[index] === 1 || !counted[index]) continue;
    const domain = of[index]!;
    if (isThere[domain] !== 1) order.push(domain);
    isThere[domain] = 1;
    sums[domain]! += matching[index]!;
  }
  return new Map(order.map(it => [values[it]!, sums[it]!]));
}

/** The state with another Pod added to or removed from a node. Upstream: preFilterState.updateWithPod. */
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
  const { limits: _, ...others } = state;
  return { ...others, domains };
}

/** Upstream: PodTopologySpread.Filter. */
export function filterSpread({ constraints, domains, self, limits }: SpreadState, { node, index }: NodeInfo): Status {
  for (let i = 0; i < constraints.length; i++) {
    const constraint = constraints[i]!;
    const limit = limits?.[i];
    if (limit) {
      const domain = limit.topology.of[index]!;
      if (domain < 0) return MISSING_LABEL;
      if (limit.isOver[domain] === 1) return TOO_MANY;
      continue;
    }
    const value = node.labels[constraint.topologyKey];
    if (value === undefined) return MISSING_LABEL;
    if (isTooMany(constraint, domains[i]!, self[i]!, value)) return TOO_MANY;
  }
  return success;
}

const MISSING_LABEL = unresolvable(`${REASON} (missing required label)`);
const TOO_MANY = unschedulable(REASON);

function isTooMany(
  { minDomains, maxSkew }: SpreadConstraint,
  domain: SpreadDomains,
  self: number,
  value: string,
): boolean {
  const min = domain.counts.size < minDomains ? 0 : domain.min;
  return (domain.counts.get(value) ?? 0) + self - min > maxSkew;
}

function withMin(counts: ReadonlyMap<string, number>): SpreadDomains {
  let min = 2 ** 31 - 1;
  for (const it of counts.values()) min = Math.min(min, it);
  return { counts, min };
}
