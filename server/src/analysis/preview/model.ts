import type { ClusterChange } from '../../cluster/changes';
import type { FileEdit } from '../../rules/framework/problem';
import type { Attempt, AttemptStatus, QueueName } from '../../scheduler/result';
import type { ClusterLabel } from '../placement/clusterLabel';
import type { ComparedStrategy, Strategy } from '../placement/strategy';
import type { Rescheduler, ReschedulerKind } from '../whatIf/eviction';
import type { FollowedTrail, TrailSteps } from '../whatIf/followTrail';

/** Amounts of one resource on one node: cpu in millicores, everything else in its base unit. */
export interface PreviewResource {
  readonly name: string;
  readonly allocatable: number;
  /** Used by Pods that ran before. */
  readonly running: number;
  /** Used by Pods that this simulation placed. */
  readonly placed: number;
}

export interface PreviewPod {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly owner?: string;
  readonly priority: number;
  readonly cpuMilli: number;
  readonly memoryBytes: number;
  /** Requests of other resources, in base units; absent: none. */
  readonly asks?: Readonly<Record<string, number>>;
  /** running: ran before; placed: by this simulation; pending: no node; victim: evicted by preemption (was on `node`). */
  readonly state: 'running' | 'placed' | 'pending' | 'victim';
  readonly node?: string;
  readonly evictedBy?: string;
  /**
   * For a pending Pod: the queue of kube-scheduler that holds it, and the events that would requeue it; empty: it
   * leaves by itself.
   */
  readonly queued?: { readonly queue: QueueName; readonly waitsFor: string };
  /** The location of its object; absent: it is not in the workspace. */
  readonly source?: { readonly uri: string; readonly offset: number };
}

/** Who refuses Pods before the scheduler sees them. */
export type RefusedBy = 'apiServer' | 'podSecurity' | 'quota' | 'admission' | 'policy';

/** Pods of one workload, or one Pod, that never come into the cluster. */
export interface PreviewRefusal {
  /** NAMESPACE/NAME of the first of them. */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly owner?: string;
  /** How many. */
  readonly pods: number;
  readonly by: RefusedBy;
  /** The server's words without what names the Pod. */
  readonly reason: string;
  /** The server's words. */
  readonly message: string;
  /** The location of its object; absent: it is not in the workspace. */
  readonly source?: { readonly uri: string; readonly offset: number };
}

export interface PreviewNode {
  readonly name: string;
  readonly zone: string;
  readonly ready: boolean;
  readonly unschedulable: boolean;
  readonly taints: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly resources: readonly PreviewResource[];
  readonly pods: readonly string[];
}

/** What the preview tries. It never changes files. */
export interface WhatIf {
  /** Applied in this order. */
  readonly changes: readonly ClusterChange[];
  readonly strategy?: Strategy;
  /** Name of another environment of berth.yaml that the file belongs to. */
  readonly environment?: string;
  /** Simulated after everything else. */
  readonly mover?: Rescheduler;
  /** Another source of the cluster, in the format of `parseClusterSource`. */
  readonly source?: string;
  /** The uri of another KubeSchedulerConfiguration. */
  readonly configuration?: string;
  /** The profile that places all Pods, whatever their schedulerName. */
  readonly profile?: string;
  /**
   * The order in which the Pods to place arrive, NAMESPACE/NAME, each tried at once and those that wait after it; Pods that it
   * does not name come last. In place of `mover`.
   */
  readonly order?: readonly string[];
  /** The way to a finding of the last exploration. In place of everything else. */
  readonly trail?: FollowedTrail;
}

/** A choice, with its key and its label. */
export interface PreviewChoice {
  readonly key: string;
  readonly label: string;
}

/** How the placement differs from the one without the changes. Pods are NAMESPACE/NAME. */
export interface PreviewDifference {
  readonly moved: readonly { readonly pod: string; readonly from: string; readonly to: string }[];
  /** Evicted for good: no controller recreates them. */
  readonly lost: readonly string[];
  /** Pods that lost their node, or new ones without a node. */
  readonly pending: readonly string[];
  /** Pods that got a node, or new ones with a node. */
  readonly placed: readonly string[];
  /** Evicted by preemption. */
  readonly evicted: readonly string[];
  /** No longer wanted: their workload was scaled down or removed, or their only node was. */
  readonly removed: readonly string[];
  /** Changes that could not be made, a clause each. */
  readonly problems: readonly string[];
}

/** The Pods of one controller, or one Pod without a controller. */
export interface PreviewWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Whether its number of replicas can be changed. */
  readonly isScalable: boolean;
  /** Ids of its Pods. */
  readonly pods: readonly string[];
  readonly onNode: number;
  readonly pending: number;
  readonly evicted: number;
  /** Names of the nodes and zones with one of its Pods. */
  readonly nodes: readonly string[];
  readonly zones: readonly string[];
  /** The number of Pods that were evicted for it. */
  readonly victims: number;
}

/** Why a Pod is on its node or pending, and what would change it. */
export interface PreviewWhy {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly summary: string;
  readonly steps: readonly { readonly plugin: string; readonly sentence: string }[];
  /** The aim of the suggestions. */
  readonly suggests: 'aNode' | 'whatItPrefers';
  /** The smallest change first. */
  readonly suggestions: readonly {
    readonly title: string;
    readonly effect: string;
    /** Absent: no file can be changed in this way. */
    readonly edits?: readonly FileEdit[];
  }[];
  /** One sentence about suggestions that were not tried. */
  readonly cut?: string;
}

/** Whether a Pod would fit on a node with everything else placed as it is. */
export interface PreviewFit {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly node: string;
  readonly fits: boolean;
  /** One or two sentences. */
  readonly summary: string;
  /** Upstream's words, where it does not fit. */
  readonly words: readonly string[];
}

/** Figures of a placement, for comparison with others. */
export interface PreviewFigures {
  readonly placed: number;
  /** Pods without a node: pending and evicted ones. */
  readonly unplaced: number;
  readonly nodes: number;
  /** The Pods to place, and how many of them got a node. */
  readonly fresh: { readonly placed: number; readonly of: number };
  /** Nodes with at least one Pod that belongs to no DaemonSet. */
  readonly nodesUsed: number;
  /** Shares of the total of all nodes, from 0 to 1. */
  readonly free: { readonly cpu: number; readonly memory: number };
  /** Pods that this simulation placed. */
  readonly zones: readonly { readonly zone: string; readonly pods: number }[];
  /** How many more Pods of mean size fit, and how many would fit if all free resources were on one node. */
  readonly room: { readonly fits: number; readonly whole: number };
}

export interface ComparedPlacement {
  readonly strategy: ComparedStrategy;
  readonly figures: PreviewFigures;
  /** The objective of `berth place --compare`: the price of Pods without a node, plus one for each used node. */
  readonly objective: number;
  /** The upper bound of the gap to the optimum, as a share of the objective; absent: unknown so far. */
  readonly gap?: number;
  /** The index in `nodes` of the node of each of the comparison's Pods; -1: no node. */
  readonly on: readonly number[];
}

/** Placements by several strategies, and the optimum, as far as they are computed. */
export interface PreviewComparison {
  /** All compared strategies, in order. */
  readonly strategies: readonly ComparedStrategy[];
  /** NAMESPACE/NAME */
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
  readonly done: readonly ComparedPlacement[];
  /** `comparedAs` of the models that it belongs to. */
  readonly comparedAs?: string;
  /** The time limit of the solver. */
  readonly seconds: number;
  readonly optimum?: {
    readonly proof: 'optimal' | 'within' | 'stopped' | 'outside';
    /** Why Pods stay where the best of the others puts them → how many do. */
    readonly kept: Readonly<Record<string, number>>;
  };
  /** Why the comparison is incomplete, one sentence. */
  readonly failure?: string;
}

/** One scheduling cycle: the Pod, and its result. */
export interface PreviewStep {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly status: AttemptStatus;
  readonly node?: string;
  /** The Pods that this step evicts. */
  readonly victims: readonly string[];
  /** In an order of arrival: the Pod waited, and is tried again after another one. */
  readonly again?: true;
}

/** Everything that the placement preview draws: plain data, computed in the server. The webview makes no decisions. */
export interface PreviewModel {
  readonly kubernetesVersion: string;
  readonly cluster: ClusterLabel;
  /** The name of the environment that is shown; absent: the files are in no particular one. */
  readonly environment?: string;
  readonly nodes: readonly PreviewNode[];
  readonly pods: readonly PreviewPod[];
  /** The Pods that are refused before they come into the cluster; they are not among `pods`. */
  readonly refused: readonly PreviewRefusal[];
  /** The last attempt of each Pod that this simulation tried, by Pod id. */
  readonly attempts: Readonly<Record<string, Attempt>>;
  readonly workloads: readonly PreviewWorkload[];
  /** The scheduling cycles in order. */
  readonly steps: readonly PreviewStep[];
  /** The order of arrival that is tried, with all Pods, NAMESPACE/NAME; absent: none. */
  readonly arrivals?: readonly string[];
  /** The way to a finding that is followed; absent: none. */
  readonly trail?: TrailSteps;
  /** What is tried, and its effect; absent: the placement of the files. */
  readonly tried?: { readonly whatIf: WhatIf; readonly difference: PreviewDifference };
  /** What can be tried. */
  readonly choices: {
    readonly strategies: readonly Strategy[];
    /** Names of the file's environments if there are several; the first one counts. */
    readonly environments: readonly string[];
    /** The kinds of reschedulers in the environment. */
    readonly movers: readonly ReschedulerKind[];
    /** Cluster sources, the environment's own first; empty: there is no other. */
    readonly sources: readonly PreviewChoice[];
    /** Present: contexts of a kubeconfig can be tried, too. */
    readonly live?: 'askable';
    /** Files with another KubeSchedulerConfiguration. */
    readonly configurations: readonly PreviewChoice[];
    /** Names of the configuration's profiles if there are several. */
    readonly profiles: readonly string[];
  };
  /** Whether `previewWhy` is slow, so that it is requested only on demand. */
  readonly whyIsSlow: boolean;
  /** Identifies this model for a later delta; absent: the client did not request revisions. */
  readonly revision?: number;
  /** Equal for models with equal comparisons; absent: comparison is not available. */
  readonly comparedAs?: string;
  /** The id of the Pod at the cursor, or of the first Pod of its workload. */
  readonly chosen?: string;
  /** Why each node that rejects the chosen Pod does so, in a few words; absent: only upstream's words are known. */
  readonly reasons?: Readonly<Record<string, string>>;
  /** What the simulation could not take into account, one sentence each. */
  readonly notes: readonly string[];
}

/** A part of a list: items of the previous list (the same objects), or new ones. */
export type ListPiece<T> = { readonly from: number; readonly count: number } | { readonly added: readonly T[] };

type Lists = Pick<PreviewModel, 'nodes' | 'pods' | 'workloads' | 'steps'> & { readonly attempts: readonly Attempt[] };

/** A model as a delta to the one with the revision `since`: short parts as a whole, long lists in pieces. */
export interface PreviewDelta {
  readonly since: number;
  readonly rest: Omit<PreviewModel, keyof Lists>;
  readonly lists: { readonly [K in keyof Lists]: readonly ListPiece<Lists[K][number]>[] };
}
