import type { ClusterModel, NodeModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { ComparisonOperators } from '../../cluster/pods/tolerations';
import type { PodSpec } from '../../kube/types';
import type { SpreadState } from '../../scheduler/plugins/podTopologySpread/filtering';
import type { Attempt, GroupAttempt } from '../../scheduler/result';
import type { WorkspaceObject } from '../../workspace/object';

/** What rules may ask of the scheduler about one environment whose nodes somebody describes. */
export interface PlacementFacts {
  /** Before the Pods of the workspace are placed. */
  readonly cluster: ClusterModel;
  /** assumed: what nodes can hold is nobody's word, so that no rule compares with it. */
  readonly sizes: 'known' | 'assumed';
  /** How Gt and Lt of tolerations count. */
  readonly comparison: ComparisonOperators;
  /** Cycles of groups in the order tried. */
  readonly groups: readonly GroupAttempt[];
  /** The spec of a Pod or of a workload's template as written; undefined where it does not have the shape of one. */
  specOf(object: WorkspaceObject): PodSpec | undefined;
  /** The Pods that an object is or makes; those that admission refuses are left out. */
  podsOf(object: WorkspaceObject): readonly PodModel[];
  /** What admission says of the first Pod of an object that it refuses, and of how many. */
  refusalOf(object: WorkspaceObject): PodRefusal | undefined;
  /** The last attempt of a Pod that was to be placed. */
  attemptOf(pod: PodModel): Attempt | undefined;
  /** Where a Pod runs in the end. */
  nodeOf(pod: PodModel): string | undefined;
  /** The Pods that this one pushed out, most important first. */
  victimsOf(pod: PodModel): readonly PodModel[];
  /** The attempt if no other Pod ran anywhere; undefined for a Pod whose scheduler is not simulated. */
  aloneOf(pod: PodModel): Attempt | undefined;
  /** The nodes that no change of what else runs there could close or open; undefined where no node was looked at. */
  openTo(pod: PodModel): readonly NodeModel[] | undefined;
  /** The hard spread constraints with the domains of the cluster; undefined for none. */
  spreadOf(pod: PodModel): SpreadState | undefined;
  /** What becomes of an object's Pods if it has so many replicas. */
  withReplicas(object: WorkspaceObject, replicas: number): Replicas;
}

export interface PodRefusal {
  readonly message: string;
  readonly pods: number;
}

export interface Replicas {
  readonly wanted: number;
  /** Those that have a node in the end. */
  readonly placed: number;
  /** What the scheduler says of the first that has none. */
  readonly message?: string;
}
