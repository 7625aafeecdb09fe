import { type LocatedTree, locatedTree } from './locate';
import type { OwnTree } from './objectContent';
import { readDocument, readItemsAlone } from './reader/read';

/**
 * The tree of an object, which is read when a position is first needed, since most objects never need one. It is a class
 * because a List may have 200,000 items: a closure would keep what its function sees alive, which here are the nodes that
 * were just read, and takes more memory.
 */
class ObjectTree implements OwnTree {
  #made: LocatedTree | undefined;

  /** The extent of the object in a text; the column of its dash if it is an item of a block sequence. */
  constructor(
    private readonly whole: string,
    private readonly start: number,
    private readonly end: number,
    private readonly column?: number,
  ) {}

  get text(): string {
    if (this.column === undefined) return this.whole.slice(this.start, this.end);
    return itemText(this.whole, this.start, this.end, this.column);
  }

  get(): LocatedTree {
    this.#made ??= this.column === undefined ? treeIn(this.text) : treeOfItemText(this.text);
    return this.#made;
  }

  forget(): void {
    this.#made = undefined;
  }
}

/** The tree of a text that is a document with a root. */
export function treeOf(text: string): OwnTree {
  return new ObjectTree(text, 0, text.length);
}

/** The tree of a part of a text that is a document itself. */
export function treeOfPart(text: string, start: number, end: number): OwnTree {
  return new ObjectTree(text, start, end);
}

/** The tree of one item of a block sequence, by its extent: from its dash to the next line after it. */
export function treeOfItem(text: string, start: number, end: number, column: number): OwnTree {
  return new ObjectTree(text, start, end, column);
}

function treeOfItemText(text: string): LocatedTree {
  const root = readItemsAlone(text).root?.children[0];
  if (root === undefined) throw new Error('An item of a List that had a root is read without one.');
  return locatedTree(root, text);
}

/**
 * The text of items of a block sequence, from the first dash, which keeps its column, to the next line after them. It
 * begins with a line break, so that it is a string of its own: a slice would keep the whole document alive.
 */
export function itemText(text: string, start: number, end: number, column: number): string {
  return `\n${' '.repeat(column)}${text.slice(start, end)}`;
}

/** The difference between offsets in the text of items and those of the document. */
export function itemOffset(start: number, column: number): number {
  return start - column - 1;
}

function treeIn(text: string): LocatedTree {
  const { root } = readDocument(text);
  if (root === undefined) throw new Error('A document that had a root is read without one.');
  return locatedTree(root, text);
}
