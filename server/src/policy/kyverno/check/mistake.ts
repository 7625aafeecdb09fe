import type { JsonObject } from '../../../base/json';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { KyvernoPolicy } from '../policies/policy';

/** A reason for which Kyverno's webhook rejects a policy, or something that cannot be evaluated offline. */
export interface Mistake {
  readonly at: FieldPath;
  readonly message: string;
  /** `undecided` and `unchecked` are not the policy's fault; `ineffective` is accepted and ignored by Kyverno. */
  readonly kind: 'refused' | 'undecided' | 'ineffective' | 'unchecked';
}

/** A rule with its path. */
export interface LocatedRule {
  readonly policy: KyvernoPolicy;
  readonly rule: JsonObject;
  readonly at: FieldPath;
}

export type MistakeCheck = (rule: LocatedRule) => Iterable<Mistake>;

export const refused = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'refused' });
export const indeterminate = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'undecided' });
/** Reported when Berth's own check fails. */
export const unchecked = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'unchecked' });
export const ineffective = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'ineffective' });
