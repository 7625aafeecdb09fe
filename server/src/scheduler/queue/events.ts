/** Upstream: framework.EventResource. AssignedPod has a node; TargetPod is the waiting Pod itself. */
export type EventResource =
  | 'Node'
  | 'AssignedPod'
  | 'TargetPod'
  | 'UnscheduledPod'
  | 'PersistentVolume'
  | 'PersistentVolumeClaim'
  | 'StorageClass'
  | 'CSINode'
  | 'CSIDriver'
  | 'CSIStorageCapacity'
  | 'VolumeAttachment'
  | 'ResourceClaim'
  | 'ResourceSlice'
  | 'DeviceClass'
  | 'PodGroup'
  | 'CompositePodGroup'
  /** Any change at all. */
  | '*';

/** Upstream: framework.ActionType. */
export type EventAction =
  | 'Add'
  | 'Delete'
  | 'Update'
  | 'UpdateNodeAllocatable'
  | 'UpdateNodeLabel'
  | 'UpdateNodeTaint'
  | 'UpdateNodeDeclaredFeature'
  | 'UpdateNodePreemptionPolicy'
  | 'UpdatePodLabel'
  | 'UpdatePodScaleDown'
  | 'UpdatePodToleration'
  | 'UpdatePodSchedulingGatesEliminated'
  | 'UpdatePodGeneratedResourceClaim'
  | 'All';

export interface RegisteredEvents {
  readonly resource: EventResource;
  readonly actions: readonly EventAction[];
  /** The gate without which the plugin does not register them. */
  readonly gate?: string;
}

const on = (resource: EventResource, ...actions: EventAction[]): RegisteredEvents => ({ resource, actions });
const onWith = (gate: string, resource: EventResource, ...actions: EventAction[]): RegisteredEvents => ({
  resource,
  actions,
  gate,
});

/** Events that may make a Pod schedulable that a plugin rejected. Upstream: each plugin's EventsToRegister. */
export const EVENTS: Readonly<Record<string, readonly RegisteredEvents[]>> = {
  SchedulingGates: [on('TargetPod', 'UpdatePodSchedulingGatesEliminated')],
  NodeName: [on('Node', 'Add')],
  NodeUnschedulable: [on('Node', 'Add', 'UpdateNodeTaint'), on('TargetPod', 'UpdatePodToleration')],
  TaintToleration: [on('Node', 'Add', 'UpdateNodeTaint'), on('TargetPod', 'UpdatePodToleration')],
  NodeAffinity: [on('Node', 'Add', 'UpdateNodeLabel')],
  NodePorts: [on('AssignedPod', 'Delete'), on('Node', 'Add')],
  DeferredPodScheduling: [on('Node', 'UpdateNodePreemptionPolicy', 'Add')],
  NodeResourcesFit: [
    on('AssignedPod', 'Delete'),
    on('Node', 'Add', 'UpdateNodeAllocatable'),
    onWith('DRAExtendedResource', 'DeviceClass', 'Add', 'Update'),
    onWith('InPlacePodVerticalScaling', 'AssignedPod', 'UpdatePodScaleDown'),
    onWith('InPlacePodVerticalScaling', 'TargetPod', 'UpdatePodScaleDown'),
  ],
  VolumeRestrictions: [on('AssignedPod', 'Delete'), on('Node', 'Add'), on('PersistentVolumeClaim', 'Add')],
  NodeVolumeLimits: [
    on('CSINode', 'Add', 'Update'),
    on('AssignedPod', 'Delete'),
    on('PersistentVolumeClaim', 'Add'),
    on('VolumeAttachment', 'Delete'),
  ],
  VolumeBinding: [
    on('StorageClass', 'Add', 'Update'),
    on('PersistentVolumeClaim', 'Add', 'Update'),
    on('PersistentVolume', 'Add', 'Update'),
    on('Node', 'Add', 'UpdateNodeLabel'),
    on('CSINode', 'Add', 'Update'),
    on('CSIDriver', 'Update'),
    on('CSIStorageCapacity', 'Add', 'Update'),
  ],
  VolumeZone: [
    on('StorageClass', 'Add'),
    on('Node', 'Add', 'UpdateNodeLabel'),
    on('PersistentVolumeClaim', 'Add', 'Update'),
    on('PersistentVolume', 'Add', 'Update'),
  ],
  PodTopologySpread: [
    on('AssignedPod', 'Add', 'UpdatePodLabel', 'Delete'),
    on('TargetPod', 'UpdatePodToleration', 'UpdatePodLabel'),
    on('Node', 'Add', 'Delete', 'UpdateNodeLabel', 'UpdateNodeTaint'),
  ],
  InterPodAffinity: [
    on('AssignedPod', 'Add', 'UpdatePodLabel', 'Delete'),
    on('TargetPod', 'UpdatePodLabel'),
    on('Node', 'Add', 'UpdateNodeLabel'),
  ],
  DynamicResources: [
    on('Node', 'Add', 'UpdateNodeLabel', 'UpdateNodeAllocatable'),
    on('ResourceClaim', 'Add', 'Update', 'Delete'),
    on('TargetPod', 'UpdatePodGeneratedResourceClaim'),
    on('DeviceClass', 'Add', 'Update'),
    on('ResourceSlice', 'Add', 'Update'),
  ],
  DefaultPreemption: [onWith('SchedulerAsyncPreemption', 'AssignedPod', 'Delete')],
  NodeDeclaredFeatures: [on('Node', 'Add', 'UpdateNodeDeclaredFeature'), on('TargetPod', 'Update')],
  GangScheduling: [
    on('UnscheduledPod', 'Add'),
    on('AssignedPod', 'Add'),
    on('PodGroup', 'Add', 'Update'),
    onWith('CompositePodGroup', 'CompositePodGroup', 'Add'),
  ],
  /** An extender cannot register events, so any event requeues the Pod. */
  Extender: [on('*', 'All')],
};
