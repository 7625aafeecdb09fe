import { jsonText } from '../../base/printed';
import type { AskPolicies, PolicyVerdict } from '../../cluster/admission/mutationAdmission';

/** What is known of mutating policies at one state. */
export interface KnownMutations {
  /** What is not known is noted, to be answered. */
  readonly ask: AskPolicies;
  /** What policies change or refuse, by the text of what was asked; enough for another thread. */
  readonly changing: ReadonlyMap<string, PolicyVerdict>;
}

/** Asks what another thread knows. */
export const askKnownMutations =
  (changing: KnownMutations['changing']): AskPolicies =>
  object =>
    changing.get(jsonText(object));
