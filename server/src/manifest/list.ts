import { isObject, type JsonObject, type JsonValue } from '../base/json';
import type { LocatedTree } from './locate';
import type { SuppressionComment } from './manifest';
import type { ObjectContent, OwnTree, PlacedObject } from './objectContent';
import type { YamlNode } from './reader/node';
import type { ReadDocument } from './reader/read';
import type { ProblemLog } from './reader/reading';
import { itemOffset, treeOf, treeOfItem, treeOfPart } from './trees';

/** The layout of a block-style List, for reading single items again. */
export interface ListLayout {
  /** Offsets of the dashes in the document. */
  readonly dashes: readonly number[];
  readonly column: number;
  /** Offset of the line after the last item, or the end of the document. */
  readonly end: number;
  /** Whether nothing in the document affects more than one item: no anchor, no tab, no control character. */
  readonly mayReadAlone: boolean;
  /** Offsets of all comments of the document, if some of them suppress problems. */
  readonly comments: readonly number[];
}

export type ItemPositions = Omit<ListLayout, 'mayReadAlone' | 'comments'>;

/** The items of a List (`kind: List`, PodList and so on). */
export function listItems(value: JsonObject): readonly JsonValue[] | undefined {
  const { kind, items } = value;
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items) ? items : undefined;
}

/**
 * The items of a list of one kind, such as RoleList, each with the list's version and kind where it has neither; the same
 * array where that concerns none. Upstream: unstructuredJSONScheme.decodeToList, which kubectl reads files with.
 */
export function itemsWithKinds({ apiVersion, kind }: JsonObject, items: readonly JsonValue[]): readonly JsonValue[] {
  const itemKind = typeof kind === 'string' ? kind.slice(0, -'List'.length) : '';
  if (itemKind === '' || typeof apiVersion !== 'string' || !items.some(hasNoKind)) return items;
  return items.map(it => (hasNoKind(it) ? { ...(it as JsonObject), apiVersion, kind: itemKind } : it));
}

function hasNoKind(item: JsonValue): boolean {
  return isObject(item) && isEmpty(item.apiVersion) && isEmpty(item.kind);
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '';
}

/** The items of a List as they are written, and as kubectl reads them. */
interface Items {
  readonly written: readonly JsonValue[];
  readonly items: readonly JsonValue[];
}

/** undefined for a List in flow style, and if the items are not below their key. */
export function layoutOf(
  document: ReadDocument,
  root: YamlNode,
  { written, items }: Items,
  suppressions: readonly SuppressionComment[],
): ListLayout | undefined {
  const nodes = itemNodes(root);
  if (nodes === undefined || nodes.column < 0 || nodes.dashes.length !== items.length) return undefined;
  const end = document.ends.get(nodes);
  if (end === undefined) return undefined;
  const { hasAnchors, hasTabs, problems } = document;
  const mayReadAlone =
    items === written && !hasAnchors && !hasTabs && problems.every(it => it.code !== 'syntax/control-character');
  const comments = suppressions.length === 0 ? [] : document.comments;
  return { dashes: nodes.dashes, column: nodes.column, end, mayReadAlone, comments };
}

/** The start of the line of the next item, or of the text after the last one. */
export function endOfItem({ dashes, column, end }: ItemPositions, i: number): number {
  const next = dashes[i + 1];
  return next === undefined ? end : next - column;
}

interface ReadList extends ReadDocument {
  readonly root: YamlNode;
  readonly layout: ListLayout | undefined;
}

/** The objects in a List. */
export function listObjects(text: string, { written, items }: Items, list: ReadList): PlacedObject[] {
  const nodes = itemNodes(list.root);
  const whole = treeOf(text);
  const read = { ...list, unclosed: list.problems.filter(isUnclosed).map(it => it.start) };
  const objects: PlacedObject[] = [];
  for (const [item, value] of items.entries()) {
    if (!isObject(value)) continue;
    const node = nodes?.children[item] ?? list.root;
    const apart = nodes && apartObject(text, { value, node, item }, read);
    if (apart !== undefined && value === written[item]) {
      objects.push(apart);
      continue;
    }
    const span = { start: node.start, end: node.end };
    const content = { value, span, tree: new ItemInTree(whole, item), isApart: false };
    const ownText = apart && isObject(written[item]) ? apart.content.tree.text : undefined;
    objects.push({ content: ownText === undefined ? content : { ...content, ownText }, offset: 0, item });
  }
  return objects;
}

/** Whether a closing quote or bracket is missing; the reader searched for it in the text that follows. */
export function isUnclosed({ code }: { readonly code: string }): boolean {
  return code === 'syntax/unclosed';
}

/** Problems that depend on more text than that of an item or a part, or of which a document reports only the first. */
export function dependsOnOthers(problem: ProblemLog): boolean {
  return isUnclosed(problem) || problem.code === 'syntax/control-character' || problem.code === 'syntax/alias';
}

/** An item that is an object. */
interface Item {
  readonly value: JsonObject;
  readonly node: YamlNode;
  /** Its index. */
  readonly item: number;
}

function apartObject(
  text: string,
  read: Item,
  { layout, hasAnchors, hasTabs, problems, unclosed }: ReadList & { readonly unclosed: readonly number[] },
): PlacedObject | undefined {
  const { node, item } = read;
  if (hasAnchors && usesAnchors(node)) return undefined;
  if (layout === undefined) {
    const isOwn = problems.length === 0 && !hasTabs && text[node.start] === '{';
    return isOwn ? placed(read, treeOfPart(text, node.start, node.end), node.start) : undefined;
  }
  const start = layout.dashes[item]!;
  const end = endOfItem(layout, item);
  if (unclosed.some(it => it >= start && it < end)) return undefined;
  return hasTabs && text.slice(start, end).includes('\t') ? undefined : blockObject(text, read, layout);
}

/** The object of a block sequence's item whose own text defines it completely. */
export function blockObject(text: string, read: Item, places: ItemPositions): PlacedObject {
  const { item } = read;
  const { dashes, column } = places;
  const start = dashes[item]!;
  return placed(read, treeOfItem(text, start, endOfItem(places, item), column), itemOffset(start, column));
}

function placed({ value, node, item }: Item, tree: ObjectContent['tree'], offset: number): PlacedObject {
  const span = { start: node.start - offset, end: node.end - offset };
  return { content: { value, span, tree, isApart: true }, offset, item };
}

function usesAnchors({ kind, anchor, children }: YamlNode): boolean {
  return kind === 'alias' || anchor !== '' || children.some(usesAnchors);
}

/** The tree of an item, as a part of the tree of the whole document, which its items share. */
class ItemInTree implements OwnTree {
  #made: LocatedTree | undefined;

  constructor(
    private readonly whole: OwnTree,
    private readonly item: number,
  ) {}

  get text(): string {
    return this.whole.text;
  }

  get(): LocatedTree {
    this.#made ??= this.made();
    return this.#made;
  }

  private made(): LocatedTree {
    const tree = this.whole.get();
    return { ...tree, root: itemNode(tree.root, this.item) };
  }

  forget(): void {
    this.#made = undefined;
    this.whole.forget();
  }
}

/** The node of an item; the root for an item that is not written there, such as one that is merged in. */
export function itemNode(root: YamlNode, item: number): YamlNode {
  return itemNodes(root)?.children[item] ?? root;
}

/** The sequence node of `items`. */
function itemNodes(root: YamlNode): YamlNode | undefined {
  const map = followed(root);
  for (let i = map.children.length - 2; i >= 0 && map.kind === 'map'; i -= 2) {
    const key = map.children[i]!;
    const node = followed(map.children[i + 1]!);
    if (key.text === 'items' && node.kind === 'seq') return node;
  }
  return undefined;
}

function followed(node: YamlNode): YamlNode {
  return node.target ?? node;
}
