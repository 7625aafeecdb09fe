import type { UnknownObject } from '../../base/json';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Amounts, Resources } from '../../cluster/resources/resources';
import type { Attempt, ClaimChoice, NodeVerdict, StatusCode, VolumeChoice } from '../result';
import type { ExtenderChain } from './extender';
import type { ClassScores } from './nodeClasses';
import type { NodeInfo } from './nodeInfo';
import type { Dependency, SharedWork } from './sharedWork';

/** A plugin's result, with upstream's code names. */
export type Status =
  | { readonly code: 'Success' }
  | { readonly code: 'Skip' }
  | { readonly code: StatusCode; readonly reasons: readonly string[] };

export type Refusal = Extract<Status, { readonly reasons: readonly string[] }>;

/** What PreEnqueue plugins may read besides the Pod. */
export interface QueueView {
  readonly cluster: ClusterModel;
  /** All Pods that have not finished, with or without a node. */
  readonly pods: readonly PodModel[];
  readonly groups: PodGroups;
}

/** What every plugin may read during one cycle. Upstream: the framework handle and its snapshot. */
export interface Cycle {
  readonly cluster: ClusterModel;
  /** Sorted by name; `NodeInfo.index` is the index in this list. */
  readonly nodes: readonly NodeInfo[];
  readonly work: SharedWork;
  /** Set in a group's cycle: Pods are bound only after all of them have their nodes. */
  readonly bindsLater?: true;
  nodeNamed(name: string): NodeInfo | undefined;
}

export interface PreFilterAnswer<State> {
  /** Skip: the plugin's Filter is not run. */
  readonly status: Status;
  readonly state?: State;
  /** The only candidate nodes. */
  readonly nodeNames?: ReadonlySet<string>;
}

export interface PreScoreAnswer<State> {
  /** Skip: the plugin's Score is not run. */
  readonly status: Status;
  readonly state?: State;
}

/** What PostFilter plugins may read and call when no node fits. */
export interface PostFilterContext {
  readonly cycle: Cycle;
  /** Absent when PreFilter rejected the Pod. */
  readonly run?: FilterRun;
  /** Plugins whose PreFilter ran in this cycle. */
  readonly preFiltered: readonly string[];
  /** Why a node was rejected; defined for every node of the cluster. */
  statusOf(node: NodeInfo): Refusal;
  /** Filters a node, taking into account the Pods nominated to it. */
  filter(run: FilterRun, node: NodeInfo): FilterRefusal | undefined;
  /** Whether Pods are nominated to the node, so that `filter` takes them into account. */
  hasNominated(node: NodeInfo): boolean;
  /** Absent: no extender is called. */
  readonly extenders?: ExtenderChain;
}

/** A node, and the Pods that must leave it. Upstream: preemption.Candidate. */
export interface PreemptionCandidate {
  readonly node: string;
  /** Most important victim first. */
  readonly victims: readonly PodModel[];
}

export interface Nomination extends PreemptionCandidate {
  /** All candidates that no rule of the scheduler tells apart, this one first; absent: there is only this one. */
  readonly tied?: readonly PreemptionCandidate[];
}

export interface PostFilterAnswer {
  /** Success, a refusal, or an Error. */
  readonly status: Status;
  readonly message: string;
  /** The Pod's nomination afterwards; absent: unchanged. */
  readonly nomination?: Nomination | 'none';
  /** The cluster after resources were freed; absent: unchanged. */
  readonly cluster?: ClusterModel;
  /** The group whose waiting Pods lose their nodes, and the reason. */
  readonly rejectsWaiting?: { readonly group: string; readonly reason: string };
}

/** Whether a Pod may be bound to its node, or must wait for other Pods of its group. */
export type PermitAnswer =
  | Refusal
  | {
      readonly code: 'Success' | 'Skip';
      /** The group whose Pods need not wait any longer. */
      readonly group?: string;
    }
  | { readonly code: 'Wait'; readonly group: string; readonly seconds: number };

/** The cluster after the placed Pod has taken what it needs besides the node. */
export interface Reservation {
  readonly cluster: ClusterModel;
  readonly volumes?: readonly VolumeChoice[];
  readonly claims?: readonly ClaimChoice[];
  /** Why the Pod cannot be bound after all. */
  readonly failed?: Refusal;
}

/** Upstream: the SignPlugin extension point. */
export interface Shares {
  readonly dependsOn: Dependency;
  /**
   * Everything that the plugin reads of the Pod at any extension point, without its name and `source`. Pods with the
   * same signature get the same answers. undefined: for this Pod the plugin reads more than one node.
   */
  sign(pod: PodModel): string | undefined;
}

/**
 * Answers of a plugin that reads the whole cluster, about all nodes, for Pods that differ in their names only. It is
 * updated from the nodes of one cycle to those of another, so that the next Pod of a workload costs only the last
 * change. It never answers with an Error.
 */
export interface Tracker {
  /** `changed`: `NodeInfo.index` of the nodes that differ from the last call; all nodes in the first call. */
  follow(pod: PodModel, cycle: Cycle, changed: readonly number[]): void;
  /**
   * By `NodeInfo.index`; 1: Filter refuses the node. undefined: it refuses none. The same array as long as the content
   * is the same.
   */
  refused(): Uint8Array | undefined;
  /** The normalized scores of the feasible nodes, times `weight`; valid until the next call. undefined: all equal. */
  scores(feasible: Int32Array, weight: number): ClassScores | undefined;
}

/**
 * One scheduling plugin: pure functions at upstream's extension points. `FilterState` and `ScoreState` are computed
 * once in a cycle (upstream keeps them in CycleState by string key; here the runner passes them, typed).
 */
export interface SchedulerPlugin<FilterState = unknown, ScoreState = unknown> {
  readonly name: string;
  /**
   * Set where PreFilter and PreScore read the Pod alone, Filter and Score read one node besides, normalizeScore reads
   * the scores and keeps equal ones equal, and the Pod takes nothing besides its node: then Pods can share the answers.
   * Absent: the plugin reads the whole cluster.
   */
  readonly shares?: Shares;
  preEnqueue?(pod: PodModel, queue: QueueView): Status;
  /** The Pods in queue order; absent: by priority, then in the order of the file. */
  queueSort?(pods: readonly PodModel[], cluster: ClusterModel): readonly PodModel[];
  preFilter?(pod: PodModel, cycle: Cycle): PreFilterAnswer<FilterState>;
  /** The state as if `added` ran on the node as well. Upstream: PreFilterExtensions.AddPod. */
  addPod?(state: FilterState, pod: PodModel, added: PodModel, node: NodeInfo): FilterState;
  removePod?(state: FilterState, pod: PodModel, removed: PodModel, node: NodeInfo): FilterState;
  /** `state` is undefined for a plugin without preFilter. */
  filter?(state: FilterState, pod: PodModel, node: NodeInfo, cycle: Cycle): Status;
  postFilter?(pod: PodModel, context: PostFilterContext): PostFilterAnswer;
  /** Whether a group can still succeed, or has succeeded. */
  placementFeasible?(group: PodGroupModel, progress: Progress): GroupStatus;
  podGroupPostFilter?(context: GroupPostFilterContext): GroupPostFilterAnswer;
  /** `feasible`: `NodeInfo.index` of the feasible nodes. */
  preScore?(pod: PodModel, cycle: Cycle, feasible: Int32Array): PreScoreAnswer<ScoreState>;
  /** Any integer; normalizeScore scales it to 0…100. */
  score?(state: ScoreState, pod: PodModel, node: NodeInfo, cycle: Cycle): number;
  /**
   * Replaces `score` for a plugin that does not share its answers: scores all feasible nodes at once (`feasible`:
   * `NodeInfo.index`). One call for each node would cost more than the computation.
   */
  scoreAll?(state: ScoreState, feasible: Int32Array, scores: Float64Array): void;
  /**
   * For a plugin that shares its answers and whose Filter and Score never fail: the same answers about many nodes, given
   * by `NodeInfo.index`. `filterMany` sets `fits` to 0 where the plugin refuses, `addScores` adds its scores, times
   * `weight`, where `fits` is 1.
   */
  filterMany?(state: FilterState, pod: PodModel, cycle: Cycle, indexes: readonly number[], fits: Uint8Array): void;
  addScores?(
    state: ScoreState,
    cycle: Cycle,
    indexes: readonly number[],
    fits: Uint8Array,
    to: { readonly sums: Float64Array; readonly weight: number },
  ): void;
  /** For a plugin that does not share its answers and whose PreFilter never refuses. */
  track?(pod: PodModel, cycle: Cycle): Tracker;
  permit?(pod: PodModel, cycle: Cycle): PermitAnswer;
  /** Upstream: Reserve and PreBind. undefined: there is nothing to take. */
  reserve?(pod: PodModel, node: NodeInfo, cycle: Cycle): Reservation | undefined;
  /** Binds what a group's cycle has only reserved. Upstream: PreBind, where it comes later. */
  bind?(pod: PodModel, node: NodeInfo, cycle: Cycle): Reservation | undefined;
  /** Replaces each score by its normalized value. `feasible`: `NodeInfo.index` of the feasible nodes. */
  normalizeScore?(scores: Float64Array, state: ScoreState, feasible: Int32Array): void;
}

/** The plugins whose Filter runs in this cycle, with their states. A plugin that skips is not in `active`. */
export interface FilterRun {
  readonly active: readonly { readonly plugin: SchedulerPlugin; readonly state: unknown }[];
}

export interface FilterRefusal {
  readonly plugin: string;
  readonly status: Refusal;
}

/** The outcome of scheduling one Pod once. */
export interface Decision {
  /** Its number is assigned later. */
  readonly attempt: Omit<Attempt, 'nodes'>;
  /** The verdict of each node, computed on demand: most attempts are never read in detail. */
  readonly nodes?: () => readonly NodeVerdict[];
  readonly nomination?: PostFilterAnswer['nomination'];
  readonly cluster?: PostFilterAnswer['cluster'];
  readonly rejectsWaiting?: PostFilterAnswer['rejectsWaiting'];
  /** How far the start of the next cycle moves on. Upstream: processedNodes. */
  readonly evaluatedNodes: number;
  /** The filter states; absent when PreFilter rejected the Pod, and when trackers decided without them. */
  readonly run?: FilterRun;
  /** Plugins whose PreFilter ran, when one of them rejected the Pod. */
  readonly preFiltered?: readonly string[];
}

/** The feature gates that plugins read. */
export interface SchedulerGates {
  /** The Kubernetes minor, for example "1.37". */
  readonly minor: string;
  /** Any gate, for plugins that read many. */
  isOn(name: string): boolean;
  readonly taintTolerationComparisonOperators: boolean;
  readonly storageCapacityScoring: boolean;
  readonly volumeLimitScaling: boolean;
  readonly volumeBindMountOptions: boolean;
  readonly genericWorkload: boolean;
  readonly podGroupPreemptionPolicy: boolean;
}

export interface PluginInput {
  /** The plugin's `args` of the profile's pluginConfig; empty: upstream's defaults. */
  readonly args: UnknownObject;
  readonly gates: SchedulerGates;
}

export type PluginFactory = (input: PluginInput) => SchedulerPlugin;

/** Plugins by extension point, in calling order. */
export interface Profile {
  readonly schedulerName: string;
  readonly preEnqueue: readonly SchedulerPlugin[];
  readonly preFilter: readonly SchedulerPlugin[];
  readonly filter: readonly SchedulerPlugin[];
  readonly postFilter: readonly SchedulerPlugin[];
  readonly preScore: readonly SchedulerPlugin[];
  readonly score: readonly { readonly plugin: SchedulerPlugin; readonly weight: number }[];
  /** Why every scoring fails: a plugin scores whose PreFilter or PreScore is disabled. */
  readonly scoreFailure?: string;
  readonly reserve: readonly SchedulerPlugin[];
  readonly permit: readonly SchedulerPlugin[];
  readonly queueSort: readonly SchedulerPlugin[];
  readonly podGroupPostFilter: readonly SchedulerPlugin[];
  /** Plugins that decide about groups; the configuration has no extension point for them. */
  readonly placementFeasible: readonly SchedulerPlugin[];
  /** Absent: there are none, or they may not be called. */
  readonly extenders?: ExtenderChain;
  /** Upstream plugins that this profile names and that are not implemented. */
  readonly notBuilt: readonly string[];
}

/** The cluster during a group's cycle. Immutable, so that a trial is undone by dropping it. */
export interface GroupSnapshot {
  readonly cluster: ClusterModel;
  readonly nodes: readonly NodeInfo[];
  /** Pod id → Pod with its nomination. */
  readonly nominated: ReadonlyMap<string, PodModel>;
  /** Where the next evaluation of the nodes starts. */
  readonly start: number;
  /** Names of the candidate nodes; absent: all. */
  readonly within?: ReadonlySet<string>;
}

/** Progress of a group: Pods with a node, earlier cycles included, and Pods not yet evaluated. */
export interface Progress {
  readonly scheduled: number;
  readonly remaining: number;
}

export interface GroupStatus {
  readonly code: 'Success' | 'Wait' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';
  readonly reasons: readonly string[];
}

/** Scheduling of single Pods in one profile, as a group's cycle uses it. */
export interface PodScheduler {
  /** Filters and scores; preemption is done for the group as a whole. */
  evaluate(pod: PodModel, at: GroupSnapshot): Decision;
  reserve(pod: PodModel, node: string, at: GroupSnapshot): Reservation | undefined;
  /** Binds what was reserved, once the whole group has its nodes. */
  bind(pod: PodModel, node: string, at: GroupSnapshot): ClusterModel;
  /** Whether the Pod fits the node in `at`, nominated Pods included. */
  fits(run: FilterRun, pod: PodModel, node: NodeInfo, at: GroupSnapshot): boolean;
  /** Upstream: RunPlacementFeasiblePlugins. */
  feasible(group: PodGroupModel, progress: Progress): GroupStatus;
  /** Upstream: RunPodGroupPostFilterPlugins. */
  postFilter(context: GroupPostFilterContext): GroupPostFilterAnswer;
}

export interface PodEvaluation {
  readonly pod: PodModel;
  readonly decision: Decision;
  readonly taken?: Reservation;
}

export interface GroupRun {
  readonly status: GroupStatus;
  /** All evaluations, in order. */
  readonly evaluations: readonly PodEvaluation[];
  /** The evaluations that count; fewer than the group's Pods when the group could no longer succeed. */
  readonly results: readonly PodEvaluation[];
  /** With the Pods assumed on their nodes; unchanged when the group failed. */
  readonly after: GroupSnapshot;
}

export interface GroupPostFilterContext {
  readonly group: PodGroupModel;
  readonly pods: readonly PodModel[];
  /** Those of the failed run. */
  readonly evaluations: readonly PodEvaluation[];
  readonly at: GroupSnapshot;
  readonly podScheduler: PodScheduler;
  /** Repeats the group's cycle in a changed cluster. */
  schedule(at: GroupSnapshot): GroupRun;
}

export interface GroupPostFilterAnswer {
  readonly code: 'Success' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error';
  readonly message: string;
  /** Most important first. */
  readonly victims: readonly PodModel[];
  /** Pod id → node; an empty name clears the nomination. */
  readonly nominations: ReadonlyMap<string, string>;
  /** After claims were released; absent: unchanged. */
  readonly cluster?: ClusterModel;
}

/** A group of Pods after admission, as its scheduler reads it. Immutable. */
export interface PodGroupModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** Absent: the basic policy, which needs one Pod. */
  readonly minCount?: number;
  readonly priority: number;
  readonly preemptionPolicy?: string;
  /** Whether single Pods may be evicted, or only the whole group. */
  readonly disruption: 'single' | 'all';
  /** Set for a group of Volcano or kube-batch, which have rules of their own. */
  readonly batch?: BatchPolicy;
  has(pod: PodModel): boolean;
  /**
   * Set while the gate TopologyAwareWorkloadScheduling is on; `key` is the node label whose value all Pods must share,
   * if any.
   */
  readonly topology?: { readonly key?: string };
}

/** What Volcano and kube-batch read of a group besides its size. */
export interface BatchPolicy {
  readonly minResources?: Resources;
  readonly queue: string;
  inQueue(pod: PodModel): boolean;
  /** The limit of the queue; absent: none. */
  readonly capability?: Amounts;
}

/** By NAMESPACE/NAME. */
export type PodGroups = ReadonlyMap<string, PodGroupModel>;

/** A Pod that has a node and waits at Permit for other Pods of its group. Upstream: waitingPod. */
export interface Waiting {
  /** With its node. */
  readonly pod: PodModel;
  readonly group: string;
  readonly plugin: string;
  readonly seconds: number;
  /** Its index in the state's attempts. */
  readonly attempt: number;
}

/** The outcome of Permit for a Pod that has a node. */
export interface Permit {
  readonly refusal?: Refusal;
  readonly waits?: Pick<Waiting, 'group' | 'plugin' | 'seconds'>;
  /** The group whose Pods need not wait any longer. */
  readonly admits?: string;
}
