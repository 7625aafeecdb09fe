import type { Span } from '../text/span';
import { FieldPath, type Segment } from './fieldPath';
import type { SpanPart } from './manifest';
import type { Node } from './reader/node';
import { fieldName, isMergeKey } from './values';

/** An object's tree with the text that its offsets count in. */
export interface LocatedTree {
  readonly root: Node;
  readonly text: string;
}

/** A field as it is written: its value, its key when it is a field of a mapping, where its list item begins. */
interface Place {
  readonly value: Node;
  readonly key: Node | undefined;
  readonly itemStart: number;
}

const MAX_MERGES = 20;

/** See ManifestObject.spanOf; offsets are the tree's own. */
export function spanOf(tree: LocatedTree, path: FieldPath, part: SpanPart): Span {
  const { place, isWhole } = find(tree.root, path.segments);
  if (place === undefined) return spanOfRoot(tree.root);
  return spanOfPlace(place, isWhole ? part : 'key');
}

/** Whether the whole path is written. */
export function has(tree: LocatedTree, path: FieldPath): boolean {
  return find(tree.root, path.segments).isWhole;
}

function find(
  root: Node,
  segments: readonly Segment[],
): { readonly place: Place | undefined; readonly isWhole: boolean } {
  let place: Place | undefined;
  let node = root;
  for (const segment of segments) {
    const next = step(follow(node), segment, 0);
    if (next === undefined) return { place, isWhole: false };
    place = next;
    node = next.value;
  }
  return { place, isWhole: true };
}

function follow(node: Node): Node {
  return node.kind === 'alias' && node.target !== undefined ? node.target : node;
}

function step(node: Node, segment: Segment, merges: number): Place | undefined {
  if (typeof segment === 'number') {
    const value = node.kind === 'seq' ? node.children[segment] : undefined;
    return value === undefined ? undefined : { value, key: undefined, itemStart: node.dashes[segment] ?? value.start };
  }
  if (node.kind !== 'map') return undefined;
  return field(node, typeof segment === 'string' ? segment : segment.key, merges);
}

/** The field of a name: the last one written, or one that is merged in by `<<`. */
function field(node: Node, name: string, merges: number): Place | undefined {
  const { children } = node;
  for (let i = children.length - 2; i >= 0; i -= 2) {
    const key = children[i]!;
    if (isMergeKey(key)) {
      const merged = mergedField(follow(children[i + 1]!), name, merges + 1);
      if (merged !== undefined) return merged;
    } else if (fieldName(key) === name) return { value: children[i + 1]!, key, itemStart: -1 };
  }
  return undefined;
}

function mergedField(source: Node, name: string, merges: number): Place | undefined {
  if (merges > MAX_MERGES) return undefined;
  if (source.kind === 'map') return field(source, name, merges);
  for (const item of source.children) {
    const found = follow(item).kind === 'map' ? field(follow(item), name, merges) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function spanOfPlace({ key, value, itemStart }: Place, part: SpanPart): Span {
  if (key === undefined) return spanOfItem(value, itemStart, part);
  if (part === 'key') return spanOfNode(key);
  if (part === 'value') return spanOfNode(value.start === value.end ? { start: value.end, end: value.end } : value);
  return { start: key.start, end: Math.max(value.end, key.end) };
}

/** A list item has no key: its first key, or the item itself when it is no mapping, stands for one. */
function spanOfItem(value: Node, itemStart: number, part: SpanPart): Span {
  if (part === 'entry') return { start: Math.min(itemStart, value.start), end: Math.max(value.end, itemStart + 1) };
  if (part === 'key' && value.kind === 'map' && value.children.length > 0) return spanOfNode(value.children[0]!);
  return value.start === value.end ? { start: itemStart, end: Math.max(value.end, itemStart) } : spanOfNode(value);
}

function spanOfNode({ start, end }: Span): Span {
  return { start, end };
}

function spanOfRoot(root: Node): Span {
  const kind = root.kind === 'map' ? field(root, 'kind', 0) : undefined;
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
 * The innermost field at an offset. On blank lines and after a line's end the column decides, so that a place where
 * something is about to be typed belongs to the mapping or list whose lines stand there.
 */
export function pathAt({ root, text }: LocatedTree, offset: number): PathAt {
  const segments: (string | number)[] = [];
  const column = offset - lineStartOf(text, offset);
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
  readonly value: Node;
}

function enterMap(node: Node, text: string, offset: number, column: number): Entered | undefined {
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

function enterSequence(node: Node, text: string, offset: number, column: number): Entered | undefined {
  if (node.kind !== 'seq') return undefined;
  const { children, dashes } = node;
  const i = dashes.length > 0 ? lastDash(dashes, offset) : lastAtOrBefore(children, 1, offset);
  if (i < 0) return undefined;
  const value = children[i]!;
  const start = dashes[i] ?? value.start;
  return isWithin(node, start, value, text, offset, column) ? { segment: i, part: 'value', value } : undefined;
}

/** Whether an offset after the start of an entry still belongs to it, rather than to the collection around. */
function isWithin(node: Node, start: number, value: Node, text: string, offset: number, column: number): boolean {
  if (offset <= value.end) return true;
  if (node.column < 0) return text.slice(value.end, offset).trim() === '' && value.start === value.end;
  if (column > node.column && text.slice(value.end, offset).trim() === '') return true;
  if (column > node.column) return true;
  return lineStartOf(text, offset) <= Math.max(start, value.start === value.end ? value.end : 0);
}

function lastAtOrBefore(nodes: readonly Node[], stride: number, offset: number): number {
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

function lineStartOf(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== 10 && text.charCodeAt(at - 1) !== 13) at--;
  return at;
}
