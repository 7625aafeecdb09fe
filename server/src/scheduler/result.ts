import type { EventAction, EventResource } from './queue/events';

/** The result of one run of the scheduler, in the terms of the CLI's contract (`berth place --format json`). */

export interface PluginScore {
  readonly raw: number;
  readonly normalized: number;
  readonly weighted: number;
}

export type StatusCode = 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Error' | 'Pending';

export type NodeVerdict =
  | {
      readonly node: string;
      readonly verdict: 'feasible';
      /** Absent when this was the only feasible node: upstream then does not score. */
      readonly total?: number;
      readonly scores?: Readonly<Record<string, PluginScore>>;
    }
  | {
      readonly node: string;
      readonly verdict: 'rejected';
      /** The first plugin that rejects, in the profile's order. */
      readonly plugin: string;
      readonly code: StatusCode;
      readonly reasons: readonly string[];
    }
  /** Excluded by a PreFilter result. */
  | { readonly node: string; readonly verdict: 'excluded' };

export interface Rejection {
  readonly plugin: string;
  readonly point: string;
  readonly code: StatusCode;
  readonly reasons: readonly string[];
}

/** Where a claim's volume comes from once the Pod is placed. */
export interface VolumeChoice {
  /** NAMESPACE/NAME */
  readonly claim: string;
  /** static: an existing PersistentVolume; provisioned: a new one. */
  readonly mode: 'static' | 'provisioned';
  readonly pv?: string;
  /** The node labels that a provisioned volume is bound to; absent: none. */
  readonly topology?: Readonly<Record<string, string>>;
}

/** The devices of a ResourceClaim once the Pod is placed. */
export interface ClaimChoice {
  /** In the Pod's namespace. */
  readonly claim: string;
  /** REQUEST=DRIVER/POOL/DEVICE; REQUEST/ALTERNATIVE for one of a prioritised list. */
  readonly devices: readonly string[];
}

export type AttemptStatus = 'scheduled' | 'unschedulable' | 'error' | 'gated' | 'rejected' | 'ignored' | 'superseded';

export interface Attempt {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** NAMESPACE/NAME of the PodGroup that it was tried with. */
  readonly group?: string;
  /** 1, plus one for each further attempt: after the Pod's own preemption, and within its group's cycle. */
  readonly attempt: number;
  readonly priority: number;
  readonly status: AttemptStatus;
  readonly node?: string;
  readonly tiedNodes?: readonly string[];
  readonly nodes?: readonly NodeVerdict[];
  /** The number of feasible nodes and of all nodes, where several were scored; for readers that need no verdicts. */
  readonly fits?: { readonly feasible: number; readonly of: number };
  readonly preFilterRejection?: Rejection;
  /** The plugins that rejected nodes or the whole Pod; absent when scheduled or in error. */
  readonly rejectedBy?: readonly string[];
  readonly preemption?: {
    readonly nominatedNode?: string;
    /** Most important victim first, NAMESPACE/NAME. */
    readonly victims?: readonly string[];
    readonly message?: string;
  };
  /** The choices of VolumeBinding, in the order of the Pod's volumes; absent: there was nothing to choose. */
  readonly volumes?: readonly VolumeChoice[];
  /** The devices of the Pod's claims, allocated now or before; absent: it has no claims. */
  readonly claims?: readonly ClaimChoice[];
  /** The FailedScheduling text; absent when scheduled. */
  readonly message?: string;
}

/** The outcome of one group cycle, as in the PodGroup's condition PodGroupInitiallyScheduled. */
export interface GroupAttempt {
  /** NAMESPACE/NAME */
  readonly group: string;
  readonly status: 'scheduled' | 'unschedulable' | 'error';
  /** Most important victim first, NAMESPACE/NAME; absent: none was found. */
  readonly victims?: readonly string[];
  /** Absent when scheduled. */
  readonly message?: string;
}

/** The queues of kube-scheduler, in the order of its metric scheduler_pending_pods. */
export const QUEUES = ['active', 'backoff', 'unschedulable', 'gated'] as const;

export type QueueName = (typeof QUEUES)[number];

/** A change of the cluster that may make a plugin accept the Pod. */
export interface WaitsFor {
  readonly resource: EventResource;
  readonly action: EventAction;
  readonly plugin: string;
}

/** A Pod that has no node after the run. */
export interface QueuedPod {
  /** NAMESPACE/NAME */
  readonly pod: string;
  readonly queue: QueueName;
  readonly rejectedBy: readonly string[];
  /** Events that would requeue it; empty in the active and the backoff queue, which it leaves by itself. */
  readonly waitsFor: readonly WaitsFor[];
}

export interface PlacementResult {
  readonly attempts: readonly Attempt[];
  /** Group cycles in order; absent: there were none. */
  readonly groups?: readonly GroupAttempt[];
  /** Pod → node, without the Pods that ran before. */
  readonly placements: Readonly<Record<string, string>>;
  readonly evicted: readonly string[];
  /** The Pods without a node after the run; Pods of unknown profiles and Pods refused by admission are in no queue. */
  readonly queue?: readonly QueuedPod[];
  /** The number of Pods without a cycle when the run was cancelled; absent: all had one. */
  readonly cut?: { readonly pods: number };
  /**
   * One sentence for each thing that is not simulated (a field whose plugin is not implemented, an invalid quantity).
   */
  readonly notes: readonly { readonly pod?: string; readonly message: string }[];
}
