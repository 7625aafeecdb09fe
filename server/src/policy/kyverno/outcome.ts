import type { FieldPath } from '../../manifest/fieldPath';
import { reasonOf, Undecided } from './failures';

/** `undecided`: Kyverno would say more than can be known here. */
export type RuleStatus = 'pass' | 'fail' | 'skip' | 'error' | 'undecided';

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
    return { outcome: { status: 'error', message: `${what}: ${reason}` } };
  }
}
