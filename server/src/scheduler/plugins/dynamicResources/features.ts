import type { SelectorFacts } from '../../../kube/cel/deviceSelector';
import type { SchedulerGates } from '../../framework/interface';

/** Features of the allocator at the given gates. Upstream: structured.Features. */
export interface DeviceFeatures {
  /** Which of upstream's allocators is used: the oldest one that supports all enabled features. */
  readonly allocator: 'stable' | 'incubating';
  readonly adminAccess: boolean;
  readonly prioritizedList: boolean;
  readonly partitionableDevices: boolean;
  readonly deviceTaints: boolean;
  readonly deviceBindingAndStatus: boolean;
  readonly consumableCapacity: boolean;
  readonly fractionalCapacityRange: boolean;
}

export function deviceFeatures({ isOn }: SchedulerGates): DeviceFeatures {
  const deviceBindingAndStatus = isOn('DRADeviceBindingConditions') && isOn('DRAResourceClaimDeviceStatus');
  const consumableCapacity = isOn('DRAConsumableCapacity');
  const fractionalCapacityRange = isOn('DRAFractionalCapacityRange');
  const isNew = deviceBindingAndStatus || consumableCapacity || fractionalCapacityRange;
  return {
    allocator: isNew ? 'incubating' : 'stable',
    adminAccess: isOn('DRAAdminAccess'),
    prioritizedList: isOn('DRAPrioritizedList'),
    partitionableDevices: isOn('DRAPartitionableDevices'),
    deviceTaints: isOn('DRADeviceTaints'),
    deviceBindingAndStatus,
    consumableCapacity,
    fractionalCapacityRange,
  };
}

/** Features of upstream's experimental allocator; none is implemented. */
const NOT_BUILT: readonly string[] = [
  'DRADerivedAttributes',
  'DRADeviceCompatibilityGroups',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAOptionalNodeOperations',
];

/** One sentence for each enabled gate that changes decisions about claims and is not simulated. */
export function unbuiltFeatures({ isOn }: Pick<SchedulerGates, 'isOn'>): readonly string[] {
  return NOT_BUILT.filter(isOn).map(
    it =>
      `Feature gate ${it} is on, but what it does to claims is not simulated; the result does not take it into account.`,
  );
}

/**
 * Selectors that the API server has stored are evaluated whatever the gates say now. Upstream:
 * environment.StoredExpressions.
 */
export function selectorFacts({ minor, isOn }: SchedulerGates): SelectorFacts {
  const knowsShares = Number(minor.split('.')[1]) >= 34;
  return { minor, isGateOn: name => (name === 'DRAConsumableCapacity' ? knowsShares : isOn(name)) };
}
