import type { Refusal, Status } from './interface';

export const success: Status = { code: 'Success' };

export const skip: Status = { code: 'Skip' };

/** Evicting Pods may help. */
export const unschedulable = (...reasons: string[]): Refusal => ({ code: 'Unschedulable', reasons });

/** The plugin failed; upstream aborts the attempt. */
export const failure = (reason: string): Refusal => ({ code: 'Error', reasons: [reason] });

/** Evicting Pods cannot help. */
export const unresolvable = (...reasons: string[]): Refusal => ({ code: 'UnschedulableAndUnresolvable', reasons });

export function isRefusal(status: Status): status is Refusal {
  return status.code !== 'Success' && status.code !== 'Skip';
}
