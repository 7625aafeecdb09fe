import type { AllocationModel, ResourceClaimModel } from '../../../cluster/devices/claims';
import { CLUSTER_START } from '../../../cluster/scenario';

/** Upstream: DynamicResourcesBindingTimeoutDefault. */
const BINDING_TIMEOUT = 600_000;

/**
 * Runs have no clock: times in a file are compared with the time, an hour after the start, from which a run places its
 * Pods.
 */
const NOW = CLUSTER_START + 3_600_000;

/**
 * Whether an allocation that waits for its devices has failed: a failure condition is true, or the timeout has passed.
 * Upstream: isClaimReadyForBinding and isClaimTimeout.
 */
export function hasBindingFailed({ allocation, conditions }: ResourceClaimModel): boolean {
  if (!allocation) return false;
  for (const it of allocation.results.filter(result => result.bindingConditions.length > 0)) {
    const condition = conditions.get(`${it.driver}/${it.pool}/${it.device}`);
    if (!condition) return isTooLate(allocation);
    if (it.bindingFailureConditions.some(type => condition.has(type))) return true;
    if (!it.bindingConditions.every(type => condition.has(type))) return isTooLate(allocation);
  }
  return false;
}

function isTooLate({ allocated }: AllocationModel): boolean {
  return allocated !== undefined && allocated + BINDING_TIMEOUT < NOW;
}
