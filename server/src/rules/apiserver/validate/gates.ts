import type { Kube } from '../../../kube/kube';

/** Whether a gate is on, or gone: a minor that no longer has a gate behaves as with the gate locked on. */
export function isEnabled(gate: string, kube: Kube): boolean {
  return kube.gate(gate) === undefined || kube.isGateOn(gate);
}
