import type { Span, TextEdit } from '../../text/span';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/**
 * Where a problem comes from: which part of Kubernetes, or Berth, would report it. These names are part of the CLI's
 * contract.
 */
export type Category =
  | 'syntax'
  | 'decode'
  | 'apiserver'
  | 'dropped'
  | 'warning'
  | 'reference'
  | 'placement'
  | 'known-issue'
  | 'policy';

export interface FileEdit extends TextEdit {
  readonly uri: string;
}

/**
 * A change that fixes a problem. `safe`: it does what the author surely meant; `unsafe`: offered, but never applied in
 * bulk.
 */
export interface Fix {
  readonly title: string;
  readonly safety: 'safe' | 'unsafe';
  readonly edits: readonly FileEdit[];
  /** Files to create, by uri. */
  readonly newFiles?: readonly { readonly uri: string; readonly text: string }[];
}

export interface RelatedLocation {
  readonly uri: string;
  readonly span: Span;
  readonly message: string;
}

/** A problem ready to be shown: plain data, the same for editor, CLI and tests. */
export interface Problem {
  /** `room/name`, stable; the argument of `berth explain`. */
  readonly code: string;
  readonly category: Category;
  readonly severity: Severity;
  /** Category apiserver: upstream's field.ErrorType; category decode: UnknownField | DuplicateField | TypeMismatch. */
  readonly errorType?: string;
  /** As the API server prints it, relative to the document's object. */
  readonly fieldPath?: string;
  /** All that is said, in one text; part of the CLI's contract. `layersOf` gives what people read. */
  readonly message: string;
  /** The short sentence and what stands behind it, if the rule tells them apart. */
  readonly headline?: string;
  readonly detail?: string;
  /** Where alone the problem is, as a clause that follows the headline in brackets: `overlay dev`. */
  readonly where?: string;
  readonly uri: string;
  readonly document?: number;
  readonly item?: number;
  readonly object?: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly span: Span;
  readonly related: readonly RelatedLocation[];
  readonly fixes: readonly Fix[];
  /** A page with more information. */
  readonly url?: string;
  /** A field without effect; the editor fades it. */
  readonly unnecessary?: true;
  /** The value is another one in whatever its environment deploys: this is no problem of that environment. */
  readonly isReplaced?: true;
  /** The users' policy that reports the problem, if one does. */
  readonly policy?: {
    readonly engine: string;
    readonly name: string;
    readonly rule?: string;
    readonly outcome: 'fail' | 'warn' | 'error';
  };
  /** The environments of berth.yaml that have the problem; absent if none are configured. */
  readonly environments?: readonly string[];
  /**
   * The overlays of a base in whose output alone the problem is, by name, and how many overlays the base has. `isOfFirst`: the
   * message tells the namespace of the first, and others have another one.
   */
  readonly overlays?: { readonly names: readonly string[]; readonly of: number; readonly isOfFirst?: boolean };
  /**
   * Set if a comment, an annotation or a baseline suppresses the problem. Such problems are reported only on request.
   */
  readonly suppressed?: { readonly by: 'comment' | 'annotation' | 'baseline'; readonly reason?: string };
  /** A consequence of another problem of the same object; editor and text output leave it out. */
  readonly follows?: true;
  /** How many other problems of the same code and severity in the file are counted but not listed. */
  readonly more?: number;
}
