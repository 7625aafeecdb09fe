import type { ResourceClaimModel } from '../../../cluster/devices/claims';
import type { DeviceModel } from '../../../cluster/devices/devices';
import { type Consumed, plusConsumed } from './capacity';
import type { DeviceFeatures } from './features';

/** What claims have allocated, by DRIVER/POOL/DEVICE. Upstream: schedulerapi.AllocatedState. */
export interface AllocatedState {
  /** Devices of one claim only. */
  readonly devices: ReadonlySet<string>;
  /** Devices that claims share. */
  readonly shared: ReadonlySet<string>;
  readonly capacity: ReadonlyMap<string, Consumed>;
}

/** Upstream: GatherAllocatedState. Devices allocated with admin access do not count. */
export function allocatedState(
  claims: Iterable<ResourceClaimModel>,
  { consumableCapacity }: DeviceFeatures,
): AllocatedState {
  const devices = new Set<string>();
  const shared = new Set<string>();
  const capacity = new Map<string, Consumed>();
  for (const { allocation } of claims) {
    for (const it of allocation?.results ?? []) {
      if (it.adminAccess) continue;
      const id = `${it.driver}/${it.pool}/${it.device}`;
      if (!consumableCapacity || !it.isShare) devices.add(id);
      else {
        shared.add(id);
        if (it.consumedCapacity) capacity.set(id, plusConsumed(capacity.get(id), it.consumedCapacity));
      }
    }
  }
  return { devices, shared, capacity };
}

export function isAllocated({ id }: DeviceModel, { devices, shared, capacity }: AllocatedState): boolean {
  return devices.has(id) || shared.has(id) || capacity.has(id);
}
