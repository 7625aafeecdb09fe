import { type IsCancelled, unlessOutOfTime } from '../../base/steps';
import { FieldPath } from '../../manifest/fieldPath';
import type { FileEdit } from '../../rules/framework/problem';
import type { Counterfactuals, Edit, Study, Suggestion } from '../../scheduler/whatIf/counterfactuals';
import type { Snapshot } from '../../workspace/workspace';
import { type IsCounted, textEditsOf } from './textEdits';

/** A change that would give a Pod a node, ready to be made. */
export interface TextSuggestion extends Suggestion {
  readonly edits: readonly (Edit & { readonly fieldPath: string })[];
  /** One for each file; absent where the text cannot be changed so. */
  readonly fileEdits?: readonly FileEdit[];
}

export interface PodSuggestions extends Omit<Counterfactuals, 'suggestions'> {
  readonly suggestions: readonly TextSuggestion[];
}

export interface Suggested {
  /** By Pod id. */
  readonly suggestions: ReadonlyMap<string, PodSuggestions>;
  /** The number of Pods without a node that there was no time for. */
  readonly left: number;
}

/** What is asked, and which objects may be changed. */
export interface AskedStudy {
  readonly study: () => Study;
  readonly counts: IsCounted;
}

/** What would give Pods a node: each Pod without one, of the Pods of a workload the first. */
export function suggestionsOf(
  asked: AskedStudy,
  snapshot: Snapshot,
  isCancelled: IsCancelled = () => false,
): Suggested {
  const suggestions = new Map<string, PodSuggestions>();
  const { stuck } = asked.study();
  for (const it of stuck) {
    if (isCancelled()) break;
    const found = unlessOutOfTime(() => suggestionsFor(asked, snapshot, it));
    if (found !== undefined) suggestions.set(it, found);
  }
  return { suggestions, left: stuck.length - suggestions.size };
}

/** What would give a Pod a node (or make it fit on one that is named), tried out, with the changes of the texts. */
export function suggestionsFor(
  { study, counts }: AskedStudy,
  snapshot: Snapshot,
  pod: string,
  node?: string,
): PodSuggestions {
  return written(study().counterfactuals(pod, node), snapshot, counts);
}

/** What would bring a Pod that has a node where it prefers to be. */
export function preferencesFor({ study, counts }: AskedStudy, snapshot: Snapshot, pod: string): PodSuggestions {
  return written(study().preferences(pod), snapshot, counts);
}

const written = (found: Counterfactuals, snapshot: Snapshot, counts: IsCounted): PodSuggestions => ({
  ...found,
  suggestions: found.suggestions.map(it => withFileEdits(it, snapshot, counts)),
});

function withFileEdits(suggestion: Suggestion, snapshot: Snapshot, counts: IsCounted): TextSuggestion {
  const fileEdits = textEditsOf(snapshot, suggestion.edits, counts);
  const edits = suggestion.edits.map(it => ({ ...it, fieldPath: fieldPathOf(it) }));
  return { ...suggestion, edits, ...(fileEdits && { fileEdits }) };
}

/** Keys of maps in brackets, as the API server prints them. */
const fieldPathOf = ({ path }: Edit): string =>
  FieldPath.of(...path.map(it => (typeof it === 'string' && /[./]/.test(it) ? { key: it } : it))).toString();
