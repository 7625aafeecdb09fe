import { asObject, type JsonObject } from '../../base/json';
import type { FieldPath } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { lineEnd } from '../../text/lineEnd';
import { lineStart } from '../../text/lineStart';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';
import type { FileEdit } from '../framework/problem';
import { CannotEdit, contentEnd, edited, isFlow, type Written, wholeLines } from './editText';

const fieldCount = (of: JsonObject): number => Object.keys(of).length;

/** Removes a field or list item with its line. `countOf` may know how many fields a value has. */
export function remove(written: Written, at: FieldPath, countOf = fieldCount): FileEdit {
  const { object, text } = written;
  const { parent } = at;
  if (parent === undefined) throw new CannotEdit('an object is not removed from its document');
  const span = removalOf(written, at, parent);
  refuseUsedAnchor(text, span);
  const isLast = siblingCount(object, parent, countOf) === 1;
  return edited(written, span, isLast && !isFlow(written, parent) ? emptyOf(text, at, span) : '');
}

function removalOf(written: Written, at: FieldPath, parent: FieldPath): Span {
  const { object, text } = written;
  const entry = object.manifest.spanOf(at, 'entry');
  if (isFlow(written, parent)) return flowRemoval(text, entry);
  const start = lineStart(text, entry.start);
  const lead = text.slice(start, entry.start);
  const isItem = typeof at.segments.at(-1) === 'number';
  const end = lineEnd(text, contentEnd(text, entry));
  if (isItem) {
    // The entry of an item may begin at its dash or after it.
    const dash = text[entry.start] === '-' ? entry.start : start + lead.lastIndexOf('-');
    if (dash < start) throw new CannotEdit('the item does not begin on the line of its dash');
    const before = text.slice(start, dash);
    if (/^\s*$/.test(before)) return wholeLines(text, start, end);
    // The first item of a list inside a list: `- - a`.
    const next = /^[ \t]*(?=-)/m.exec(text.slice(end + 1));
    if (next === null) throw new CannotEdit('the only item of a nested list');
    return { start: dash, end: end + 1 + next[0].length };
  }
  if (/^\s*$/.test(lead)) return wholeLines(text, start, end);
  // The first field of a list item, `- key: value`: the next field moves up to the dash.
  const following = text.slice(end + 1);
  const column = entry.start - start;
  const next = /^((?:[ \t]*(?:#.*)?\n)*)([ ]*)(?=\S)/.exec(following);
  if (next?.[2]?.length !== column) {
    return { start: entry.start, end: contentEnd(text, entry) };
  }
  if ((next[1] ?? '') !== '') throw new CannotEdit('a comment stands before the next field');
  return { start: entry.start, end: end + 1 + column };
}

/** A list item, key or value in brackets or braces is removed together with one of the commas beside it. */
function flowRemoval(text: string, entry: Span): Span {
  const after = /^\s*,[ \t]*/.exec(text.slice(entry.end));
  const before = /(,\s*)$/.exec(text.slice(0, entry.start));
  if (before !== null && after === null) return { start: entry.start - before[0].length, end: entry.end };
  if (after === null) return entry;
  const lead = /\n[ \t]*$/.exec(text.slice(0, entry.start));
  const rest = entry.end + after[0].length;
  // If it is on lines of its own, whole lines are removed.
  if (lead !== null && /^\r?\n/.test(text.slice(rest))) return { start: entry.start - lead[0].length, end: rest };
  return { start: entry.start, end: rest };
}

/** The last field or item is replaced by an explicit empty value, which keeps the parent's type. */
function emptyOf(text: string, at: FieldPath, span: Span): string {
  const isItem = typeof at.segments.at(-1) === 'number';
  const empty = isItem ? '[]' : '{}';
  if (!text.slice(0, span.start).endsWith('\n')) return empty;
  const indent = /^[ \t]*/.exec(text.slice(span.start))?.[0] ?? '';
  return `${indent === '' ? '  ' : indent}${empty}${text[span.end - 1] === '\n' ? '\n' : ''}`;
}

function siblingCount(object: WorkspaceObject, parent: FieldPath, countOf: typeof fieldCount): number {
  const value = valueAt(object.manifest.value, parent);
  return Array.isArray(value) ? value.length : countOf(asObject(value) ?? {});
}

/** An anchor that is used elsewhere may not be removed. */
function refuseUsedAnchor(text: string, span: Span): void {
  for (const [, name] of text.slice(span.start, span.end).matchAll(/(?:^|[\s[{,])&([^\s,[\]{}]+)/g)) {
    const rest = text.slice(0, span.start) + text.slice(span.end);
    if (name !== undefined && rest.includes(`*${name}`)) throw new CannotEdit(`the anchor ${name} is used elsewhere`);
  }
}
