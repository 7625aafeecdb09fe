import type { AllocationModel, ClaimModel } from '../../../cluster/deviceClaims';
import type { DeviceInventory } from '../../../cluster/deviceInventory';
import { CLUSTER_START } from '../../../cluster/fromObjects';
import type { Note } from '../../../cluster/model';
import type { Attempt } from '../../result';

/** Upstream: DynamicResourcesBindingTimeoutDefault. */
const BINDING_TIMEOUT = 600_000;

/** Runs have no clock, so times in a file are compared with the hour after which a run places its Pods. */
const NOW = CLUSTER_START + 3_600_000;

/**
 * Whether an allocation that waits for its devices has failed: a failure is told, or it takes too long.
 * Upstream: isClaimReadyForBinding and isClaimTimeout.
 */
export function hasBindingFailed({ allocation, conditions }: ClaimModel): boolean {
  if (!allocation) return false;
  for (const it of allocation.results.filter(result => result.bindingConditions.length > 0)) {
    const held = conditions.get(`${it.driver}/${it.pool}/${it.device}`);
    if (!held) return isTooLate(allocation);
    if (it.bindingFailureConditions.some(type => held.has(type))) return true;
    if (!it.bindingConditions.every(type => held.has(type))) return isTooLate(allocation);
  }
  return false;
}

function isTooLate({ allocated }: AllocationModel): boolean {
  return allocated !== undefined && allocated + BINDING_TIMEOUT < NOW;
}

/** One sentence for each placed Pod and device that it would yet wait for. */
export function bindingNotes({ slices }: DeviceInventory, attempts: readonly Attempt[]): readonly Note[] {
  const waiting = slices.flatMap(it => it.devices).filter(it => (it.bindingConditions ?? []).length > 0);
  if (waiting.length === 0) return [];
  const conditions = new Map(waiting.map(it => [it.id, it.bindingConditions?.join(', ')]));
  return attempts.flatMap(({ pod, claims = [] }) =>
    claims
      .flatMap(it => it.devices.map(device => device.slice(device.indexOf('=') + 1)))
      .filter(it => conditions.has(it))
      .map(it => ({
        pod,
        message: `Device ${it} wants ${conditions.get(it)} before the Pod is bound; that wait is not simulated.`,
      })),
  );
}
