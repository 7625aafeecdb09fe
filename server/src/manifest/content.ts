import type { Span } from '../text/span';
import type { FieldPath } from './fieldPath';
import { isObject } from './json';
import { lazy } from './lazy';
import { type LocatedTree, locatedTree } from './locate';
import type { JsonObject, JsonValue, SuppressionComment } from './manifest';
import type { Node } from './reader/node';
import { readDocument } from './reader/read';
import type { Found } from './reader/reading';
import { findSuppressions } from './suppressions';
import { buildValue, findDuplicates } from './values';

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
  /** The tree for positions; read again on first use, as most objects are never asked for a position. */
  readonly tree: () => LocatedTree;
}

/** An object with what must be added to its offsets to count from the start of its document. */
export interface PlacedObject {
  readonly content: ObjectContent;
  readonly offset: number;
  readonly item: number | undefined;
}

/** Where the items of a block-style List stand, for reading one of them again alone. */
export interface ListLayout {
  /** Offsets of the dashes in the document. */
  readonly dashes: readonly number[];
  readonly column: number;
  /** Whether the items are the last thing in the document. */
  readonly isLast: boolean;
}

/** Everything known of one document from its text alone, wherever it stands in its file. */
export interface DocumentContent {
  readonly text: string;
  readonly value: JsonValue | undefined;
  readonly problems: readonly Found[];
  readonly duplicates: readonly RelativeDuplicate[];
  readonly suppressions: readonly SuppressionComment[];
  readonly objects: readonly PlacedObject[];
  readonly list: ListLayout | undefined;
}

/** Reads one document's text. Never throws. */
export function readContent(text: string): DocumentContent {
  const { root, problems, comments, hasAnchors } = readDocument(text);
  const suppressions = findSuppressions(text, comments);
  if (root === undefined) {
    return { text, value: undefined, problems, duplicates: [], suppressions, objects: [], list: undefined };
  }
  const { value, hasDuplicates } = buildValue(root, problems);
  const duplicates = hasDuplicates ? duplicatesOf(root) : [];
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const objects = objectsOf(text, value, root);
  const isSimple = problems.length === 0 && !hasAnchors && suppressions.length === 0;
  const list = isSimple && objects[0]?.item !== undefined ? layoutOf(text, root, objects.length) : undefined;
  return { text, value, problems, duplicates, suppressions, objects, list };
}

export function duplicatesOf(root: Node): RelativeDuplicate[] {
  return findDuplicates(root).map(({ path, key, key2, first }) => ({
    path,
    key,
    span: { start: key2.start, end: key2.end },
    first: { start: first.start, end: first.end },
  }));
}

function objectsOf(text: string, value: JsonValue, root: Node): PlacedObject[] {
  if (!isObject(value)) return [];
  const tree = treeOf(text);
  const items = listItems(value);
  if (items === undefined) {
    return [{ content: { value, span: { start: root.start, end: root.end }, tree }, offset: 0, item: undefined }];
  }
  const nodes = itemNodes(root);
  return items.flatMap((item, i) => {
    if (!isObject(item)) return [];
    const node = nodes?.children[i] ?? root;
    const content = { value: item, span: { start: node.start, end: node.end }, tree: treeOfItem(tree, i) };
    return [{ content, offset: 0, item: i }];
  });
}

/**
 * The tree of a document that has one. It is made here, out of reach of the tree that was just read: a closure beside
 * that one would keep the nodes of every document alive, and most objects are never asked for a position.
 */
function treeOf(text: string): () => LocatedTree {
  return lazy(() => {
    const { root } = readDocument(text);
    if (root === undefined) throw new Error('A document that had a root is read without one.');
    return locatedTree(root, text);
  });
}

function treeOfItem(tree: () => LocatedTree, i: number): () => LocatedTree {
  return lazy(() => {
    const whole = tree();
    return { ...whole, root: itemNodes(whole.root)?.children[i] ?? whole.root };
  });
}

/** The items when a value is a List (`kind: List`, PodList and so on). */
export function listItems(value: JsonObject): readonly JsonValue[] | undefined {
  const { kind, items } = value;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}

/** The sequence node of `items`. */
function itemNodes(root: Node): Node | undefined {
  const map = followed(root);
  for (let i = map.children.length - 2; i >= 0 && map.kind === 'map'; i -= 2) {
    const key = map.children[i]!;
    const node = followed(map.children[i + 1]!);
    if (key.text === 'items' && node.kind === 'seq') return node;
  }
  return undefined;
}

function followed(node: Node): Node {
  return node.target ?? node;
}

function layoutOf(text: string, root: Node, count: number): ListLayout | undefined {
  const nodes = itemNodes(root);
  if (nodes === undefined || nodes.column < 0 || nodes.dashes.length !== count) return undefined;
  const isLast = nodes === root.children.at(-1) && text.slice(root.end).trim() === '';
  return { dashes: nodes.dashes, column: nodes.column, isLast };
}
