import type { Span } from '../text/span';
import type { YamlNode } from './reader/node';
import type { ReadDocument } from './reader/read';
import { LF, type ProblemLog, SPACE } from './reader/reading';
import { fieldName, isMergeKey, KEY_TYPE } from './values';

/**
 * Successive entries of one block mapping whose text alone says what they are. The span is one of the document: from the
 * line of the first key to the line after the last entry, or to the end of the document.
 */
export interface DocumentPart extends Span {
  /** Of the mapping. */
  readonly path: readonly (string | number)[];
  readonly column: number;
  /** The names of the entries. */
  readonly names: readonly string[];
}

/** A shorter document is read again as a whole. */
const SHORTEST_DOCUMENT = 4_000;
/** A part ends with the entry that makes it as long as this; a longer entry is divided. In characters. */
const PART_LENGTH = 1_000;

/**
 * The parts of a document that can be read again alone. There are none where the text of one entry could mean something
 * else beside the others: in a document with anchors, tabs, keys that are written twice, or problems of more than one key.
 */
export function partsOf(
  text: string,
  { root, hasAnchors, hasTabs, problems }: ReadDocument,
  duplicates: readonly unknown[],
): readonly DocumentPart[] {
  const isPlain = !hasAnchors && !hasTabs && problems.every(isOfOneKey) && duplicates.length === 0;
  if (root === undefined || !isPlain || text.length < SHORTEST_DOCUMENT) return [];
  const parts: DocumentPart[] = [];
  addParts(parts, text, { node: root, path: [], end: text.length });
  return parts;
}

/** Whether a problem is one of a key, whatever stands elsewhere in the document. */
export const isOfOneKey = ({ code, more }: ProblemLog): boolean => code === KEY_TYPE && more === undefined;

/** A collection, and the offset where the line after it begins. */
interface Place {
  readonly node: YamlNode;
  readonly path: readonly (string | number)[];
  readonly end: number;
}

function addParts(parts: DocumentPart[], text: string, place: Place): void {
  if (place.node.column < 0) return;
  if (place.node.kind === 'map') addPartsOfMap(parts, text, place);
  else if (place.node.kind === 'seq') addPartsOfItems(parts, text, place);
}

function addPartsOfItems(parts: DocumentPart[], text: string, { node, path, end }: Place): void {
  for (const [i, child] of node.children.entries()) {
    const next = node.dashes[i + 1];
    const start = next === undefined ? end : startOfOwnLine(text, next, node.column);
    if (start !== undefined) addParts(parts, text, { node: child, path: [...path, i], end: start });
  }
}

function addPartsOfMap(parts: DocumentPart[], text: string, { node, path, end }: Place): void {
  const entries = entriesOf(text, node, end);
  if (entries === undefined) return;
  let group: { start: number; names: string[] } | undefined;
  const close = (at: number): void => {
    if (group !== undefined) parts.push({ path, column: node.column, start: group.start, end: at, names: group.names });
    group = undefined;
  };
  for (const { name, value, start, end } of entries) {
    const isLong = end - value.start > PART_LENGTH && value.column >= 0;
    if (start === undefined || isLong) close(start ?? end);
    if (isLong) addParts(parts, text, { node: value, path: [...path, name], end });
    if (start === undefined || isLong) continue;
    group ??= { start, names: [] };
    group.names.push(name);
    if (end - group.start >= PART_LENGTH) close(end);
  }
  close(end);
}

interface Entry {
  readonly name: string;
  readonly value: YamlNode;
  /** The offset of its line; undefined where that begins with something else. */
  readonly start: number | undefined;
  readonly end: number;
}

/** undefined where the order or the number of the entries of the value would not be that of the text. */
function entriesOf(text: string, { children, column }: YamlNode, end: number): readonly Entry[] | undefined {
  const entries: Entry[] = [];
  let next = end;
  for (let i = children.length - 2; i >= 0; i -= 2) {
    const key = children[i]!;
    const name = isMergeKey(key) ? undefined : fieldName(key);
    if (name === undefined || !isOrdered(name)) return undefined;
    const start = startOfOwnLine(text, key.start, column);
    // The first key may follow the dash of an item.
    if (start === undefined && i > 0) return undefined;
    entries.push({ name, value: children[i + 1]!, start, end: next });
    next = start ?? next;
  }
  return entries.reverse();
}

/** Whether the name keeps its place in an object: JavaScript puts indexes first. */
export const isOrdered = (name: string): boolean => name !== '__proto__' && !/^\d+$/.test(name);

/** The start of the line on which nothing but blanks precedes an offset. */
function startOfOwnLine(text: string, at: number, column: number): number | undefined {
  const start = at - column;
  if (start < 0 || (start > 0 && text.charCodeAt(start - 1) !== LF)) return undefined;
  for (let i = start; i < at; i++) if (text.charCodeAt(i) !== SPACE) return undefined;
  return start;
}
