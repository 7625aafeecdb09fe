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
  /** The limit on its Pods. */
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

/** The cluster at one moment. Immutable: a placement makes a new one. */
export interface ClusterModel {
  /** By name. */
  readonly nodes: readonly NodeModel[];
  /** Pods with a node, without finished ones, in the order of the file. */
  readonly running: readonly PodModel[];
  readonly budgets: readonly BudgetModel[];
  /** Namespace → its labels; namespaces that objects use and that are missing are added. */
  readonly namespaces: ReadonlyMap<string, StringMap>;
  readonly storage: StorageModel;
  readonly devices: DeviceInventory;
  /** All other objects by kind, in the order of the file, with the defaults that placement reads. */
  readonly objects: ReadonlyMap<string, readonly UnknownObject[]>;
}
