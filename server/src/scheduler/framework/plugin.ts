import type { ClusterModel, PodModel } from '../../cluster/model';
import type { ExtenderChain } from '../extenders/chain';
import type { GroupPostFilterAnswer, GroupPostFilterContext, GroupStatus, Progress } from '../gangs/bench';
import type { PodGroupModel, PodGroups } from '../gangs/podGroup';
import type { ClaimChoice, StatusCode, VolumeChoice } from '../result';
import type { FilterRefusal, FilterRun } from './cycle';
import type { ClassScores } from './nodeClasses';
import type { NodeInfo } from './nodeInfo';
import type { LooksAt, SharedWork } from './sharedWork';

/** The result words are the upstream ones, so that a reader of kube-scheduler is at home. */
export type Status =
  | { readonly code: 'Success' }
  | { readonly code: 'Skip' }
  | { readonly code: StatusCode; readonly reasons: readonly string[] };

export type Refusal = Extract<Status, { readonly reasons: readonly string[] }>;

export const success: Status = { code: 'Success' };
export const skip: Status = { code: 'Skip' };
/** Evicting Pods may help. */
export const unschedulable = (...reasons: string[]): Refusal => ({ code: 'Unschedulable', reasons });
/** The plugin cannot answer; upstream gives up the attempt. */
export const failure = (reason: string): Refusal => ({ code: 'Error', reasons: [reason] });
/** Evicting Pods cannot help. */
export const unresolvable = (...reasons: string[]): Refusal => ({ code: 'UnschedulableAndUnresolvable', reasons });

export function isRefusal(status: Status): status is Refusal {
  return status.code !== 'Success' && status.code !== 'Skip';
}

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
  readonly sendsBack?: { readonly group: string; readonly reason: string };
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
  readonly looksAt: LooksAt;
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

export function definePlugin<FilterState = undefined, ScoreState = undefined>(
  plugin: SchedulerPlugin<FilterState, ScoreState>,
): SchedulerPlugin {
  // Methods are bivariant, so the runner may carry the states without knowing their types.
  return Object.freeze(plugin) as SchedulerPlugin;
}

export const MAX_NODE_SCORE = 100;

/** Upstream: helper.DefaultNormalizeScore. Scales to 0…100; `highIsBad` turns it round. Integer division, as in Go. */
export function defaultNormalize(scores: Float64Array, direction: 'highIsGood' | 'highIsBad'): void {
  const max = Math.max(0, highest(scores));
  if (max === 0) {
    scores.fill(direction === 'highIsBad' ? MAX_NODE_SCORE : 0);
    return;
  }
  for (let i = 0; i < scores.length; i++) {
    const scaled = Math.trunc((MAX_NODE_SCORE * scores[i]!) / max);
    scores[i] = direction === 'highIsBad' ? MAX_NODE_SCORE - scaled : scaled;
  }
}

/** -Infinity when there are none. */
export function highest(numbers: ArrayLike<number>): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > most) most = numbers[i]!;
  return most;
}

/** Infinity when there are none. */
export function lowest(numbers: ArrayLike<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! < least) least = numbers[i]!;
  return least;
}

/** a × b / c as Go's int64 does it: exact, cut off. */
export function mulDiv(a: number, b: number, c: number): number {
  const product = a * b;
  if (Number.isSafeInteger(product)) return Math.trunc(product / c);
  return Number((BigInt(a) * BigInt(b)) / BigInt(c));
}
