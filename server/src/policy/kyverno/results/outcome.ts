import type { FieldPath } from '../../../manifest/fieldPath';
import { Indeterminate, OutOfSteps, reasonOf } from './failures';

/**
 * `undecided`: Kyverno would say more than can be known here. `stopped`: the rule asked for too much work. `broken`: Berth
 * itself fails at it.
 */
export type RuleStatus = 'pass' | 'fail' | 'skip' | 'error' | 'undecided' | 'stopped' | 'broken';

/** What one rule says. Upstream: engineapi.RuleResponse. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The field to blame. */
  readonly at?: FieldPath;
}

/** What `run` gives. What nobody foresaw is a bug of Berth: it is told as what `speaker` says, and ends nothing else. */
export function guarded<T>(speaker: string, run: () => T, told: (outcome: RuleOutcome) => T): T {
  try {
    return run();
  } catch (error) {
    return told({
      status: 'broken',
      message: `Berth has a bug here and does not know what ${speaker} says: ${String(error)}.`,
    });
  }
}

/** The result, or what kept it from being found, in the words that Kyverno begins with. */
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
