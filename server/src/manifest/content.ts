import { isObject, type JsonValue } from '../base/json';
import { itemsWithKinds, type ListLayout, layoutOf, listItems, listObjects } from './list';
import type { SuppressionComment } from './manifest';
import type { PlacedObject, RelativeDuplicate } from './objectContent';
import { type DocumentPart, partsOf } from './parts';
import type { YamlNode } from './reader/node';
import { readDocument } from './reader/read';
import type { ProblemLog } from './reader/reading';
import { findSuppressions } from './suppressions';
import { treeOf } from './trees';
import { buildValue, findDuplicates } from './values';

/** What one document's text alone determines, independent of its position in the file. */
export interface DocumentContent {
  readonly text: string;
  readonly value: JsonValue | undefined;
  readonly problems: readonly ProblemLog[];
  readonly duplicates: readonly RelativeDuplicate[];
  readonly suppressions: readonly SuppressionComment[];
  readonly objects: readonly PlacedObject[];
  readonly list: ListLayout | undefined;
  /** How many nodes of the value aliases added. */
  readonly aliased: number;
  /** What can be read again alone, in the order of the text. */
  readonly parts: readonly DocumentPart[];
}

/** Reads one document's text. Never throws. */
export function readContent(text: string): DocumentContent {
  const document = readDocument(text);
  const { root, problems, comments } = document;
  const suppressions = findSuppressions(text, comments);
  if (root === undefined) {
    const nothing = { value: undefined, duplicates: [], objects: [], list: undefined, aliased: 0, parts: [] };
    return { text, problems, suppressions, ...nothing };
  }
  const { value, hasDuplicates, aliased } = buildValue(root, problems);
  const duplicates = hasDuplicates ? duplicatesOf(root) : [];
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  const written = isObject(value) ? listItems(value) : undefined;
  if (isObject(value) && written !== undefined) {
    const items = itemsWithKinds(value, written);
    const layout = layoutOf(document, root, { written, items }, suppressions);
    const objects = listObjects(text, { written, items }, { ...document, root, layout });
    const whole = items === written ? value : { ...value, items };
    return { text, problems, suppressions, value: whole, duplicates, objects, list: layout, aliased, parts: [] };
  }
  const objects = objectOf(text, value, root);
  const parts = objects.length === 0 ? [] : partsOf(text, document, duplicates);
  return { text, problems, suppressions, value, duplicates, objects, list: undefined, aliased, parts };
}

export function duplicatesOf(root: YamlNode): RelativeDuplicate[] {
  return findDuplicates(root).map(({ path, key, key2, first }) => ({
    path,
    key,
    span: { start: key2.start, end: key2.end },
    first: { start: first.start, end: first.end },
  }));
}

function objectOf(text: string, value: JsonValue, root: YamlNode): PlacedObject[] {
  if (!isObject(value)) return [];
  const span = { start: root.start, end: root.end };
  return [{ content: { value, span, tree: treeOf(text), isApart: true }, offset: 0, item: undefined }];
}
