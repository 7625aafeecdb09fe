import type { FieldPath } from '../../../manifest/fieldPath';
import { Indeterminate, OutOfSteps, reasonOf } from './failures';

/** `undecided`: cannot be known offline. `stopped`: the rule exceeded its budget. `broken`: a bug of Berth. */
export type RuleStatus = 'pass' | 'fail' | 'skip' | 'error' | 'undecided' | 'stopped' | 'broken';

/** The outcome of one rule. Upstream: engineapi.RuleResponse. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The field that fails. */
  readonly at?: FieldPath;
}

/**
 * The result of `run`. An unexpected error is a bug of Berth: it becomes the outcome passed to `onBug`, and the
 * evaluation of everything else continues.
 */
export function guarded<T>(name: string, run: () => T, onBug: (outcome: RuleOutcome) => T): T {
  try {
    return run();
  } catch (error) {
    return onBug({
      status: 'broken',
      message: `Berth has a bug here and does not know what ${name} says: ${String(error)}.`,
    });
  }
}

/** The value of `run`, or the outcome for its error, with Kyverno's prefix `what`. */
export function attempt<T>(what: string, run: () => T): { readonly value: T } | { readonly outcome: RuleOutcome } {
  try {
    return { value: run() };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Indeterminate) return { outcome: { status: 'undecided', message: reason } };
    if (error instanceof OutOfSteps) return { outcome: { status: 'stopped', message: reason } };
    return { outcome: { status: 'error', message: `${what}: ${reason}` } };
  }
}
