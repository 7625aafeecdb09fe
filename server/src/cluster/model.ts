import type { LabelMatcher } from '../kube/labelSelector';
import type { Condition, Node, Pod, PodDisruptionBudget, PodSpec, StringMap, Taint } from '../kube/types';
import type { PolicyMutation } from './admission/policies';
import type { PodTerms } from './affinityTerms';
import type { DeviceInventory } from './deviceInventory';
import type { Amounts, Resources } from './resources';
import type { StorageModel } from './volumes';

/** A plain JSON object: one API object, as a file or the API server gives it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

/** A Pod with everything worked out that placement asks for again and again. Immutable. */
export interface PodModel {
  /** NAMESPACE/NAME */
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  /** The very same object for all Pods of one namespace with the same labels, so that it may stand for both. */
  readonly labels: StringMap;
  /** After defaults and admission; the very same object for all Pods of one workload, unless that makes them differ. */
  readonly spec: PodSpec;
  readonly priority: number;
  readonly schedulerName: string;
  readonly requests: Resources;
  /** Requests with 100 millicores and 200 MB for containers that name none: what scores count. */
  readonly nonZeroRequests: Resources;
  /** The same without what `spec.resources` says of the whole Pod. */
  readonly nonZeroOfContainers: Resources;
  readonly terms: PodTerms;
  readonly hostPorts: readonly HostPort[];
  readonly nodeName?: string;
  readonly nominatedNodeName?: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  readonly terminating: boolean;
  readonly conditions: readonly Condition[];
  /** The object as it was written, with the metadata that policies gave it. */
  readonly source: Pod;
  /** What mutating policies changed before it came into the cluster; absent: nothing. */
  readonly mutatedBy?: readonly PolicyMutation[];
}

export interface NodeModel {
  readonly name: string;
  readonly labels: StringMap;
  readonly taints: readonly Taint[];
  readonly unschedulable: boolean;
  readonly allocatable: Resources;
  /** How many Pods it may run. */
  readonly maxPods: number;
  /** Image name → size in bytes. */
  readonly images: Amounts;
  readonly declaredFeatures: ReadonlySet<string>;
  readonly source: Node;
}

export interface BudgetModel {
  readonly namespace: string;
  readonly selector: LabelMatcher;
  readonly disruptionsAllowed: number;
  readonly disruptedPods: ReadonlySet<string>;
  readonly source: PodDisruptionBudget;
}

/** The cluster at one moment. Immutable: deciding a placement gives another one. */
export interface ClusterModel {
  /** By name. */
  readonly nodes: readonly NodeModel[];
  /** Pods with a node, finished ones left out, in the order of the file. */
  readonly running: readonly PodModel[];
  readonly budgets: readonly BudgetModel[];
  /** Namespace → its labels, missing ones made. */
  readonly namespaces: ReadonlyMap<string, StringMap>;
  readonly storage: StorageModel;
  readonly devices: DeviceInventory;
  /** All other objects by kind, in the order of the file, defaulted where placement reads it. */
  readonly objects: ReadonlyMap<string, readonly JsonObject[]>;
}

/** One sentence about something that could not be taken into account. */
export interface Note {
  readonly pod?: string;
  readonly message: string;
}
