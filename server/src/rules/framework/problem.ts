import type { Span, TextEdit } from '../../text/span';

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** Whose voice a problem speaks with; the words of the CLI's contract. */
export type Category = 'syntax' | 'decode' | 'apiserver' | 'dropped' | 'warning' | 'reference' | 'placement' | 'policy';

export interface FileEdit extends TextEdit {
  readonly uri: string;
}

/** A change that mends a problem. `safe`: the meaning the author surely wanted; `unsafe`: offered, never applied in bulk. */
export interface Fix {
  readonly title: string;
  readonly safety: 'safe' | 'unsafe';
  readonly edits: readonly FileEdit[];
  /** Files to make, by uri. */
  readonly newFiles?: readonly { readonly uri: string; readonly text: string }[];
}

export interface RelatedPlace {
  readonly uri: string;
  readonly span: Span;
  readonly message: string;
}

/** A problem ready to be shown: plain data, the same for editor, CLI and tests. */
export interface Problem {
  /** `room/name`, stable; `berth explain CODE` tells about it. */
  readonly code: string;
  readonly category: Category;
  readonly severity: Severity;
  /** Category apiserver: upstream's field.ErrorType; category decode: UnknownField | DuplicateField | TypeMismatch. */
  readonly errorType?: string;
  /** As the API server prints it, relative to the document's object. */
  readonly fieldPath?: string;
  readonly message: string;
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
  readonly related: readonly RelatedPlace[];
  readonly fixes: readonly Fix[];
  /** Page that tells more. */
  readonly url?: string;
  /** Rendered lighter in the editor: a field that has no effect. */
  readonly unnecessary?: true;
  /** Of a policy that users bring: whose it is. */
  readonly policy?: {
    readonly engine: string;
    readonly name: string;
    readonly rule?: string;
    readonly outcome: 'fail' | 'warn' | 'error';
  };
  /** The environments of berth.yaml in which it is so; absent where none are configured. */
  readonly environments?: readonly string[];
  /** Whoever wrote the files has silenced it, or a baseline knows it; only where somebody asks for these is it told at all. */
  readonly suppressed?: { readonly by: 'comment' | 'annotation' | 'baseline'; readonly reason?: string };
  /** It follows from another problem of the same object: editor and text output leave it out. */
  readonly follows?: true;
  /** So many other problems of the same code and severity in the file are counted and not listed. */
  readonly more?: number;
}
