import type { SchedulerGates } from '../../framework/profile';

/** What the allocator may do at the gates. Upstream: structured.Features, those of the incubating allocator. */
export interface DeviceFeatures {
  readonly adminAccess: boolean;
  readonly prioritizedList: boolean;
  readonly partitionableDevices: boolean;
  readonly deviceTaints: boolean;
  readonly deviceBindingAndStatus: boolean;
  readonly consumableCapacity: boolean;
  readonly fractionalCapacityRange: boolean;
}

export function deviceFeatures({ isOn }: SchedulerGates): DeviceFeatures {
  return {
    adminAccess: isOn('DRAAdminAccess'),
    prioritizedList: isOn('DRAPrioritizedList'),
    partitionableDevices: isOn('DRAPartitionableDevices'),
    deviceTaints: isOn('DRADeviceTaints'),
    deviceBindingAndStatus: isOn('DRADeviceBindingConditions') && isOn('DRAResourceClaimDeviceStatus'),
    consumableCapacity: isOn('DRAConsumableCapacity'),
    fractionalCapacityRange: isOn('DRAFractionalCapacityRange'),
  };
}

/** What the experimental allocator of upstream adds, and what comes with groups of Pods; none of it is built. */
const NOT_BUILT: readonly string[] = [
  'DRADerivedAttributes',
  'DRADeviceCompatibilityGroups',
  'DRAListTypeAttributes',
  'DRANodeAllocatableResources',
  'DRAOptionalNodeOperations',
  'DRAWorkloadResourceClaims',
];

/** One sentence for each gate that is on and that claims would be decided otherwise by. */
export function unbuiltFeatures({ isOn }: Pick<SchedulerGates, 'isOn'>): readonly string[] {
  return NOT_BUILT.filter(isOn).map(
    it =>
      `Feature gate ${it} is on, but what it does to claims is not simulated; the result does not take it into account.`,
  );
}
