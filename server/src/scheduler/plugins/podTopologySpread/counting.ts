import type { NodeModel } from '../../../cluster/clusterModel';
import type { PodModel } from '../../../cluster/pods/podModel';
import { requiredNodeAffinity } from '../../../cluster/pods/requiredAffinity';
import { type ComparisonOperators, isTolerated } from '../../../cluster/pods/tolerations';
import type { NodeMatcher } from '../../../kube/labelSelector';
import type { Cycle } from '../../framework/interface';
import type { NodeInfo } from '../../framework/nodeInfo';
import { countMatching } from '../../framework/podCounts';
import type { BorrowedNumbers } from '../../framework/sharedWork';
import { signNodeAffinity, signTolerations } from '../../framework/signatures';
import { topologyOf } from '../../framework/topology';
import type { SpreadConstraint } from './constraints';

/** Whether a node's Pods count for a constraint. */
export function counts(
  { honorsAffinity, honorsTaints }: SpreadConstraint,
  pod: PodModel,
  node: NodeModel,
  affinity: NodeMatcher,
  comparison: ComparisonOperators,
): boolean {
  return (!honorsAffinity || affinity.matches(node)) && (!honorsTaints || toleratesAll(pod, node, comparison));
}

export function hasKeys(node: NodeModel, constraints: readonly SpreadConstraint[]): boolean {
  return constraints.every(it => node.labels[it.topologyKey] !== undefined);
}

/** By `NodeInfo.index`; 1: the node lacks the key of a constraint. */
export function lackingKeys(constraints: readonly SpreadConstraint[], cycle: Cycle): Uint8Array {
  return cycle.work.always(constraints, () => {
    const keys = constraints.map(it => it.topologyKey);
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

/** A constraint's counts on the nodes, by `NodeInfo.index`; valid within the cycle. */
export interface Counter {
  /** Whether the Pods on the node count. */
  readonly counted: readonly boolean[];
  /** The number of matching Pods; terminating Pods do not count, and an empty selector matches none. */
  readonly matching: BorrowedNumbers;
}

/**
 * The cached question of an equivalence class: its key, which names everything that the answer depends on, and the
 * answers about nodes.
 */
interface Question extends Pick<Counter, 'counted'> {
  readonly key: string;
  isMeant(pod: PodModel): boolean;
}

/** By index of the constraint. */
export function countersOf(
  constraints: readonly SpreadConstraint[],
  pod: PodModel,
  cycle: Cycle,
  comparison: ComparisonOperators,
): readonly Counter[] {
  const ask = () => constraints.map(it => questionOf(it, pod, cycle, comparison));
  return cycle.work
    .alwaysForClass(pod)(constraints, ask)
    .map(({ counted, key, isMeant }) => ({
      counted,
      matching: countMatching(key, 'staying', isMeant, cycle, pod.namespace),
    }));
}

function questionOf(
  constraint: SpreadConstraint,
  pod: PodModel,
  { work, nodes }: Cycle,
  comparison: ComparisonOperators,
): Question {
  const { honorsAffinity, honorsTaints, selector } = constraint;
  const affinity = requiredNodeAffinity(pod.spec);
  const { namespace } = pod;
  const sign = `${honorsAffinity ? signNodeAffinity(pod) : ''}/${honorsTaints ? signTolerations(pod) : ''}`;
  const isCounted = ({ node }: NodeInfo): boolean => counts(constraint, pod, node, affinity, comparison);
  return {
    // Labels and taints of nodes do not change during a run.
    counted: work.answers(`PodTopologySpread/counts/${sign}`, 'node', isCounted, nodes).slice(),
    key: `PodTopologySpread/${JSON.stringify([namespace, selector.kind, selector.requirements])}`,
    isMeant: it => selector.kind === 'requirements' && it.namespace === namespace && selector.matches(it.labels),
  };
}
