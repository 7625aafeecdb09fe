import { jsonText } from '../../base/printed';
import type { AskPolicies, PolicyVerdict } from '../../cluster/admission/mutationAdmission';

/** A snapshot of the answers of mutating policies. */
export interface KnownMutations {
  /** Notes a question without an answer for later. */
  readonly ask: AskPolicies;
  /** Verdicts that change or refuse an object, by the text of the object; plain data for another thread. */
  readonly changing: ReadonlyMap<string, PolicyVerdict>;
  /** About how many objects policies were not asked, as those before took so many results. */
  readonly leftOut: number;
}

/** Answers from the verdicts of another thread. */
export const askKnownMutations =
  (changing: KnownMutations['changing']): AskPolicies =>
  object =>
    changing.get(jsonText(object));
