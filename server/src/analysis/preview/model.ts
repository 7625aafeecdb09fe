import type { ClusterChange } from '../../cluster/changes';
import type { FileEdit } from '../../rules/framework/problem';
import type { Attempt, AttemptStatus, QueueName } from '../../scheduler/result';
import type { ClusterLabel } from '../placement/clusterLabel';
import type { ComparedStrategy, Strategy } from '../placement/strategy';
import type { Rescheduler, ReschedulerKind } from '../whatIf/eviction';

/** Amounts of one resource on one node: cpu in millicores, everything else in its base unit. */
export interface PreviewResource {
  readonly name: string;
  readonly allocatable: number;
  /** By Pods that ran before. */
  readonly running: number;
  /** By Pods that this simulation placed. */
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
  /** What else it asks for, in base units; absent: nothing. */
  readonly asks?: Readonly<Record<string, number>>;
  /** running: ran before; placed: by this simulation; pending: no node; victim: evicted by preemption (was on `node`). */
  readonly state: 'running' | 'placed' | 'pending' | 'victim';
  readonly node?: string;
  readonly evictedBy?: string;
  /** Of a pending Pod: kube-scheduler's queue that holds it, and what would bring it back; empty where it leaves by itself. */
  readonly queued?: { readonly queue: QueueName; readonly waitsFor: string };
  /** Where it is written, when it is written in the workspace. */
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

/** What is tried in the preview alone; no file ever changes by it. */
export interface WhatIf {
  /** Made one after the other. */
  readonly changes: readonly ClusterChange[];
  readonly strategy?: Strategy;
  /** Name of another environment of berth.yaml that the file belongs to. */
  readonly environment?: string;
  /** Let run after all else. */
  readonly mover?: Rescheduler;
  /** Where the cluster comes from in place of the environment's own source, as `parseClusterSource` reads it. */
  readonly source?: string;
  /** The uri of another KubeSchedulerConfiguration. */
  readonly configuration?: string;
  /** The profile that places all Pods, whatever their schedulerName. */
  readonly profile?: string;
}

/** Something to choose: what it is known by, and how it is called. */
export interface PreviewChoice {
  readonly key: string;
  readonly label: string;
}

/** How the placement differs from the one without the changes. Pods are NAMESPACE/NAME. */
export interface PreviewDifference {
  readonly moved: readonly { readonly pod: string; readonly from: string; readonly to: string }[];
  /** Gone for good: no controller makes them again. */
  readonly lost: readonly string[];
  /** No node any more, or new ones without a node. */
  readonly pending: readonly string[];
  /** Pods that get a node and had none, or that are new. */
  readonly placed: readonly string[];
  /** Pushed out by others that now come first. */
  readonly evicted: readonly string[];
  /** No longer wanted, as their workload is smaller or gone, or as their node was all they were there for. */
  readonly removed: readonly string[];
  /** Changes that could not be made, a clause each. */
  readonly problems: readonly string[];
}

/** Everything of one controller, or one Pod that has none. */
export interface PreviewWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Whether it has a number of replicas that can be tried. */
  readonly isScalable: boolean;
  /** Ids of its Pods. */
  readonly pods: readonly string[];
  readonly onNode: number;
  readonly pending: number;
  readonly evicted: number;
  /** Names of the nodes and zones that hold one of its Pods. */
  readonly nodes: readonly string[];
  readonly zones: readonly string[];
  /** Pods of others that left for this one. */
  readonly victims: number;
}

/** Why a Pod is where it is, and what would change it. */
export interface PreviewWhy {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly summary: string;
  readonly steps: readonly { readonly plugin: string; readonly sentence: string }[];
  /** What the suggestions lead to. */
  readonly suggests: 'aNode' | 'whatItPrefers';
  /** The smallest change first. */
  readonly suggestions: readonly {
    readonly title: string;
    readonly effect: string;
    /** Absent where no file can be changed so. */
    readonly edits?: readonly FileEdit[];
  }[];
  /** One sentence: what was left untried. */
  readonly cut?: string;
}

/** How good a placement is, to be set beside another one. */
export interface PreviewFigures {
  readonly placed: number;
  /** Pods without a node: pending and evicted ones. */
  readonly unplaced: number;
  readonly nodes: number;
  /** Nodes with at least one Pod that no DaemonSet made. */
  readonly nodesUsed: number;
  /** Parts of what all nodes have together, from 0 to 1. */
  readonly free: { readonly cpu: number; readonly memory: number };
  /** Pods that this simulation placed. */
  readonly zones: readonly { readonly zone: string; readonly pods: number }[];
  /** How many more Pods of the mean size still fit, and how many would if all free room were on one node. */
  readonly room: { readonly fits: number; readonly whole: number };
}

export interface ComparedPlacement {
  readonly strategy: ComparedStrategy;
  readonly figures: PreviewFigures;
  /** What `berth place --compare` tells: Pods without a node at their price, and one for each node in use. */
  readonly objective: number;
  /** By how much the best may be lower, as a part of the objective; absent: nobody knows, or not yet. */
  readonly gap?: number;
  /** For each of the comparison's Pods the place of its node among the comparison's nodes; -1: it has none. */
  readonly on: readonly number[];
}

/** A placement under several ways to score and the best possible one, as far as they are worked out. */
export interface PreviewComparison {
  /** All that is compared, in its order. */
  readonly strategies: readonly ComparedStrategy[];
  /** NAMESPACE/NAME */
  readonly pods: readonly string[];
  readonly nodes: readonly string[];
  readonly done: readonly ComparedPlacement[];
  /** As the models that it is of have it. */
  readonly comparedAs?: string;
  /** The solver may take so long. */
  readonly seconds: number;
  readonly optimum?: {
    readonly proof: 'optimal' | 'within' | 'stopped' | 'outside';
    /** Why Pods stay where the best of the others puts them → how many do. */
    readonly kept: Readonly<Record<string, number>>;
  };
  /** Why the rest does not come, one sentence. */
  readonly failure?: string;
}

/** One turn of the queue: the Pod that was tried, and what it came to. */
export interface PreviewStep {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly status: AttemptStatus;
  readonly node?: string;
  /** The Pods that leave with this step. */
  readonly victims: readonly string[];
}

/** Everything the placement preview draws. Computed in the server, plain data; the webview decides nothing. */
export interface PreviewModel {
  readonly kubernetesVersion: string;
  readonly cluster: ClusterLabel;
  readonly nodes: readonly PreviewNode[];
  readonly pods: readonly PreviewPod[];
  /** The last attempt of each Pod this simulation tried, by Pod id. */
  readonly attempts: Readonly<Record<string, Attempt>>;
  readonly workloads: readonly PreviewWorkload[];
  /** The turns of the queue in their order. */
  readonly steps: readonly PreviewStep[];
  /** What is tried, and what it makes of the placement; absent: the placement is that of the files. */
  readonly tried?: { readonly whatIf: WhatIf; readonly difference: PreviewDifference };
  /** What else could be tried. */
  readonly choices: {
    readonly strategies: readonly Strategy[];
    /** Names of berth.yaml's environments that the file belongs to, when they are several; the first one counts. */
    readonly environments: readonly string[];
    /** What is there that moves Pods that run. */
    readonly movers: readonly ReschedulerKind[];
    /** Of clusters, the environment's own first; none where there is no other. */
    readonly sources: readonly PreviewChoice[];
    /** Contexts of a kubeconfig could be tried, too. */
    readonly live?: 'askable';
    /** Files with another KubeSchedulerConfiguration. */
    readonly configurations: readonly PreviewChoice[];
    /** Names of the configuration's profiles, when they are several. */
    readonly profiles: readonly string[];
  };
  /** Whether `previewWhy` takes so long that it is asked only when somebody wants to know. */
  readonly whyIsSlow: boolean;
  /** Names this model, so that the next one can be told in terms of it; absent where nobody asked for that. */
  readonly revision?: number;
  /** The same for models of which a comparison would say the same; absent where nobody compares. */
  readonly comparedAs?: string;
  /** Pod id under the cursor, or the first of its workload. */
  readonly chosen?: string;
  /** One sentence each: what the simulation could not take into account. */
  readonly notes: readonly string[];
}

/** A part of a list: so many items of the list of before, the very same objects, or new ones. */
export type ListPiece<T> = { readonly from: number; readonly count: number } | { readonly added: readonly T[] };

type Lists = Pick<PreviewModel, 'nodes' | 'pods' | 'workloads' | 'steps'> & { readonly attempts: readonly Attempt[] };

/** A model in terms of the one with the revision `since`: all that is short, and the long lists piece by piece. */
export interface PreviewDelta {
  readonly since: number;
  readonly rest: Omit<PreviewModel, keyof Lists>;
  readonly lists: { readonly [K in keyof Lists]: readonly ListPiece<Lists[K][number]>[] };
}
