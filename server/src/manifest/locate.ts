import type { Span } from '../text/span';
import { FieldPath, type Segment, type SpanPart } from './fieldPath';
import type { YamlNode } from './reader/node';
import { startOfLine } from './reader/reading';
import { fieldName, isMergeKey } from './values';

/** An object's tree with the text that its offsets refer to. */
export interface LocatedTree {
  readonly root: YamlNode;
  readonly text: string;
  /** Indexes of the fields of large mappings, built on demand. */
  readonly fields: Map<YamlNode, FieldIndex>;
}

/** The index of each key among the children of a mapping (the last one of a name), and those of `<<`. */
interface FieldIndex {
  readonly names: ReadonlyMap<string, number>;
  readonly merges: readonly number[];
}

export function locatedTree(root: YamlNode, text: string): LocatedTree {
  return { root, text, fields: new Map() };
}

/** A field as written: its value, its key if it is in a mapping, and the start of its list item. */
interface WrittenField {
  readonly value: YamlNode;
  readonly key: YamlNode | undefined;
  readonly itemStart: number;
}

const MAX_MERGES = 20;

/** See ManifestObject.spanOf; the offsets are the tree's own. */
export function spanOf(tree: LocatedTree, path: FieldPath, part: SpanPart): Span {
  const { place, isWhole } = find(tree, path.segments);
  if (place === undefined) return spanOfRoot(tree);
  return spanOfField(place, isWhole ? part : 'key');
}

/** Whether the whole path is written. */
export function has(tree: LocatedTree, path: FieldPath): boolean {
  return find(tree, path.segments).isWhole;
}

function find(
  tree: LocatedTree,
  segments: readonly Segment[],
): { readonly place: WrittenField | undefined; readonly isWhole: boolean } {
  let place: WrittenField | undefined;
  let node = tree.root;
  for (const segment of segments) {
    const next = step(tree, follow(node), segment);
    if (next === undefined) return { place, isWhole: false };
    place = next;
    node = next.value;
  }
  return { place, isWhole: true };
}

function follow(node: YamlNode): YamlNode {
  return node.kind === 'alias' && node.target !== undefined ? node.target : node;
}

function step(tree: LocatedTree, node: YamlNode, segment: Segment): WrittenField | undefined {
  if (typeof segment === 'number') {
    const value = node.kind === 'seq' ? node.children[segment] : undefined;
    return value === undefined ? undefined : { value, key: undefined, itemStart: node.dashes[segment] ?? value.start };
  }
  if (node.kind !== 'map') return undefined;
  return field(tree, node, typeof segment === 'string' ? segment : segment.key, 0);
}

/** The field with a name: the last one that is written, or one that is merged in by `<<`. */
function field(tree: LocatedTree, node: YamlNode, name: string, merges: number): WrittenField | undefined {
  const { children } = node;
  if (children.length > LARGE) return indexedField(tree, node, name, merges);
  for (let i = children.length - 2; i >= 0; i -= 2) {
    const key = children[i]!;
    if (isMergeKey(key)) {
      const merged = mergedField(tree, follow(children[i + 1]!), name, merges + 1);
      if (merged !== undefined) return merged;
    } else if (fieldName(key) === name) return { value: children[i + 1]!, key, itemStart: -1 };
  }
  return undefined;
}

/** Mappings with more nodes are indexed. */
const LARGE = 64;

function indexedField(tree: LocatedTree, node: YamlNode, name: string, merges: number): WrittenField | undefined {
  const index = tree.fields.get(node) ?? fieldIndexOf(node);
  tree.fields.set(node, index);
  const { children } = node;
  const own = index.names.get(name) ?? -1;
  for (const i of index.merges) {
    if (i < own) break;
    const merged = mergedField(tree, follow(children[i + 1]!), name, merges + 1);
    if (merged !== undefined) return merged;
  }
  return own < 0 ? undefined : { value: children[own + 1]!, key: children[own], itemStart: -1 };
}

/** Merges are in reverse order, in which they are searched. */
function fieldIndexOf({ children }: YamlNode): FieldIndex {
  const names = new Map<string, number>();
  const merges: number[] = [];
  for (let i = children.length - 2; i >= 0; i -= 2) {
    const key = children[i]!;
    if (isMergeKey(key)) {
      merges.push(i);
      continue;
    }
    const name = fieldName(key);
    if (name !== undefined && !names.has(name)) names.set(name, i);
  }
  return { names, merges };
}

function mergedField(tree: LocatedTree, source: YamlNode, name: string, merges: number): WrittenField | undefined {
  if (merges > MAX_MERGES) return undefined;
  if (source.kind === 'map') return field(tree, source, name, merges);
  for (const item of source.children) {
    const found = follow(item).kind === 'map' ? field(tree, follow(item), name, merges) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function spanOfField({ key, value, itemStart }: WrittenField, part: SpanPart): Span {
  if (key === undefined) return spanOfItem(value, itemStart, part);
  if (part === 'key') return spanOfNode(key);
  if (part === 'value') return spanOfNode(value.start === value.end ? { start: value.end, end: value.end } : value);
  return { start: key.start, end: Math.max(value.end, key.end) };
}

/** A list item has no key: its first key counts as one, or the whole item if it is not a mapping. */
function spanOfItem(value: YamlNode, itemStart: number, part: SpanPart): Span {
  if (part === 'entry') return { start: Math.min(itemStart, value.start), end: Math.max(value.end, itemStart + 1) };
  if (part === 'key' && value.kind === 'map' && value.children.length > 0) return spanOfNode(value.children[0]!);
  return value.start === value.end ? { start: itemStart, end: Math.max(value.end, itemStart) } : spanOfNode(value);
}

function spanOfNode({ start, end }: Span): Span {
  return { start, end };
}

function spanOfRoot(tree: LocatedTree): Span {
  const { root } = tree;
  const kind = root.kind === 'map' ? field(tree, root, 'kind', 0) : undefined;
  if (kind !== undefined && kind.value.end > kind.value.start) return spanOfNode(kind.value);
  if (kind?.key !== undefined) return spanOfNode(kind.key);
  const first = root.children[0];
  return spanOfNode(first ?? root);
}

export interface PathAt {
  readonly path: FieldPath;
  readonly part: SpanPart;
}

/**
 * The innermost field at an offset. On blank lines and after a line's end the column decides, so that a position where
 * something is about to be typed belongs to the mapping or list that has lines in this column.
 */
export function pathAt({ root, text }: LocatedTree, offset: number): PathAt {
  const segments: (string | number)[] = [];
  const column = offset - startOfLine(text, offset);
  let node = root;
  for (;;) {
    const next = node.kind === 'map' ? enterMap(node, text, offset, column) : enterSequence(node, text, offset, column);
    if (next === undefined) return { path: FieldPath.of(...segments), part: 'value' };
    segments.push(next.segment);
    if (next.part === 'key') return { path: FieldPath.of(...segments), part: 'key' };
    node = next.value;
  }
}

interface Entered {
  readonly segment: string | number;
  readonly part: 'key' | 'value';
  readonly value: YamlNode;
}

function enterMap(node: YamlNode, text: string, offset: number, column: number): Entered | undefined {
  const { children } = node;
  const i = lastAtOrBefore(children, 2, offset);
  if (i < 0) return undefined;
  const key = children[i]!;
  const value = children[i + 1]!;
  const segment = fieldName(key);
  if (segment === undefined) return undefined;
  if (offset <= key.end) return { segment, part: 'key', value };
  return isWithin(node, key.start, value, text, offset, column) ? { segment, part: 'value', value } : undefined;
}

function enterSequence(node: YamlNode, text: string, offset: number, column: number): Entered | undefined {
  if (node.kind !== 'seq') return undefined;
  const { children, dashes } = node;
  const i = dashes.length > 0 ? lastDash(dashes, offset) : lastAtOrBefore(children, 1, offset);
  if (i < 0) return undefined;
  const value = children[i]!;
  const start = dashes[i] ?? value.start;
  return isWithin(node, start, value, text, offset, column) ? { segment: i, part: 'value', value } : undefined;
}

/** Whether an offset after the start of an entry belongs to it rather than to the enclosing collection. */
function isWithin(
  node: YamlNode,
  start: number,
  value: YamlNode,
  text: string,
  offset: number,
  column: number,
): boolean {
  if (offset <= value.end) return true;
  if (node.column < 0) return text.slice(value.end, offset).trim() === '' && value.start === value.end;
  if (column > node.column && text.slice(value.end, offset).trim() === '') return true;
  if (column > node.column) return true;
  return startOfLine(text, offset) <= Math.max(start, value.start === value.end ? value.end : 0);
}

function lastAtOrBefore(nodes: readonly YamlNode[], stride: number, offset: number): number {
  let low = -1;
  let high = nodes.length / stride - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (nodes[middle * stride]!.start <= offset) low = middle;
    else high = middle - 1;
  }
  return low < 0 ? -1 : low * stride;
}

function lastDash(dashes: readonly number[], offset: number): number {
  let low = -1;
  let high = dashes.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (dashes[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
