import type { UnknownObject } from '../base/json';
import type { LabelMatcher } from '../kube/labelSelector';
import type { Node, PodDisruptionBudget, StringMap, Taint } from '../kube/types';
import type { DeviceInventory } from './devices/inventory';
import type { PodModel } from './pods/podModel';
import type { Amounts, Resources } from './resources/resources';
import type { StorageModel } from './storage/volumes';

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
  readonly objects: ReadonlyMap<string, readonly UnknownObject[]>;
}
