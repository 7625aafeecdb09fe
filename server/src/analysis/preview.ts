import type { Attempt, QueueName } from '../scheduler/result';

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

/** Everything the placement preview draws. Computed in the server, plain data; the webview decides nothing. */
export interface PreviewModel {
  readonly kubernetesVersion: string;
  readonly cluster: { readonly kind: 'default' | 'workspace' | 'source'; readonly label: string };
  readonly nodes: readonly PreviewNode[];
  readonly pods: readonly PreviewPod[];
  /** The last attempt of each Pod this simulation tried, by Pod id. */
  readonly attempts: Readonly<Record<string, Attempt>>;
  /** Pod id under the cursor, or the first of its workload. */
  readonly chosen?: string;
  /** One sentence each: what the simulation could not take into account. */
  readonly notes: readonly string[];
}

/** Messages between the extension and the preview's webview. */
export type ToPreview =
  | { readonly type: 'model'; readonly model: PreviewModel }
  | { readonly type: 'empty'; readonly reason: string };
export type FromPreview =
  | { readonly type: 'ready' }
  | { readonly type: 'choose'; readonly pod: string }
  | { readonly type: 'reveal'; readonly pod: string };
