import { asObject, type JsonValue } from '../../base/json';
import type { FieldPath, Segment } from '../../manifest/fieldPath';
import { valueAt } from '../../manifest/valueAt';
import { lineEnd } from '../../text/lineEnd';
import type { WorkspaceObject } from '../../workspace/object';
import type { FileEdit } from '../framework/problem';
import { CannotEdit, columnOf, contentEnd, edited, entryText, isFlow, isJson, type Written } from './editText';
import { isWrittenBelow, written as yamlText } from './yamlText';

/** Replaces a scalar. */
export function replaceValue(written: Written, at: FieldPath, newText: string): FileEdit {
  const isPlainWord = written.format === 'json' && !isJson(newText);
  const span = written.object.manifest.spanOf(at, 'value');
  return edited(written, span, isPlainWord ? JSON.stringify(newText) : newText);
}

/** Adds `key: value` to the mapping at `parent`; `value` is YAML text. */
export function insertField(written: Written, parent: FieldPath, key: string, value: string): FileEdit {
  const { object, text, format } = written;
  const fields = asObject(valueAt(object.manifest.value, parent));
  const name = format === 'json' ? JSON.stringify(key) : key;
  if (fields === undefined) return insertUnderEmpty(written, parent, name, value);
  const keys = Object.keys(fields);
  if (isFlow(written, parent)) return insertInFlow(written, parent, name, value, keys);
  const last = lastWritten(object, parent, keys);
  const indent = columnOf(text, object.manifest.spanOf(last, 'key').start);
  const end = lineEnd(text, contentEnd(text, object.manifest.spanOf(last, 'entry')));
  return edited(written, { start: end, end }, `\n${entryText(name, value, indent)}`);
}

function insertInFlow(
  written: Written,
  parent: FieldPath,
  name: string,
  value: string,
  others: readonly string[],
): FileEdit {
  const { object, text, format } = written;
  const open = object.manifest.spanOf(parent, 'value');
  const brace = text.indexOf('{', open.start) + 1;
  const word = format === 'json' && !isJson(value) ? JSON.stringify(value) : value;
  const pretty = format === 'json' && /^\s*\n/.test(text.slice(brace));
  const gap = pretty ? (/^\s*\n\s*/.exec(text.slice(brace))?.[0] ?? '') : '';
  const comma = others.length === 0 ? '' : pretty ? ',' : ', ';
  return edited(written, { start: brace, end: brace }, `${gap}${name}: ${word}${comma}`);
}

function insertUnderEmpty(written: Written, parent: FieldPath, name: string, value: string): FileEdit {
  const { object, text } = written;
  if (typeof parent.segments.at(-1) === 'number') throw new CannotEdit(`the item ${parent} is empty`);
  if (!object.manifest.has(parent) || parent.segments.length === 0 || valueAt(object.manifest.value, parent) !== null) {
    throw new CannotEdit(`there is no mapping at ${parent}`);
  }
  const key = object.manifest.spanOf(parent, 'key');
  const colon = text.indexOf(':', key.end) + 1;
  const rest = /^[ \t]*(null|~)?/.exec(text.slice(colon))?.[0] ?? '';
  const indent = columnOf(text, key.start) + 2;
  return edited(written, { start: colon, end: colon + rest.length }, `\n${entryText(name, value, indent)}`);
}

function lastWritten(object: WorkspaceObject, parent: FieldPath, keys: readonly string[]): FieldPath {
  const paths = keys.map(key => parent.child(key)).filter(path => object.manifest.has(path));
  const [first, ...others] = paths;
  if (first === undefined) throw new CannotEdit('the mapping has no written field');
  const endOf = (path: FieldPath) => object.manifest.spanOf(path, 'entry').end;
  return others.reduce((last, path) => (endOf(path) > endOf(last) ? path : last), first);
}

/**
 * Writes a value at a path that is missing or empty, together with missing parent objects, in the style of the
 * surrounding text.
 */
export function write(written: Written, at: FieldPath, value: JsonValue): FileEdit {
  const present = deepestWritten(written.object, at);
  const missing = at.segments.slice(present.segments.length);
  const style = written.format === 'json' ? 'json' : isFlow(written, present) ? 'flow' : 'block';
  const [first, ...rest] = missing;
  if (first === undefined) return replaceValue(written, at, yamlText(value, style === 'block' ? 'flow' : style));
  const whole = rest.reduceRight<JsonValue>(around, value);
  if (typeof first === 'number') return append(written, present, whole);
  const isBelow = style === 'block' && isWrittenBelow(whole);
  return insertField(written, present, nameOf(first), `${isBelow ? '\n' : ''}${yamlText(whole, style)}`);
}

/** The longest prefix of a path that exists in the text. */
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

/** Adds an item at the end of a list that has at least one. */
export function append(written: Written, list: FieldPath, item: JsonValue): FileEdit {
  const { object, text, format } = written;
  const items = valueAt(object.manifest.value, list);
  if (!Array.isArray(items) || items.length === 0) throw new CannotEdit(`there is no item in a list at ${list}`);
  const last = object.manifest.spanOf(list.index(items.length - 1), 'entry');
  if (isFlow(written, list)) {
    const lead = /\n[ \t]*$/.exec(text.slice(0, last.start))?.[0] ?? ' ';
    const added = `,${lead}${yamlText(item, format === 'json' ? 'json' : 'flow')}`;
    return edited(written, { start: last.end, end: last.end }, added);
  }
  const dash = text[last.start] === '-' ? last.start : text.lastIndexOf('-', last.start);
  const pad = ' '.repeat(columnOf(text, dash));
  const end = lineEnd(text, contentEnd(text, last));
  const lines = yamlText(item, 'block').split('\n');
  const added = lines.map((line, i) => `\n${pad}${i === 0 ? '- ' : '  '}${line}`).join('');
  return edited(written, { start: end, end }, added);
}

/** Appends a document to the object's file. */
export function appendDocument(written: Written, added: string): FileEdit {
  const { text, format } = written;
  if (format === 'json') throw new CannotEdit('a JSON file holds one document');
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  const end = added.endsWith('\n') ? '' : '\n';
  return edited(written, { start: text.length, end: text.length }, `${gap}---\n${added}${end}`);
}
