import type { Severity } from './problem';

/** From the worst on. */
export const SEVERITIES = ['error', 'warning', 'info', 'hint'] as const satisfies readonly Severity[];

/** Whether a severity is at least as bad as another one. */
export const isAtLeastAsBad = (severity: Severity, least: Severity): boolean =>
  SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(least);
