import type { ClusterModel, PodModel } from '../../cluster/model';
import { withoutKey, withoutNomination, withPlaced } from '../board';
import type { FilterRun } from '../framework/cycle';
import type { Decision } from '../framework/decision';
import type { NodeInfo } from '../framework/nodeInfo';
import type { Reservation } from '../framework/plugin';
import type { PodGroupModel } from './podGroup';

/** The cluster at one moment of a group's cycle. Immutable, so that what was tried is undone by forgetting it. */
export interface GroupSnapshot {
  readonly cluster: ClusterModel;
  readonly nodes: readonly NodeInfo[];
  /** Pod id → Pod with its nomination. */
  readonly nominated: ReadonlyMap<string, PodModel>;
  /** Where the next turn over the nodes starts. */
  readonly start: number;
  /** The names of the nodes that come into question; absent: all. */
  readonly within?: ReadonlySet<string>;
}

/** How far a group has come: Pods with a node, those before this cycle included, and Pods not yet looked at. */
export interface Progress {
  readonly scheduled: number;
  readonly remaining: number;
}

export interface GroupStatus {
  readonly code: 'Success' | 'Wait' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';
  readonly reasons: readonly string[];
}

export const groupSuccess: GroupStatus = { code: 'Success', reasons: [] };

/** What a group's cycle borrows from the scheduling of single Pods, for one profile. */
export interface Bench {
  /** Filters and scores; preemption is the group's own matter. */
  look(pod: PodModel, at: GroupSnapshot): Decision;
  reserve(pod: PodModel, node: string, at: GroupSnapshot): Reservation | undefined;
  /** Binds what was reserved, once the whole group has its nodes. */
  bind(pod: PodModel, node: string, at: GroupSnapshot): ClusterModel;
  /** Whether the Pod fits the node as it is in `at`, with the nominated Pods in mind. */
  fits(run: FilterRun, pod: PodModel, node: NodeInfo, at: GroupSnapshot): boolean;
  /** Upstream: RunPlacementFeasiblePlugins. */
  feasible(group: PodGroupModel, progress: Progress): GroupStatus;
  /** Upstream: RunPodGroupPostFilterPlugins. */
  postFilter(context: GroupPostFilterContext): GroupPostFilterAnswer;
}

export interface PodLook {
  readonly pod: PodModel;
  readonly decision: Decision;
  readonly taken?: Reservation;
}

export interface GroupRun {
  readonly status: GroupStatus;
  /** All of them, in the order looked at. */
  readonly looks: readonly PodLook[];
  /** Those that count; fewer than the group's Pods when it could no longer succeed. */
  readonly results: readonly PodLook[];
  /** With the Pods assumed, or as before when the group failed. */
  readonly after: GroupSnapshot;
}

export interface GroupPostFilterContext {
  readonly group: PodGroupModel;
  readonly pods: readonly PodModel[];
  /** Of the run that failed. */
  readonly looks: readonly PodLook[];
  readonly at: GroupSnapshot;
  readonly bench: Bench;
  /** The group's cycle once more, in a changed cluster. */
  schedule(at: GroupSnapshot): GroupRun;
}

export interface GroupPostFilterAnswer {
  readonly code: 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';
  readonly message: string;
  /** Most important first. */
  readonly victims: readonly PodModel[];
  /** Pod id → node; an empty name takes the nomination away. */
  readonly nominations: ReadonlyMap<string, string>;
  /** Once claims were given back; absent: as before. */
  readonly cluster?: ClusterModel;
}

export const NOBODY: Pick<GroupPostFilterAnswer, 'victims' | 'nominations'> = { victims: [], nominations: new Map() };

/** The snapshot with the Pod on the node. Upstream: assumeAndReserve in a group's cycle. */
export function assumed(at: GroupSnapshot, pod: PodModel, node: string, taken: Reservation | undefined): GroupSnapshot {
  const placed = { ...withoutNomination(pod), nodeName: node };
  const on = at.nodes.find(it => it.name === node);
  return {
    ...at,
    cluster: taken?.cluster ?? at.cluster,
    nodes: on ? withPlaced(at.nodes, on, placed) : at.nodes,
    nominated: withoutKey(at.nominated, pod.id),
  };
}
