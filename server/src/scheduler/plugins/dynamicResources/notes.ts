import { t } from '../../../base/l10n';
import type { DeviceInventory } from '../../../cluster/devices/inventory';
import type { Note } from '../../../cluster/pods/note';
import type { Attempt } from '../../result';
import { GAVE_UP, MAX_STEPS, MAX_STEPS_OF_POD } from './allocator';

/** Limits of the result about devices: searches that exceeded their steps, and what placed Pods still wait for. */
export function deviceNotes({ slices }: DeviceInventory, attempts: readonly Attempt[]): readonly Note[] {
  const gaveUp = attempts.filter(it => it.status === 'error' && it.message?.includes(GAVE_UP));
  const message = t`Berth gives up the search for devices after ${MAX_STEPS} steps on a node or ${MAX_STEPS_OF_POD} on all nodes; kube-scheduler does after its filterTimeout.`;
  return [...gaveUp.map(({ pod }) => ({ pod, message })), ...bindingNotes(slices, attempts)];
}

function bindingNotes(slices: DeviceInventory['slices'], attempts: readonly Attempt[]): readonly Note[] {
  const waiting = slices.flatMap(it => it.devices).filter(it => (it.bindingConditions ?? []).length > 0);
  if (waiting.length === 0) return [];
  const conditions = new Map(waiting.map(it => [it.id, it.bindingConditions?.join(', ')]));
  return attempts.flatMap(({ pod, claims = [] }) =>
    claims
      .flatMap(it => it.devices.map(device => device.slice(device.indexOf('=') + 1)))
      .filter(it => conditions.has(it))
      .map(it => ({
        pod,
        message: t`Device ${it} wants ${conditions.get(it) ?? ''} before the Pod is bound; that wait is not simulated.`,
      })),
  );
}
