import type { FieldPath } from '../../manifest/fieldPath';
import { OutOfSteps, reasonOf, Undecided } from './failures';

/** `undecided`: Kyverno would say more than can be known here. `stopped`: the rule asked for too much work. */
export type RuleStatus = 'pass' | 'fail' | 'skip' | 'error' | 'undecided' | 'stopped';

/** What one rule says. Upstream: engineapi.RuleResponse. */
export interface RuleOutcome {
  readonly status: RuleStatus;
  readonly message: string;
  /** The field to blame. */
  readonly at?: FieldPath;
}

/** The result, or what kept it from being found, in the words that Kyverno begins with. */
export function attempt<T>(what: string, run: () => T): { readonly value: T } | { readonly outcome: RuleOutcome } {
  try {
    return { value: run() };
  } catch (error) {
    const reason = reasonOf(error);
    if (error instanceof Undecided) return { outcome: { status: 'undecided', message: reason } };
    if (error instanceof OutOfSteps) return { outcome: { status: 'stopped', message: reason } };
    return { outcome: { status: 'error', message: `${what}: ${reason}` } };
  }
}
