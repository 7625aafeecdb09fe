import type { JsonObject, JsonValue } from '../base/json';
import type { Span } from '../text/span';
import type { FieldPath, SpanPart } from './fieldPath';

/** Something wrong with the text itself. `code` is `syntax/NAME`, for example `syntax/yaml`, `syntax/alias-limit`. */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  /** Offsets into the file. */
  readonly span: Span;
  readonly severity: 'error' | 'warning';
  /** So many others of the same code in the document are counted and not listed. */
  readonly more?: number;
}

/** A key written twice in one mapping. The last one wins, as in upstream's non-strict decoding. */
export interface DuplicateKey {
  /** Path of the key within the document's value (segments, not yet within an item). */
  readonly path: FieldPath;
  readonly key: string;
  readonly span: Span;
  readonly first: Span;
}

/** `# berth-ignore CODE: reason` on the line above what it silences. */
export interface SuppressionComment {
  readonly code: string;
  readonly reason: string;
  readonly span: Span;
  /** The line below the comment (or the comment's own line when it stands at the end of one), as a span of the file. */
  readonly target: Span;
}

/**
 * One object of a document: the document's value, or one item of a `kind: List`. A value; never mutated.
 * `contentId` is equal for two objects exactly when one was carried over unchanged from an earlier parse (their text
 * may have moved), so it is a key for caches of anything that is relative to the object.
 */
export interface ManifestObject {
  readonly uri: string;
  /** Index of the document in its file, from 0, empty documents counted. */
  readonly document: number;
  /** Index in `items`, for an item of a List only. */
  readonly item?: number;
  /** Of an object that is a whole document: the text of that document. */
  readonly text?: string;
  readonly value: JsonObject;
  readonly contentId: object;
  readonly span: Span;
  /**
   * The span a finding at `path` (relative to this object) should underline: the key, the value, or key and value
   * together. A missing field gives the key of its nearest present parent; the root gives the `kind` line's value.
   */
  spanOf(path: FieldPath, part: SpanPart): Span;
  /** The path of the innermost field at an offset of the file, and whether the offset is on its key or its value. */
  pathAt(offset: number): { readonly path: FieldPath; readonly part: SpanPart } | undefined;
  /** Whether the field is written in the text. */
  has(path: FieldPath): boolean;
  /** What is written, in the order of the text. */
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
  /** One, or one per item of a List, or none when the document holds no mapping. */
  readonly objects: readonly ManifestObject[];
}

/** One file at one version. Parsing never throws: broken text gives documents plus problems. */
export interface ManifestFile {
  readonly uri: string;
  readonly text: string;
  readonly format: 'yaml' | 'json';
  readonly documents: readonly ManifestDocument[];
  /** Problems of the file as a whole (binary, too large, too deep). */
  readonly problems: readonly SyntaxProblem[];
}

/** A field of a mapping or an item of a list, as it is written; fields that are merged in by `<<` are not. */
export interface Entry {
  /** The field's name, or the index of the item. */
  readonly name: string | number;
  /** Key and value together; an item with its dash. */
  readonly span: Span;
  /** The key; of an item, what stands for one: its first key, or itself. */
  readonly key: Span;
  /** What stands behind the key, its quotes with it. */
  readonly value: Span;
  readonly kind: 'mapping' | 'list' | 'scalar';
  /** The content of a scalar, '' for the others. */
  readonly text: string;
  readonly children: readonly Entry[];
}
