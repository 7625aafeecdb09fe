import { isObject, type JsonValue } from '../base/json';
import type { Span } from '../text/span';
import type { TextChange } from './change';
import type { DocumentContent } from './content';
import { endOfItem } from './list';
import type { PlacedObject } from './objectContent';

/**
 * A List that was read as a whole, with its earlier objects where their text is the same and, before and now, contains
 * all that defines them.
 */
export function withKeptItems(old: DocumentContent, fresh: DocumentContent, change: TextChange): DocumentContent {
  const objects = keptObjects(old, fresh, fresh.objects, change);
  if (objects === fresh.objects || !isObject(fresh.value)) return fresh;
  const items = [...(fresh.value.items as readonly JsonValue[])];
  for (const { item, content } of objects) items[item!] = content.value;
  return { ...fresh, value: { ...fresh.value, items }, objects };
}

/** The objects of a List that was read again, the unchanged ones replaced by the earlier ones. */
export function keptObjects(
  old: DocumentContent,
  { list }: Pick<DocumentContent, 'list'>,
  objects: readonly PlacedObject[],
  { start, oldEnd, newEnd }: TextChange,
): readonly PlacedObject[] {
  if (old.list?.column !== list?.column || !objects.some(isApart)) return objects;
  const indent = list?.column ?? 0;
  const known = new Map(old.objects.filter(isApart).map(it => [extentOf(it, old.list).start, it]));
  return objects.map(object => {
    const extent = extentOf(object, list);
    const delta = extent.end <= start ? 0 : extent.start - indent >= newEnd ? newEnd - oldEnd : undefined;
    const before = delta === undefined || !isApart(object) ? undefined : known.get(extent.start - delta);
    if (delta === undefined || before === undefined) return object;
    const isSame = extentOf(before, old.list).end === extent.end - delta;
    return isSame ? { content: before.content, offset: before.offset + delta, item: object.item } : object;
  });
}

function isApart({ content, item }: PlacedObject): boolean {
  return content.isApart && item !== undefined;
}

/** The part of the text that an item is read from. */
function extentOf({ content, offset, item }: PlacedObject, list: DocumentContent['list']): Span {
  if (list !== undefined) return { start: list.dashes[item!]!, end: endOfItem(list, item!) };
  return { start: content.span.start + offset, end: content.span.end + offset };
}
