import type { DocumentContent, ListLayout, ObjectContent, PlacedObject, RelativeDuplicate } from './content';
import { duplicatesOf } from './content';
import { FieldPath } from './fieldPath';
import { isObject } from './json';
import { lazy } from './lazy';
import { locatedTree } from './locate';
import type { Node } from './reader/node';
import { readDocument } from './reader/read';
import { buildValue } from './values';

interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/**
 * Reads a List again of which only one item changed; undefined when that can't be told for sure from the item alone,
 * and the whole document must be read. Safe are items whose lines all stand deeper than the dashes and that are
 * without problems, anchors and suppression comments before and after.
 */
export function rereadItem(old: DocumentContent, newText: string, change: Change): DocumentContent | undefined {
  const { list } = old;
  if (list === undefined || !isObject(old.value)) return undefined;
  const i = itemAround(list, old.text, change);
  if (i === undefined) return undefined;
  const delta = change.newEnd - change.oldEnd;
  const dash = list.dashes[i]!;
  const end = endOfItem(list, old.text, i) + delta;
  const item = readItem(newText.slice(dash, end), dash, list.column);
  if (item === undefined) return undefined;
  const oldEnd = end - delta;
  const objects = old.objects.map((it, k) => (k < i ? it : k > i ? moveBy(it, delta) : { ...item.placed, item: k }));
  const items = old.value.items as readonly ObjectContent['value'][];
  return {
    text: newText,
    value: { ...old.value, items: items.map((it, k) => (k === i ? item.placed.content.value : it)) },
    problems: [],
    duplicates: mergeDuplicates(old.duplicates, item.duplicates, i, { dash, oldEnd, delta }),
    suppressions: [],
    objects,
    list: { ...list, dashes: list.dashes.map((it, k) => (k > i ? it + delta : it)) },
  };
}

function moveBy(placed: PlacedObject, delta: number): PlacedObject {
  return { ...placed, offset: placed.offset + delta };
}

/** The item that holds the whole change, behind its dash and before the line of the next one. */
function itemAround(list: ListLayout, text: string, change: Change): number | undefined {
  const after = list.dashes.findIndex(dash => dash > change.start);
  const i = (after === -1 ? list.dashes.length : after) - 1;
  if (i < 0 || change.start <= list.dashes[i]! + 1) return undefined;
  if (i === list.dashes.length - 1 && !list.isLast) return undefined;
  return change.oldEnd < endOfItem(list, text, i) ? i : undefined;
}

/** Start of the next item's line, or the end of the document. */
function endOfItem(list: ListLayout, text: string, i: number): number {
  const next = list.dashes[i + 1];
  return next === undefined ? text.length : next - list.column;
}

interface ReadItem {
  readonly placed: Omit<PlacedObject, 'item'>;
  readonly duplicates: readonly RelativeDuplicate[];
}

function readItem(region: string, dash: number, column: number): ReadItem | undefined {
  if (!/^-[ \r\n]/.test(region) || region.includes('berth-ignore') || region.includes('\t')) return undefined;
  const shallow = new RegExp(`[\\r\\n] {0,${column}}[^ \\r\\n]`);
  if (shallow.test(region)) return undefined;
  const text = `${' '.repeat(column + 1)}${region.slice(1)}`;
  const { root, problems, hasAnchors } = readDocument(text);
  if (root === undefined || root.kind !== 'map' || root.tag !== '' || hasAnchors) return undefined;
  const { value, hasDuplicates } = buildValue(root, problems);
  if (problems.length > 0 || !isObject(value)) return undefined;
  const offset = dash - column;
  const content = { value, span: { start: root.start, end: root.end }, tree: lazy(() => locatedTree(root, text)) };
  return { placed: { content, offset }, duplicates: hasDuplicates ? duplicatesAt(root, offset) : [] };
}

function duplicatesAt(root: Node, offset: number): RelativeDuplicate[] {
  return duplicatesOf(root).map(it => shiftDuplicate(it, offset));
}

function shiftDuplicate(it: RelativeDuplicate, by: number): RelativeDuplicate {
  return {
    ...it,
    span: { start: it.span.start + by, end: it.span.end + by },
    first: { start: it.first.start + by, end: it.first.end + by },
  };
}

function mergeDuplicates(
  old: readonly RelativeDuplicate[],
  ofItem: readonly RelativeDuplicate[],
  item: number,
  { dash, oldEnd, delta }: { readonly dash: number; readonly oldEnd: number; readonly delta: number },
): RelativeDuplicate[] {
  const before = old.filter(it => it.span.start < dash);
  const after = old.filter(it => it.span.start >= oldEnd).map(it => shiftDuplicate(it, delta));
  const inside = ofItem.map(it => ({ ...it, path: FieldPath.of('items', item, ...it.path.segments) }));
  return [...before, ...inside, ...after];
}
