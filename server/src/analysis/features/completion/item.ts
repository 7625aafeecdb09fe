import type { Segment } from '../../../manifest/fieldPath';
import type { Span, TextEdit } from '../../../text/span';

/** A completion item. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'choice' | 'reference' | 'label' | 'amount' | 'object';
  /** A short text next to the label. */
  readonly detail?: string;
  /** Markdown, if it is short; else see `field`. */
  readonly documentation?: string;
  /** The field whose documentation is computed on demand. */
  readonly field?: DescribedField;
  readonly span: Span;
  /** LSP snippet syntax, indented for the position. */
  readonly insert: string;
  /** The text that a client compares with the text of `span`. */
  readonly filter: string;
  /** Items are sorted by this, then by label. */
  readonly rank: number;
  readonly deprecated?: true;
  readonly preselect?: true;
  /** Whether completion should open again at the final caret. */
  readonly goesOn?: true;
  /** Edits elsewhere that belong to the item. */
  readonly edits?: readonly TextEdit[];
}

export interface DescribedField {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: readonly Segment[];
}

export interface Completion {
  readonly items: readonly CompletionItem[];
  /** Whether another letter may lead to items that a client cannot find by filtering. */
  readonly isIncomplete: boolean;
}

export const NO_COMPLETION: Completion = { items: [], isIncomplete: false };

/** Escapes text that is no snippet syntax. */
export const literally = (text: string): string => text.replace(/[\\$}]/g, '\\$&');
