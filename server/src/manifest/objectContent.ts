import type { JsonObject } from '../base/json';
import type { Forgettable } from '../base/lazy';
import type { Span } from '../text/span';
import type { FieldPath } from './fieldPath';
import type { LocatedTree } from './locate';

/** A key that is written twice, with offsets of the document. */
export interface RelativeDuplicate {
  readonly path: FieldPath;
  readonly key: string;
  readonly span: Span;
  readonly first: Span;
}

/** One object of a document, with offsets relative to where it was read. It is its own identity for caches. */
export interface ObjectContent {
  readonly value: JsonObject;
  readonly span: Span;
  /**
   * The tree for positions; it is read again on demand, since most objects never need one. A tree takes about 20 times
   * as much memory as its text, so `forgetTrees` drops those of files that are not in use.
   */
  readonly tree: OwnTree;
  /** Whether its own text defines it completely: the rest of the document cannot change it. */
  readonly isApart: boolean;
  /** Its own text where that and the kind of its List define it completely. */
  readonly ownText?: string;
}

export interface OwnTree extends Forgettable<LocatedTree> {
  /** The text that the tree is read from. */
  readonly text: string;
}

/** An object with the difference between its offsets and those of its document. */
export interface PlacedObject {
  readonly content: ObjectContent;
  readonly offset: number;
  readonly item: number | undefined;
}
