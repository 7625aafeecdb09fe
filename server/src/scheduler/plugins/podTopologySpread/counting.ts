import type { NodeModel, PodModel } from '../../../cluster/model';
import { type ComparisonOperators, isTolerated } from '../../../cluster/tolerations';
import type { LabelMatcher, NodeMatcher } from '../../../kube/labelSelector';
import type { Cycle } from '../../framework/plugin';
import { countMeant } from '../../framework/population';
import type { Column } from '../../framework/sharedWork';
import { signNodeAffinity, signTolerations } from '../../framework/signatures';
import { topologyOf } from '../../framework/topology';
import type { SpreadConstraint } from './constraints';

/** Whether the Pods on a node count for a constraint. */
export function counts(
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

export function hasKeys(node: NodeModel, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(it => node.labels[it.topologyKey] !== undefined);
}

/** By `NodeInfo.index`, 1: the node lacks the key of a constraint. */
export function lackingKeys(constraints: readonly SpreadConstraint[], cycle: Cycle): Uint8Array {
  const keys = constraints.map(it => it.topologyKey);
  return cycle.work.once(`PodTopologySpread/lacking/${keys.join()}`, () => {
    const lacking = new Uint8Array(cycle.nodes.length);
    for (const key of keys) {
      for (const [index, value] of topologyOf(key, cycle).of.entries()) if (value < 0) lacking[index] = 1;
    }
    return lacking;
  });
}

function toleratesAll(pod: PodModel, node: NodeModel, comparison: ComparisonOperators): boolean {
  return node.taints.every(
    it =>
      (it.effect !== 'NoSchedule' && it.effect !== 'NoExecute') ||
      isTolerated(it, pod.spec.tolerations ?? [], comparison),
  );
}

/** Pods on each node that the selector means; those on their way out do not count, and an empty selector means nobody. */
function matchingOn(selector: LabelMatcher, namespace: string, cycle: Cycle): Float64Array {
  if (selector.kind !== 'requirements') return new Float64Array(cycle.nodes.length);
  const sign = JSON.stringify([namespace, selector.requirements]);
  const isMeant = (it: PodModel): boolean => it.namespace === namespace && selector.matches(it.labels);
  return countMeant(sign, 'staying', isMeant, cycle);
}

/** What a constraint sees of a node. */
export interface Counter {
  /** Whether the Pods on the node count. */
  readonly counted: Column<boolean>;
  /** The Pods that it means, by `NodeInfo.index`. */
  readonly matching: Float64Array;
}

/** By place of the constraint. */
export function countersOf(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  affinity: NodeMatcher,
  cycle: Cycle,
  comparison: ComparisonOperators,
): readonly Counter[] {
  return constraints.map(it => ({
    counted: countedOn(it, pod, affinity, cycle, comparison),
    matching: matchingOn(it.selector, pod.namespace, cycle),
  }));
}
