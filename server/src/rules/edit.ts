import type { FieldPath, Segment } from '../manifest/fieldPath';
import type { JsonObject, JsonValue, ManifestFile } from '../manifest/manifest';
import type { Span } from '../text/span';
import type { Snapshot, WorkspaceObject } from '../workspace/workspace';
import { columnOf, contentEnd, entryText, isFlow, isJson, lineEnd, lineStart, wholeLines } from './editText';
import type { FileEdit } from './problem';
import type { EditTools } from './rule';
import { asObject, valueAt } from './values';
import { written } from './yamlText';

/** Thrown where a change cannot be made on the text without harm; the fix is then not offered. */
export class CannotEdit extends Error {}

/** Edits on the text of the snapshot's files that keep comments, indentation and flow style. */
export function editTools(snapshot: Snapshot): EditTools {
  const fileOf = (object: WorkspaceObject): ManifestFile => {
    const file = snapshot.files.get(object.manifest.uri);
    if (file === undefined) throw new CannotEdit('the file is not part of the snapshot');
    return file;
  };
  const edit = (object: WorkspaceObject, span: Span, newText: string): FileEdit => ({
    uri: object.manifest.uri,
    span,
    newText,
  });

  const tools: EditTools = {
    replaceValue: (object, at, newText) => {
      const { format } = fileOf(object);
      const isPlainWord = format === 'json' && !isJson(newText);
      return edit(object, object.manifest.spanOf(at, 'value'), isPlainWord ? JSON.stringify(newText) : newText);
    },

    renameKey: (object, at, newKey) => {
      const span = object.manifest.spanOf(at, 'key');
      const quote = /^["']/.exec(fileOf(object).text.slice(span.start, span.end))?.[0] ?? '';
      return edit(object, span, `${quote}${newKey}${quote}`);
    },

    remove: (object, at) => {
      const parent = at.parent;
      if (parent === undefined) throw new CannotEdit('an object is not removed from its document');
      const { text } = fileOf(object);
      const span = removalOf(text, object, at, parent);
      refuseUsedAnchor(text, span);
      const isLast = siblingCount(object, parent) === 1;
      return edit(object, span, isLast && !isFlow(text, object, parent) ? emptyOf(text, at, span) : '');
    },

    insertField: (object, parent, key, value) => {
      const { text, format } = fileOf(object);
      const fields = asObject(valueAt(object.manifest.value, parent));
      const name = format === 'json' ? JSON.stringify(key) : key;
      if (fields === undefined) return insertUnderEmpty(object, parent, name, value, text, edit);
      const keys = Object.keys(fields);
      if (isFlow(text, object, parent)) {
        const open = object.manifest.spanOf(parent, 'value');
        const brace = text.indexOf('{', open.start) + 1;
        const word = format === 'json' && !isJson(value) ? JSON.stringify(value) : value;
        const pretty = format === 'json' && /^\s*\n/.test(text.slice(brace));
        const gap = pretty ? (/^\s*\n\s*/.exec(text.slice(brace))?.[0] ?? '') : '';
        return edit(
          object,
          { start: brace, end: brace },
          `${gap}${name}: ${word}${keys.length === 0 ? '' : pretty ? ',' : ', '}`,
        );
      }
      const last = lastWritten(object, parent, keys);
      const indent = columnOf(text, object.manifest.spanOf(last, 'key').start);
      const end = lineEnd(text, contentEnd(text, object.manifest.spanOf(last, 'entry')));
      return edit(object, { start: end, end }, `\n${entryText(name, value, indent)}`);
    },

    write: (object, at, value) => {
      const { text, format } = fileOf(object);
      const present = deepestWritten(object, at);
      const missing = at.segments.slice(present.segments.length);
      const style = format === 'json' ? 'json' : isFlow(text, object, present) ? 'flow' : 'block';
      const [first, ...rest] = missing;
      if (first === undefined)
        return tools.replaceValue(object, at, written(value, style === 'block' ? 'flow' : style));
      const whole = rest.reduceRight<JsonValue>(around, value);
      if (typeof first === 'number') return tools.append(object, present, whole);
      const isBelow = style === 'block' && typeof whole === 'object' && whole !== null && isWrittenBelow(whole);
      return tools.insertField(object, present, nameOf(first), `${isBelow ? '\n' : ''}${written(whole, style)}`);
    },

    append: (object, list, item) => {
      const { text, format } = fileOf(object);
      const items = valueAt(object.manifest.value, list);
      if (!Array.isArray(items) || items.length === 0) throw new CannotEdit(`there is no item in a list at ${list}`);
      const last = object.manifest.spanOf(list.index(items.length - 1), 'entry');
      if (isFlow(text, object, list)) {
        const lead = /\n[ \t]*$/.exec(text.slice(0, last.start))?.[0] ?? ' ';
        const added = `,${lead}${written(item, format === 'json' ? 'json' : 'flow')}`;
        return edit(object, { start: last.end, end: last.end }, added);
      }
      const dash = text[last.start] === '-' ? last.start : text.lastIndexOf('-', last.start);
      const pad = ' '.repeat(columnOf(text, dash));
      const end = lineEnd(text, contentEnd(text, last));
      const lines = written(item, 'block').split('\n');
      const added = lines.map((line, i) => `\n${pad}${i === 0 ? '- ' : '  '}${line}`).join('');
      return edit(object, { start: end, end }, added);
    },

    appendDocument: (object, added) => {
      const { text, format } = fileOf(object);
      if (format === 'json') throw new CannotEdit('a JSON file holds one document');
      const gap = text === '' || text.endsWith('\n') ? '' : '\n';
      return edit(
        object,
        { start: text.length, end: text.length },
        `${gap}---\n${added.endsWith('\n') ? added : `${added}\n`}`,
      );
    },
  };
  return tools;
}

/** Whether the block of a value begins below its key: fields and lists of objects do, a list of words is in brackets. */
function isWrittenBelow(value: JsonObject | readonly JsonValue[]): boolean {
  const parts = Array.isArray(value) ? value : Object.keys(value);
  return parts.length > 0 && (!Array.isArray(value) || value.some(it => asObject(it) !== undefined));
}

/** The longest part of a path that the text has. */
function deepestWritten(object: WorkspaceObject, at: FieldPath): FieldPath {
  const { parent } = at;
  return parent === undefined || object.manifest.has(at) ? at : deepestWritten(object, parent);
}

function around(inner: JsonValue, segment: Segment): JsonValue {
  return typeof segment === 'number' ? [inner] : { [nameOf(segment)]: inner };
}

function nameOf(segment: Segment): string {
  return typeof segment === 'object' ? segment.key : String(segment);
}

function removalOf(text: string, object: WorkspaceObject, at: FieldPath, parent: FieldPath): Span {
  const entry = object.manifest.spanOf(at, 'entry');
  if (isFlow(text, object, parent)) return flowRemoval(text, entry);
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
  // The first field of a list item, `- key: value`: what follows moves up to the dash.
  const following = text.slice(end + 1);
  const column = entry.start - start;
  const next = /^((?:[ \t]*(?:#.*)?\n)*)([ ]*)(?=\S)/.exec(following);
  if (next?.[2]?.length !== column) {
    return { start: entry.start, end: contentEnd(text, entry) };
  }
  if ((next[1] ?? '') !== '') throw new CannotEdit('a comment stands before the next field');
  return { start: entry.start, end: end + 1 + column };
}

/** A list item, key or value in brackets or braces goes with the comma that parts it from its neighbour. */
function flowRemoval(text: string, entry: Span): Span {
  const after = /^\s*,[ \t]*/.exec(text.slice(entry.end));
  const before = /(,\s*)$/.exec(text.slice(0, entry.start));
  if (before !== null && after === null) return { start: entry.start - before[0].length, end: entry.end };
  if (after === null) return entry;
  const lead = /\n[ \t]*$/.exec(text.slice(0, entry.start));
  const rest = entry.end + after[0].length;
  // On lines of their own, the whole line goes.
  if (lead !== null && /^\r?\n/.test(text.slice(rest))) return { start: entry.start - lead[0].length, end: rest };
  return { start: entry.start, end: rest };
}

/** When the last field or item goes, an explicit empty value keeps the parent's type. */
function emptyOf(text: string, at: FieldPath, span: Span): string {
  const isItem = typeof at.segments.at(-1) === 'number';
  const empty = isItem ? '[]' : '{}';
  if (!text.slice(0, span.start).endsWith('\n')) return empty;
  const indent = /^[ \t]*/.exec(text.slice(span.start))?.[0] ?? '';
  return `${indent === '' ? '  ' : indent}${empty}${text[span.end - 1] === '\n' ? '\n' : ''}`;
}

function insertUnderEmpty(
  object: WorkspaceObject,
  parent: FieldPath,
  name: string,
  value: string,
  text: string,
  edit: (object: WorkspaceObject, span: Span, newText: string) => FileEdit,
): FileEdit {
  if (typeof parent.segments.at(-1) === 'number') throw new CannotEdit(`the item ${parent} is empty`);
  if (!object.manifest.has(parent) || parent.segments.length === 0 || valueAt(object.manifest.value, parent) !== null) {
    throw new CannotEdit(`there is no mapping at ${parent}`);
  }
  const key = object.manifest.spanOf(parent, 'key');
  const colon = text.indexOf(':', key.end) + 1;
  const rest = /^[ \t]*(null|~)?/.exec(text.slice(colon))?.[0] ?? '';
  const indent = columnOf(text, key.start) + 2;
  return edit(object, { start: colon, end: colon + rest.length }, `\n${entryText(name, value, indent)}`);
}

function lastWritten(object: WorkspaceObject, parent: FieldPath, keys: readonly string[]): FieldPath {
  const paths = keys.map(key => parent.child(key)).filter(path => object.manifest.has(path));
  const [first, ...others] = paths;
  if (first === undefined) throw new CannotEdit('the mapping has no written field');
  const endOf = (path: FieldPath) => object.manifest.spanOf(path, 'entry').end;
  return others.reduce((last, path) => (endOf(path) > endOf(last) ? path : last), first);
}

function siblingCount(object: WorkspaceObject, parent: FieldPath): number {
  const value = valueAt(object.manifest.value, parent);
  if (Array.isArray(value)) return value.length;
  return Object.keys(asObject(value) ?? {}).length;
}

/** An anchor that is used elsewhere must stay. */
function refuseUsedAnchor(text: string, span: Span): void {
  for (const [, name] of text.slice(span.start, span.end).matchAll(/(?:^|[\s[{,])&([^\s,[\]{}]+)/g)) {
    const rest = text.slice(0, span.start) + text.slice(span.end);
    if (name !== undefined && rest.includes(`*${name}`)) throw new CannotEdit(`the anchor ${name} is used elsewhere`);
  }
}
