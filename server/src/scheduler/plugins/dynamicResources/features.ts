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
