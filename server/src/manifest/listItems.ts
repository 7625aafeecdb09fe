import { isObject, type JsonValue } from '../base/json';
import type { Span } from '../text/span';
import type { TextChange } from './change';
import { type DocumentContent, duplicatesOf } from './content';
import { FieldPath } from './fieldPath';
import { keptObjects } from './keptItems';
import { blockObject, dependsOnOthers, endOfItem, isUnclosed, itemsWithKinds, type ListLayout } from './list';
import type { PlacedObject, RelativeDuplicate } from './objectContent';
import { readItemsAlone } from './reader/read';
import { MOST_LISTED, moveBy, type ProblemLog } from './reader/reading';
import { findSuppressions } from './suppressions';
import { itemOffset, itemText } from './trees';
import { buildValue } from './values';

/**
 * Reads a List again in which only some items changed; undefined if their text alone is not enough for that, so that
 * the whole document must be read. The items may be broken, and their number may change: they must be readable to their
 * end as items of the same List, and nothing in them or before them may depend on what follows.
 */
export function rereadItems(old: DocumentContent, newText: string, change: TextChange): DocumentContent | undefined {
  const { list } = old;
  const range = list?.mayReadAlone === true ? itemsAround(list, old.text, change) : undefined;
  if (list === undefined || range === undefined || !isObject(old.value)) return undefined;
  if (old.problems.some(it => it.start < range.start && isUnclosed(it))) return undefined;
  if (old.problems.some(it => it.start < range.start && it.end > range.start)) return undefined;
  const delta = change.newEnd - change.oldEnd;
  const read = readItems(newText, { start: range.start, end: range.end + delta }, list.column);
  if (read === undefined || old.problems.length + read.problems.length >= MOST_LISTED) return undefined;
  if (itemsWithKinds(old.value, read.values) !== read.values) return undefined;
  // The targets of comments depend on all comments, and those are kept only if some suppress problems.
  if (old.suppressions.length === 0 && findSuppressions(newText, read.comments).length > 0) return undefined;
  const shift: Shift = {
    ...range,
    listEnd: list.end,
    delta,
    added: read.values.length - (range.last - range.first + 1),
  };
  const comments = spliced(
    list.comments,
    read.comments,
    it => it,
    shift,
    it => it + delta,
  );
  const places = { ...list, dashes: dashesAfter(list.dashes, read.dashes, shift), end: list.end + delta, comments };
  const ofItems = read.objects.map(it => ({ ...it, item: it.item! + range.first }));
  const { items } = old.value as { readonly items: readonly JsonValue[] };
  return {
    text: newText,
    value: { ...old.value, items: [...items.slice(0, range.first), ...read.values, ...items.slice(range.last + 1)] },
    problems: spliced(old.problems, read.problems, it => it.start, shift, moveBy(delta)),
    duplicates: spliced(
      old.duplicates,
      ofList(read.duplicates, range.first),
      it => it.span.start,
      shift,
      moveKey(shift),
    ),
    suppressions: findSuppressions(newText, places.comments),
    objects: objectsAfter(old.objects, keptObjects(old, { list: places }, ofItems, change), shift),
    list: places,
    aliased: old.aliased,
    parts: [],
  };
}

/** Items from `first` to `last`, and their extent in the text: from the first dash to the next line after them. */
interface ItemRange extends Span {
  readonly first: number;
  readonly last: number;
}

/** How everything after some items moves. */
interface Shift extends ItemRange {
  readonly listEnd: number;
  readonly delta: number;
  /** The difference between the new and the old number of items. */
  readonly added: number;
}

/** The items that a change touches, if it begins after a dash and ends within the List. */
function itemsAround(list: ListLayout, text: string, change: TextChange): ItemRange | undefined {
  const first = lastBelow(list.dashes, change.start);
  if (first < 0) return undefined;
  const last = Math.max(first, lastBelow(list.dashes, change.oldEnd + list.column + 1));
  const end = endOfItem(list, last);
  const isWithin = change.oldEnd < end || (end === text.length && change.oldEnd === end);
  return isWithin ? { first, last, start: list.dashes[first]!, end } : undefined;
}

/** Index of the last number below a limit; -1 if there is none. */
function lastBelow(sorted: readonly number[], limit: number): number {
  let low = -1;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sorted[middle]! < limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Some items, with offsets of the document; paths and indexes count from the first of them. */
interface ReadItems {
  readonly values: readonly JsonValue[];
  readonly objects: readonly PlacedObject[];
  readonly dashes: readonly number[];
  readonly problems: readonly ProblemLog[];
  readonly duplicates: readonly RelativeDuplicate[];
  readonly comments: readonly number[];
}

function readItems(text: string, { start, end }: Span, column: number): ReadItems | undefined {
  const own = itemText(text, start, end, column);
  const { root, problems, comments, hasAnchors, hasTabs } = readItemsAlone(own);
  if (root === undefined || root.column !== column || hasAnchors || hasTabs) return undefined;
  const { value, hasDuplicates } = buildValue(root, problems);
  if (!Array.isArray(value) || problems.some(it => it.start >= own.length || dependsOnOthers(it))) return undefined;
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const by = itemOffset(start, column);
  const places = { dashes: root.dashes, column, end: own.length };
  return {
    values: value,
    objects: value.flatMap((it: JsonValue, item) => {
      if (!isObject(it)) return [];
      const { content, offset } = blockObject(own, { value: it, node: root.children[item]!, item }, places);
      return [{ content, offset: offset + by, item }];
    }),
    dashes: root.dashes.map(it => it + by),
    problems: problems.map(moveBy(by)),
    duplicates: hasDuplicates ? duplicatesOf(root).map(it => moveSpans(it, at => at + by)) : [],
    comments: comments.map(it => it + by),
  };
}

/** The entries before and after the items, moved, with the new entries of the items. */
function spliced<T>(
  old: readonly T[],
  now: readonly T[],
  startOf: (it: T) => number,
  { start, end }: ItemRange,
  move: (it: T) => T,
): readonly T[] {
  return [...old.filter(it => startOf(it) < start), ...now, ...old.filter(it => startOf(it) >= end).map(move)];
}

function moveSpans(it: RelativeDuplicate, move: (at: number) => number): RelativeDuplicate {
  const moved = ({ start, end }: Span): Span => ({ start: move(start), end: move(end) });
  return { ...it, span: moved(it.span), first: moved(it.first) };
}

/** A key after the items; the first one of its name may be before them. */
function moveKey({ end, listEnd, delta, added }: Shift): (duplicate: RelativeDuplicate) => RelativeDuplicate {
  return it => {
    const res = moveSpans(it, at => (at >= end ? at + delta : at));
    return it.span.start < listEnd ? withIndex(res, added) : res;
  };
}

/** Paths that count from the items that were read, converted to paths in the List. */
function ofList(duplicates: readonly RelativeDuplicate[], first: number): readonly RelativeDuplicate[] {
  return duplicates
    .map(it => ({ ...it, path: FieldPath.of('items', ...it.path.segments) }))
    .map(it => withIndex(it, first));
}

/** A path into an item whose index has changed. */
function withIndex(duplicate: RelativeDuplicate, by: number): RelativeDuplicate {
  const [items, index, ...rest] = duplicate.path.segments;
  if (by === 0 || items === undefined || typeof index !== 'number') return duplicate;
  return { ...duplicate, path: FieldPath.of(items, index + by, ...rest) };
}

function dashesAfter(old: readonly number[], now: readonly number[], { first, last, delta }: Shift): readonly number[] {
  return [...old.slice(0, first), ...now, ...old.slice(last + 1).map(it => it + delta)];
}

function objectsAfter(
  old: readonly PlacedObject[],
  now: readonly PlacedObject[],
  { first, last, delta, added }: Shift,
): readonly PlacedObject[] {
  const before = old.filter(it => it.item! < first);
  const after = old.filter(it => it.item! > last);
  return [...before, ...now, ...after.map(it => ({ ...it, offset: it.offset + delta, item: it.item! + added }))];
}
