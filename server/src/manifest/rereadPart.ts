import { asList, asObject, isObject, type JsonObject, type JsonValue } from '../base/json';
import { keptParts } from '../base/keptParts';
import type { TextChange } from './change';
import type { DocumentContent } from './content';
import { dependsOnOthers } from './list';
import type { PlacedObject } from './objectContent';
import { type DocumentPart, isOfOneKey, isOrdered } from './parts';
import { readEntriesAlone } from './reader/read';
import { MOST_LISTED, moveBy, type ProblemLog } from './reader/reading';
import { findSuppressions } from './suppressions';
import { itemOffset, itemText, treeOf } from './trees';
import { buildValue } from './values';

/**
 * Reads a document again of which only one part changed; undefined if the text of the part is not enough for that, so
 * that the whole document must be read. The part may be broken; the rest of the document must not be, but for keys that are
 * read as something else.
 */
export function rereadPart(old: DocumentContent, newText: string, change: TextChange): DocumentContent | undefined {
  const index = old.parts.findIndex(it => it.end > change.start);
  const part = old.parts[index];
  const [object] = old.objects;
  if (part === undefined || object === undefined || !isObject(old.value)) return undefined;
  const isLast = part.end === old.text.length;
  const isWithin = part.start <= change.start && (change.oldEnd < part.end || (isLast && change.oldEnd === part.end));
  const before = old.problems.filter(it => it.start < part.start);
  const after = old.problems.filter(it => it.end > part.end);
  if (!isWithin || ![...before, ...after].every(isOfOneKey)) return undefined;
  const delta = change.newEnd - change.oldEnd;
  const read = readPart(newText, { ...part, end: part.end + delta });
  if (read === undefined || old.suppressions.length > 0) return undefined;
  const problems = [...before, ...read.problems, ...after.map(moveBy(delta))];
  if (problems.length >= MOST_LISTED) return undefined;
  const value = withEntries(old.value, part, read.entries, 0);
  if (!isObject(value)) return undefined;
  const parts = old.parts.map((it, i) =>
    i < index ? it : i > index ? { ...it, start: it.start + delta, end: it.end + delta } : read.part,
  );
  const { start, end } = object.content.span;
  const span = { start, end: isLast ? read.lastEnd : end + delta };
  return {
    ...old,
    text: newText,
    value,
    problems,
    objects: [objectOf(newText, value, span)],
    parts,
  };
}

/** A separate function, so that the tree's closure does not keep the earlier content alive. */
function objectOf(text: string, value: JsonObject, span: PlacedObject['content']['span']): PlacedObject {
  return { content: { value, span, tree: treeOf(text), isApart: true }, offset: 0, item: undefined };
}

/** What a part's text says, with offsets of the document. */
interface ReadPart {
  readonly part: DocumentPart;
  readonly entries: JsonObject;
  readonly problems: readonly ProblemLog[];
  /** The end of the last value. */
  readonly lastEnd: number;
}

/** undefined for a text that does not begin with a key in the part's column, or may mean something else in its document. */
function readPart(text: string, part: DocumentPart): ReadPart | undefined {
  const first = part.start + part.column;
  const own = itemText(text, first, part.end, part.column);
  const { root, problems, comments, hasAnchors, hasTabs } = readEntriesAlone(own, part.path.length);
  const by = itemOffset(first, part.column);
  if (root === undefined || root.start + by !== first || root.column !== part.column) return undefined;
  if (text.slice(part.start, first).trim() !== '' || hasAnchors || hasTabs) return undefined;
  const { value, hasDuplicates } = buildValue(root, problems);
  if (hasDuplicates || !isObject(value)) return undefined;
  if (problems.some(it => it.start >= own.length || dependsOnOthers(it))) return undefined;
  if (findSuppressions(own, comments).length > 0) return undefined;
  problems.sort((a, b) => a.start - b.start || a.end - b.end);
  return {
    part: { ...part, names: Object.keys(value) },
    entries: value,
    problems: problems.map(moveBy(by)),
    lastEnd: root.end + by,
  };
}

/**
 * The value with other entries in place of those of the part, and all else shared; undefined if one of them is elsewhere
 * in the mapping, too, or the order would not be that of the text.
 */
function withEntries(
  of: JsonValue | undefined,
  part: DocumentPart,
  entries: JsonObject,
  depth: number,
): JsonValue | undefined {
  const step = part.path[depth];
  if (step === undefined) return isObject(of) ? replaced(of, part, entries) : undefined;
  const inner = typeof step === 'number' ? asList(of)[step] : asObject(of)?.[step];
  const now = withEntries(inner, part, entries, depth + 1);
  if (now === undefined || of === undefined || now === inner) return now && of;
  return typeof step === 'number' ? asList(of).with(step, now) : { ...asObject(of), [step]: now };
}

function replaced(of: JsonObject, { names }: DocumentPart, entries: JsonObject): JsonObject | undefined {
  const old = new Set(names);
  const now = Object.keys(entries);
  if (!now.every(it => isOrdered(it) && (old.has(it) || !Object.hasOwn(of, it)))) return undefined;
  const kept = now.map(it => [it, keptParts(old.has(it) ? of[it] : undefined, entries[it] ?? null)] as const);
  const isSame = now.length === names.length && kept.every(([it, value], i) => it === names[i] && value === of[it]);
  if (isSame) return of;
  const changed: Record<string, JsonValue> = {};
  let isPlaced = false;
  for (const name of Object.keys(of)) {
    if (!old.has(name)) changed[name] = of[name] ?? null;
    else if (!isPlaced) {
      for (const [own, value] of kept) changed[own] = value;
      isPlaced = true;
    }
  }
  return changed;
}
