import type { ClusterModel, NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ComparisonOperators } from '../../cluster/pods/tolerations';
import type { PodSpec, Taint } from '../../kube/types';
import type { DeviceShortage } from '../../scheduler/plugins/dynamicResources/shortages';
import type { SpreadState } from '../../scheduler/plugins/podTopologySpread/filtering';
import type { Attempt, GroupAttempt } from '../../scheduler/result';
import type { WorkspaceObject } from '../../workspace/object';

/** What rules may ask the scheduler about one environment whose nodes are described. */
export interface PlacementFacts {
  /** Before the Pods of the workspace are placed. */
  readonly cluster: ClusterModel;
  /** assumed: the nodes' capacities are a guess, so no rule compares with them. */
  readonly sizes: 'known' | 'assumed';
  /** How Gt and Lt of tolerations compare. */
  readonly comparison: ComparisonOperators;
  /** The taints of all nodes by their keys, each once. */
  taintsByKey(): ReadonlyMap<string, readonly Taint[]>;
  /** Their keys in order. */
  taintKeys(): readonly string[];
  /** The scheduling cycles of groups in the order tried. */
  readonly groups: readonly GroupAttempt[];
  /** The spec of a Pod or of a workload's template as written; undefined if it does not have the right shape. */
  specOf(object: WorkspaceObject): PodSpec | undefined;
  /** The Pods that an object is or creates, without those that admission refuses. */
  podsOf(object: WorkspaceObject): readonly PodModel[];
  /** The refusal of an object's first refused Pod, and how many are refused. */
  refusalOf(object: WorkspaceObject): PodRefusal | undefined;
  /** The last scheduling attempt of a Pod. */
  attemptOf(pod: PodModel): Attempt | undefined;
  /** The node on which a Pod runs in the end. */
  nodeOf(pod: PodModel): string | undefined;
  /** The Pods that this one preempted, most important first. */
  victimsOf(pod: PodModel): readonly PodModel[];
  /**
   * Whether the reasons of a Pod without a node are told node by node. Of very many such Pods on very many nodes only the
   * first are.
   */
  isExplained(pod: PodModel): boolean;
  /** What nodes say with no other Pod on any; undefined for a Pod whose scheduler is not simulated or that is not explained. */
  aloneOf(pod: PodModel): Pick<Attempt, 'nodes'> | undefined;
  /** The nodes that fit the Pod whatever else runs there; undefined if no node was evaluated. */
  nodesOpenTo(pod: PodModel): readonly NodeModel[] | undefined;
  /** The hard spread constraints with the domains of the cluster; undefined if there are none. */
  spreadOf(pod: PodModel): SpreadState | undefined;
  /** Requests of claims that together want more devices than there are for them, the fewest devices first. */
  deviceShortages(): readonly DeviceShortage[];
  /** What would happen to an object's Pods with this many replicas; undefined: that takes too long to try. */
  withReplicas(object: WorkspaceObject, replicas: number): Replicas | undefined;
}

export interface PodRefusal {
  readonly message: string;
  readonly pods: number;
  readonly isByPolicy?: true;
}

export interface Replicas {
  readonly wanted: number;
  /** How many have a node in the end. */
  readonly placed: number;
  /** The scheduler's message for the first that has none. */
  readonly message?: string;
}
