import { type Forgettable, forgettable } from '../base/lazy';
import { type LocatedTree, locatedTree } from './locate';
import { readDocument, readItemsAlone } from './reader/read';

/**
 * The tree of a document that has one. The functions of this file create closures without access to the trees that were
 * just read: those would keep the nodes of every document alive, although most objects never need a position.
 */
export function treeOf(text: string): Forgettable<LocatedTree> {
  return forgettable(() => treeIn(text));
}

/** The tree of a part of a text that is a document itself. */
export function treeOfPart(text: string, start: number, end: number): Forgettable<LocatedTree> {
  return forgettable(() => treeIn(text.slice(start, end)));
}

/** The tree of one item of a block sequence, by its extent: from its dash to the next line after it. */
export function treeOfItem(text: string, start: number, end: number, column: number): Forgettable<LocatedTree> {
  return forgettable(() => {
    const own = itemText(text, start, end, column);
    const root = readItemsAlone(own).root?.children[0];
    if (root === undefined) throw new Error('An item of a List that had a root is read without one.');
    return locatedTree(root, own);
  });
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
