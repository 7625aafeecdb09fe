import type { Kube } from '../../kube/kube';

/**
 * One thing that the API server does otherwise from a minor on, without a feature gate. What depends on a gate is not a
 * minor change: `Validation.isOn` answers it.
 */
export interface MinorChange {
  /** The first minor that behaves as `change` says; absent where the oldest supported one does already. */
  readonly since?: string;
  /** The first minor that no longer does; absent where the newest one still does. */
  readonly until?: string;
  /** The kinds whose objects are answered otherwise. `Pod` includes every kind with a Pod template. */
  readonly kinds: readonly string[] | 'all';
  /** The field, with `[*]` for the items of a list and the entries of a map. */
  readonly field: string;
  /** What the server does from `since` until `until`, and before or after where that is not simply nothing. */
  readonly change: string;
  /** The function or the commit of upstream that changed. */
  readonly upstream: string;
}

/** Whether the server of a minor behaves as a change says. */
export function applies({ since, until }: MinorChange, { minor }: Pick<Kube, 'minor'>): boolean {
  return (since === undefined || isAtLeast(minor, since)) && (until === undefined || !isAtLeast(minor, until));
}

/** Whether a minor such as "1.37" is equal to or later than another. The numbers have no leading zeros. */
export function isAtLeast(minor: string, first: string): boolean {
  return minor.length === first.length ? minor >= first : minor.length > first.length;
}
