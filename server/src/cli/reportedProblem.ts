import type { Category, Problem, Severity } from '../rules/framework/problem';
import type { LinePosition } from '../text/lineIndex';

export interface Range {
  readonly start: LinePosition;
  readonly end: LinePosition;
}

/** A fix with what it writes. */
export interface ReportedFix {
  readonly title: string;
  readonly safety: 'safe' | 'unsafe';
  readonly edits: readonly { readonly path: string; readonly range: Range; readonly newText: string }[];
}

/** A problem in the words of the CLI's contract. */
export interface ReportedProblem {
  readonly code: string;
  readonly category: Category;
  readonly severity: Severity;
  readonly errorType?: string;
  readonly fieldPath?: string;
  /** All that is said, in one text. */
  readonly message: string;
  /** The short sentence of it that people read first. */
  readonly headline: string;
  /** What stands behind the headline, if anything does: the server's own words, versions, more. */
  readonly detail?: string;
  readonly path: string;
  readonly document: number;
  readonly item?: number;
  readonly object?: NonNullable<Problem['object']>;
  readonly range: Range;
  readonly related: readonly { readonly path: string; readonly range: Range; readonly message: string }[];
  readonly fixes: readonly { readonly title: string; readonly safety: 'safe' | 'unsafe' }[];
  readonly url?: string;
  readonly suppressed?: NonNullable<Problem['suppressed']>;
  /** It follows from another problem that is reported, too. */
  readonly follows?: true;
  /** So many other problems of the same code and severity in the file are counted and not listed. */
  readonly more?: number;
}
