import type { JsonObject } from '../../../base/json';
import type { FieldPath } from '../../../manifest/fieldPath';
import type { KyvernoPolicy } from '../policies/policy';

/** What Kyverno's webhook refuses a policy for, or what cannot be told here. */
export interface Mistake {
  readonly at: FieldPath;
  readonly message: string;
  /** `undecided` is no fault of the policy, nor is `unchecked`; what is `ineffective` is accepted and ignored. */
  readonly kind: 'refused' | 'undecided' | 'ineffective' | 'unchecked';
}

/** A rule with its place. */
export interface LocatedRule {
  readonly policy: KyvernoPolicy;
  readonly rule: JsonObject;
  readonly at: FieldPath;
}

export type MistakeCheck = (rule: LocatedRule) => Iterable<Mistake>;

export const refused = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'refused' });
export const undecided = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'undecided' });
/** Where Berth fails to look for mistakes. */
export const unchecked = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'unchecked' });
export const ineffective = (at: FieldPath, message: string): Mistake => ({ at, message, kind: 'ineffective' });
