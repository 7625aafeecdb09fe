import type { JsonObject } from '../base/json';
import type { Forgettable } from '../base/lazy';
import type { Span } from '../text/span';
import type { FieldPath } from './fieldPath';
import type { LocatedTree } from './locate';

/** A key written twice, in the document's own offsets. */
export interface RelativeDuplicate {
  readonly path: FieldPath;
  readonly key: string;
  readonly span: Span;
  readonly first: Span;
}

/** One object of a document, in offsets that count from where it was read. It is its own identity for caches. */
export interface ObjectContent {
  readonly value: JsonObject;
  readonly span: Span;
  /**
   * The tree for positions; read again on first use, as most objects are never asked for a position. It takes some 20 times
   * as much memory as its text, so that it is forgotten (`forgetTrees`) for files that nobody looks at.
   */
  readonly tree: Forgettable<LocatedTree>;
  /** Whether its own text says all of it: what else stands in the document can't make it another object. */
  readonly isApart: boolean;
}

/** An object with what must be added to its offsets to count from the start of its document. */
export interface PlacedObject {
  readonly content: ObjectContent;
  readonly offset: number;
  readonly item: number | undefined;
}
