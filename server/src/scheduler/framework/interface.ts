import type { UnknownObject } from '../../base/json';
import type { ClusterModel } from '../../cluster/clusterModel';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Amounts, Resources } from '../../cluster/resources/resources';
import type { Attempt, ClaimChoice, NodeVerdict, StatusCode, VolumeChoice } from '../result';
import type { ExtenderChain } from './extender';
import type { ClassScores } from './nodeClasses';
import type { NodeInfo } from './nodeInfo';
import type { Dependency, SharedWork } from './sharedWork';

/** The result words are the upstream ones, so that a reader of kube-scheduler is at home. */
export type Status =
  | { readonly code: 'Success' }
  | { readonly code: 'Skip' }
  | { readonly code: StatusCode; readonly reasons: readonly string[] };

export type Refusal = Extract<Status, { readonly reasons: readonly string[] }>;

/** What PreEnqueue may look at beside the Pod. */
export interface QueueView {
  readonly cluster: ClusterModel;
  /** All Pods that are not finished, with a node or without. */
  readonly pods: readonly PodModel[];
  readonly groups: PodGroups;
}

/** What every plugin may look at during one cycle. Upstream: the framework handle and its snapshot. */
export interface Cycle {
  readonly cluster: ClusterModel;
  /** By name. */
  readonly nodes: readonly NodeInfo[];
  readonly work: SharedWork;
  /** Set within a group's cycle: nothing is bound before all of its Pods have their nodes. */
  readonly bindsLater?: true;
  nodeNamed(name: string): NodeInfo | undefined;
}

export interface PreFilterAnswer<State> {
  /** Skip: the plugin is not asked in Filter. */
  readonly status: Status;
  readonly state?: State;
  /** Only these nodes come into question. */
  readonly nodeNames?: ReadonlySet<string>;
}

export interface PreScoreAnswer<State> {
  /** Skip: the plugin is not asked in Score. */
  readonly status: Status;
  readonly state?: State;
}

/** What PostFilter may ask once no node fits. */
export interface PostFilterContext {
  readonly cycle: Cycle;
  /** Absent when PreFilter rejected the whole Pod. */
  readonly run?: FilterRun;
  /** Plugins whose PreFilter was asked in this cycle. */
  readonly preFiltered: readonly string[];
  /** Why a node was rejected; for every node of the cluster. */
  statusOf(node: NodeInfo): Refusal;
  /** Filters with the Pods nominated to the node in mind. */
  filter(run: FilterRun, node: NodeInfo): FilterRefusal | undefined;
  /** Whether `filter` has any such Pods in mind. */
  hasNominated(node: NodeInfo): boolean;
  /** Absent: nobody asks them. */
  readonly extenders?: ExtenderChain;
}

export interface PostFilterAnswer {
  /** Success, a refusal, or an Error. */
  readonly status: Status;
  readonly message: string;
  /** The Pod's nomination afterwards; absent: as it was. */
  readonly nomination?: { readonly node: string; readonly victims: readonly PodModel[] } | 'none';
  /** The cluster without what was freed; absent: as it was. */
  readonly cluster?: ClusterModel;
  /** The group whose waiting Pods lose their nodes, and why. */
  readonly rejectsWaiting?: { readonly group: string; readonly reason: string };
}

/** Whether a Pod may go to the node it was given, or must wait for others of its group. */
export type PermitAnswer =
  | Refusal
  | {
      readonly code: 'Success' | 'Skip';
      /** The group of which nobody waits any longer. */
      readonly group?: string;
    }
  | { readonly code: 'Wait'; readonly group: string; readonly seconds: number };

/** The cluster with what the placed Pod took of it beside the node. */
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
   * All of a Pod that the plugin looks at, at any point, its name and `source` not among them; Pods with the same text get
   * the same answers. undefined: of this Pod it looks further.
   */
  sign(pod: PodModel): string | undefined;
}

/**
 * What a plugin that looks at the whole cluster says of all nodes to Pods that differ in their names alone. It is brought
 * from the nodes of one cycle to those of another one, so that the next Pod of a workload costs what the last one changed.
 * It never answers with an Error.
 */
export interface Tracker {
  /** `changed`: where the nodes are not those of the last call, by `NodeInfo.index`; all of them in the first one. */
  follow(pod: PodModel, cycle: Cycle, changed: readonly number[]): void;
  /** By `NodeInfo.index`, 1: Filter refuses the node. Undefined: it refuses none. The same array as long as it says the same. */
  refused(): Uint8Array | undefined;
  /** The normalized scores of the nodes that fit, times `weight`; read them before the next call. Undefined: all the same. */
  scores(at: Int32Array, weight: number): ClassScores | undefined;
}

/**
 * One scheduling plugin: pure functions at the upstream extension points. `FilterState` and `ScoreState` are what it
 * works out once a cycle (upstream keeps them in CycleState by string key; here the runner carries them, typed).
 */
export interface SchedulerPlugin<FilterState = unknown, ScoreState = unknown> {
  readonly name: string;
  /**
   * Set where PreFilter and PreScore look at the Pod alone, Filter and Score at one node, too, and normalizeScore at the
   * scores, so that equal ones stay equal, and where such a Pod takes nothing beside its node: then Pods may share their
   * answers. Absent: it looks at the whole cluster.
   */
  readonly shares?: Shares;
  preEnqueue?(pod: PodModel, queue: QueueView): Status;
  /** In the order of the queue; absent: by priority, then in the order of the file. */
  queueSort?(pods: readonly PodModel[], cluster: ClusterModel): readonly PodModel[];
  preFilter?(pod: PodModel, cycle: Cycle): PreFilterAnswer<FilterState>;
  /** The state as if `added` ran on the node, too. Upstream: PreFilterExtensions.AddPod. */
  addPod?(state: FilterState, pod: PodModel, added: PodModel, node: NodeInfo): FilterState;
  removePod?(state: FilterState, pod: PodModel, removed: PodModel, node: NodeInfo): FilterState;
  /** `state` is undefined for a plugin without preFilter. */
  filter?(state: FilterState, pod: PodModel, node: NodeInfo, cycle: Cycle): Status;
  postFilter?(pod: PodModel, context: PostFilterContext): PostFilterAnswer;
  /** Whether a group can still succeed, or has. */
  placementFeasible?(group: PodGroupModel, progress: Progress): GroupStatus;
  podGroupPostFilter?(context: GroupPostFilterContext): GroupPostFilterAnswer;
  /** `at`: the nodes that fit, by `NodeInfo.index`. */
  preScore?(pod: PodModel, cycle: Cycle, at: Int32Array): PreScoreAnswer<ScoreState>;
  /** Any whole number; normalizeScore brings it to 0…100. */
  score?(state: ScoreState, pod: PodModel, node: NodeInfo, cycle: Cycle): number;
  /**
   * In place of `score`, for a plugin that does not share: all nodes that fit at once, by `NodeInfo.index`. A call for each
   * of them would take more time than what it does.
   */
  scoreAll?(state: ScoreState, at: Int32Array, scores: Float64Array): void;
  /** For a plugin that does not share; its PreFilter never refuses. */
  track?(pod: PodModel, cycle: Cycle): Tracker;
  permit?(pod: PodModel, cycle: Cycle): PermitAnswer;
  /** Upstream: Reserve with PreBind. Undefined: nothing to take. */
  reserve?(pod: PodModel, node: NodeInfo, cycle: Cycle): Reservation | undefined;
  /** Binds what was only reserved in a group's cycle. Upstream: PreBind, where it comes later. */
  bind?(pod: PodModel, node: NodeInfo, cycle: Cycle): Reservation | undefined;
  /** Puts what counts in place of each score; `at` are the nodes that fit, by `NodeInfo.index`. */
  normalizeScore?(scores: Float64Array, state: ScoreState, at: Int32Array): void;
}

/** The filter states of one cycle, beside the profile's plugins. A plugin that skips has no entry in `active`. */
export interface FilterRun {
  readonly active: readonly { readonly plugin: SchedulerPlugin; readonly state: unknown }[];
}

export interface FilterRefusal {
  readonly plugin: string;
  readonly status: Refusal;
}

/** What one look at one Pod came to. */
export interface Decision {
  /** Its number is given later. */
  readonly attempt: Omit<Attempt, 'nodes'>;
  /** The verdict of each node, made when somebody asks: most attempts on many nodes are never looked into. */
  readonly nodes?: () => readonly NodeVerdict[];
  readonly nomination?: PostFilterAnswer['nomination'];
  readonly cluster?: PostFilterAnswer['cluster'];
  readonly rejectsWaiting?: PostFilterAnswer['rejectsWaiting'];
  /** How far the next cycle's start moves on. Upstream: processedNodes. */
  readonly evaluatedNodes: number;
  /** The filter states; absent when PreFilter rejected the Pod, and where trackers decided without it. */
  readonly run?: FilterRun;
  /** Plugins whose PreFilter was asked, when one of them rejected the Pod. */
  readonly preFiltered?: readonly string[];
}

/** The feature gates that built plugins ask for. */
export interface SchedulerGates {
  /** The Kubernetes minor, for example "1.37". */
  readonly minor: string;
  /** Any gate, for plugins that ask for many. */
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

/** Plugins by extension point, in the order they are asked. */
export interface Profile {
  readonly schedulerName: string;
  readonly preEnqueue: readonly SchedulerPlugin[];
  readonly preFilter: readonly SchedulerPlugin[];
  readonly filter: readonly SchedulerPlugin[];
  readonly postFilter: readonly SchedulerPlugin[];
  readonly preScore: readonly SchedulerPlugin[];
  readonly score: readonly { readonly plugin: SchedulerPlugin; readonly weight: number }[];
  /** Why no scoring succeeds: a plugin scores whose PreFilter or PreScore is switched off. */
  readonly scoreFailure?: string;
  readonly reserve: readonly SchedulerPlugin[];
  readonly permit: readonly SchedulerPlugin[];
  readonly queueSort: readonly SchedulerPlugin[];
  readonly podGroupPostFilter: readonly SchedulerPlugin[];
  /** Whoever decides about groups; no extension point of the configuration names them. */
  readonly placementFeasible: readonly SchedulerPlugin[];
  /** Absent: there are none, or nobody may ask them. */
  readonly extenders?: ExtenderChain;
  /** Upstream plugins that this profile names and that are not built. */
  readonly notBuilt: readonly string[];
}

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

/** What a group's cycle borrows from the scheduling of single Pods, for one profile. */
export interface PodScheduler {
  /** Filters and scores; preemption is the group's own matter. */
  evaluate(pod: PodModel, at: GroupSnapshot): Decision;
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

export interface PodEvaluation {
  readonly pod: PodModel;
  readonly decision: Decision;
  readonly taken?: Reservation;
}

export interface GroupRun {
  readonly status: GroupStatus;
  /** All of them, in the order looked at. */
  readonly evaluations: readonly PodEvaluation[];
  /** Those that count; fewer than the group's Pods when it could no longer succeed. */
  readonly results: readonly PodEvaluation[];
  /** With the Pods assumed, or as before when the group failed. */
  readonly after: GroupSnapshot;
}

export interface GroupPostFilterContext {
  readonly group: PodGroupModel;
  readonly pods: readonly PodModel[];
  /** Of the run that failed. */
  readonly evaluations: readonly PodEvaluation[];
  readonly at: GroupSnapshot;
  readonly podScheduler: PodScheduler;
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

/** A group of Pods as the scheduler that places it sees it, after admission. Immutable. */
export interface PodGroupModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** Absent: the basic policy, which wants one Pod. */
  readonly minCount?: number;
  readonly priority: number;
  readonly preemptionPolicy?: string;
  /** Whether one Pod may be evicted, or only all of them. */
  readonly disruption: 'single' | 'all';
  /** Set for a group of Volcano or kube-batch, whose rules are others. */
  readonly batch?: BatchPolicy;
  has(pod: PodModel): boolean;
  /** Set while the gate TopologyAwareWorkloadScheduling is on; the node label whose value all Pods must share, if any. */
  readonly topology?: { readonly key?: string };
}

/** What Volcano and kube-batch read of a group beside its size. */
export interface BatchPolicy {
  readonly minResources?: Resources;
  readonly queue: string;
  inQueue(pod: PodModel): boolean;
  /** What the queue may use at most; absent: no limit. */
  readonly capability?: Amounts;
}

/** By NAMESPACE/NAME. */
export type PodGroups = ReadonlyMap<string, PodGroupModel>;

/** A Pod that has its node and waits at Permit for others of its group. Upstream: waitingPod. */
export interface Waiting {
  /** With its node. */
  readonly pod: PodModel;
  readonly group: string;
  readonly plugin: string;
  readonly seconds: number;
  /** Its place among the board's attempts. */
  readonly attempt: number;
}

/** What Permit said of a Pod that was given a node. */
export interface Permit {
  readonly refusal?: Refusal;
  readonly waits?: Pick<Waiting, 'group' | 'plugin' | 'seconds'>;
  /** The group of which nobody waits any longer. */
  readonly admits?: string;
}
