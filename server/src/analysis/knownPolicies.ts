import type { AskPolicies, PolicyVerdict } from '../cluster/admission/policies';

/** What is known of mutating policies at one moment. */
export interface KnownPolicies {
  /** What is not known is noted, to be answered. */
  readonly ask: AskPolicies;
  /** The answers, by the text of what was asked. */
  readonly known: ReadonlyMap<string, PolicyVerdict | undefined>;
}

/** Asks what another thread knows. */
export const askingKnown =
  (known: KnownPolicies['known']): AskPolicies =>
  object =>
    known.get(JSON.stringify(object));
