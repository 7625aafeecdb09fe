import type { Segment } from '../../../manifest/fieldPath';
import type { Span, TextEdit } from '../../../text/span';

/** One thing that can be typed at the caret. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'choice' | 'reference' | 'label' | 'amount' | 'object';
  /** A few words beside the label. */
  readonly detail?: string;
  /** Markdown, where it is short and at hand. */
  readonly documentation?: string;
  /** The field whose documentation is worked out when it is asked for. */
  readonly field?: DescribedField;
  readonly span: Span;
  /** In the language server protocol's snippet syntax, indented for the place. */
  readonly insert: string;
  /** What a client compares with the text of `span`. */
  readonly filter: string;
  /** Items are shown in the order of this, then of the label. */
  readonly rank: number;
  readonly deprecated?: true;
  readonly preselect?: true;
  /** Whether there is something to choose where the caret comes to stand. */
  readonly goesOn?: true;
  /** Text elsewhere that is changed along with it. */
  readonly edits?: readonly TextEdit[];
}

export interface DescribedField {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: readonly Segment[];
}

export interface Completion {
  readonly items: readonly CompletionItem[];
  /** Whether another letter may bring other items than a client finds by filtering. */
  readonly isIncomplete: boolean;
}

export const NO_COMPLETION: Completion = { items: [], isIncomplete: false };

/** Text that is to be taken as it is, not as snippet syntax. */
export const literally = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
