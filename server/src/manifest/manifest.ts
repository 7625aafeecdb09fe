import type { JsonObject, JsonValue } from '../base/json';
import type { Span } from '../text/span';
import type { FieldPath, SpanPart } from './fieldPath';

/**
 * An error or warning about the text itself. `code` is `syntax/NAME`, for example `syntax/yaml`, `syntax/alias-limit`.
 */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  /** Offsets into the file. */
  readonly span: Span;
  readonly severity: 'error' | 'warning';
  /** How many other problems of the same code in the document are counted but not listed. */
  readonly more?: number;
}

/** A key that is written twice in one mapping. The last one wins, as in upstream's non-strict decoding. */
export interface DuplicateKey {
  /** Path of the key within the document's value, not within an item. */
  readonly path: FieldPath;
  readonly key: string;
  readonly span: Span;
  readonly first: Span;
}

/** `# berth-ignore CODE: reason` on the line above its target. */
export interface SuppressionComment {
  readonly code: string;
  readonly reason: string;
  readonly span: Span;
  /** The line below the comment (or the comment's own line if it is at the end of one), as a span of the file. */
  readonly target: Span;
}

/**
 * One object of a document: the document's value, or one item of a `kind: List`. An immutable value. `contentId` is
 * equal for two objects exactly if one was reused unchanged from an earlier parse (their text may have moved), so it is
 * a key for caches of anything that is relative to the object.
 */
export interface ManifestObject {
  readonly uri: string;
  /** Index of the document in its file, from 0, empty documents counted. */
  readonly document: number;
  /** Index in `items`, for an item of a List only. */
  readonly item?: number | undefined;
  /** The text that, with its kind, defines the object completely; absent if other parts of its document do, too. */
  readonly text?: string | undefined;
  readonly value: JsonObject;
  readonly contentId: object;
  readonly span: Span;
  /**
   * The span to underline for a finding at `path` (relative to this object): the key, the value, or both together. For
   * a missing field it is the key of its nearest present parent, for the root the value of the `kind` line.
   */
  spanOf(path: FieldPath, part: SpanPart): Span;
  /** The path of the innermost field at an offset of the file, and whether the offset is on its key or its value. */
  pathAt(offset: number): { readonly path: FieldPath; readonly part: SpanPart } | undefined;
  /** Whether the field is written in the text. */
  has(path: FieldPath): boolean;
  /** The written fields and items, in the order of the text. */
  entries(): readonly Entry[];
}

export interface ManifestDocument {
  readonly index: number;
  /** From after the `---` line (or the file's start) to the next `---` (or the file's end). */
  readonly span: Span;
  /** undefined for an empty document, or one whose root could not be read at all. */
  readonly value: JsonValue | undefined;
  readonly problems: readonly SyntaxProblem[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly suppressions: readonly SuppressionComment[];
  /** One, or one for each item of a List, or none if the document is not a mapping. */
  readonly objects: readonly ManifestObject[];
}

/** One file at one version. Parsing never throws: broken text gives documents and problems. */
export interface ManifestFile {
  readonly uri: string;
  readonly text: string;
  readonly format: 'yaml' | 'json';
  readonly documents: readonly ManifestDocument[];
  /** Problems of the file as a whole (binary, too large, too deep). */
  readonly problems: readonly SyntaxProblem[];
}

/** A field of a mapping or an item of a list, as it is written; fields that are merged in by `<<` are left out. */
export interface Entry {
  /** The field's name, or the index of the item. */
  readonly name: string | number;
  /** Key and value together; an item with its dash. */
  readonly span: Span;
  /** The key; for an item, its first key, or the item itself. */
  readonly key: Span;
  /** The value after the key, with its quotes. */
  readonly value: Span;
  readonly kind: 'mapping' | 'list' | 'scalar';
  /** The content of a scalar, '' for the others. */
  readonly text: string;
  readonly children: readonly Entry[];
}
