import { asObject, isObject, type JsonObject, type JsonValue } from '../../base/json';
import { isSameValue } from '../../base/sameValue';
import { FieldPath } from '../../manifest/fieldPath';
import { reparseManifests } from '../../manifest/reparse';
import { applyEdits, type Span } from '../../text/span';
import type { FileEdit } from '../framework/problem';
import { CannotEdit, columnOf, contentEnd, edited, entryText, isFlow, type Written } from './editText';
import { insertField, replaceValue } from './insertion';
import { remove } from './removal';
import { isWrittenBelow, scalarText, written as yamlText } from './yamlText';

/**
 * Edits that turn the text of an object into that of another value: fields that stay keep their text and comments. Throws
 * CannotEdit where the changed text would not read as exactly the wanted value, as with anchors.
 */
export function rewrite(written: Written, wanted: JsonObject): readonly FileEdit[] {
  const edits = changes(written, FieldPath.root, written.object.manifest.value, wanted);
  if (edits === undefined) throw new CannotEdit('the object shares no field with the wanted one');
  const now = valueAfter(written, edits);
  if (!isSameValue(now, wanted)) throw new CannotEdit('the text cannot be changed to exactly this value');
  return edits;
}

function valueAfter({ object, file }: Written, edits: readonly FileEdit[]): JsonObject | undefined {
  const { document, item } = object.manifest;
  const now = reparseManifests(file, applyEdits(file.text, edits));
  return now.documents.find(it => it.index === document)?.objects.find(it => it.item === item)?.value;
}

/** undefined: the value has to be written anew as a whole. */
function changes(written: Written, at: FieldPath, old: JsonValue, wanted: JsonValue): readonly FileEdit[] | undefined {
  if (isSameValue(old, wanted)) return [];
  if (isList(old) && isList(wanted)) return itemChanges(written, at, old, wanted);
  const [before, after] = [asObject(old), asObject(wanted)];
  if (before !== undefined && after !== undefined) return fieldChanges(written, at, before, after);
  if (isScalar(old) && isScalar(wanted) && old !== null) return [replaceValue(written, at, scalarIn(written, wanted))];
  return undefined;
}

function itemChanges(
  written: Written,
  at: FieldPath,
  old: readonly JsonValue[],
  wanted: readonly JsonValue[],
): readonly FileEdit[] | undefined {
  if (old.length !== wanted.length || !wanted.every(isObject)) return undefined;
  const all = old.map((it, i) => changes(written, at.index(i), it, wanted[i]!));
  return all.every(it => it !== undefined) ? all.flat() : undefined;
}

function fieldChanges(
  written: Written,
  at: FieldPath,
  old: JsonObject,
  wanted: JsonObject,
): readonly FileEdit[] | undefined {
  const lost = Object.keys(old).filter(it => !Object.hasOwn(wanted, it));
  const added = Object.keys(wanted).filter(it => !Object.hasOwn(old, it));
  const kept = Object.keys(old).filter(it => Object.hasOwn(wanted, it));
  if (kept.length === 0) return undefined;
  const isSplice = isFlow(written, at) && lost.length + added.length > 0;
  if (isSplice) return [edited(written, spanOfValue(written, at), inlineText(written, wanted))];
  const pairs = Math.min(lost.length, added.length);
  const swapped = lost
    .slice(0, pairs)
    .map((it, i) => replaceEntry(written, at.child(it), added[i]!, wanted[added[i]!]!));
  const removed = lost.slice(pairs).map(it => remove(written, at.child(it)));
  // Texts that are inserted at one place come out in reverse order.
  const inserted = added
    .slice(pairs)
    .reverse()
    .map(it => insertField(written, at, it, blockText(wanted[it]!)));
  const inside = kept.flatMap(
    it =>
      changes(written, at.child(it), old[it]!, wanted[it]!) ?? [replaceEntry(written, at.child(it), it, wanted[it]!)],
  );
  return [...inserted, ...swapped, ...removed, ...inside];
}

/** Writes another field in the place of one. */
function replaceEntry(written: Written, at: FieldPath, name: string, value: JsonValue): FileEdit {
  const { object, text, format } = written;
  const entry = object.manifest.spanOf(at, 'entry');
  const span = { start: entry.start, end: contentEnd(text, entry) };
  if (at.parent !== undefined && isFlow(written, at.parent)) {
    const key = format === 'json' ? JSON.stringify(name) : scalarText(name);
    return edited(written, span, `${key}: ${inlineText(written, value)}`);
  }
  const indent = columnOf(text, span.start);
  return edited(written, span, entryText(scalarText(name), blockText(value), indent).slice(indent));
}

const spanOfValue = ({ object }: Written, at: FieldPath): Span =>
  at.segments.length === 0 ? object.manifest.span : object.manifest.spanOf(at, 'value');

const blockText = (value: JsonValue): string => `${isWrittenBelow(value) ? '\n' : ''}${yamlText(value, 'block')}`;

const inlineText = ({ format }: Written, value: JsonValue): string =>
  yamlText(value, format === 'json' ? 'json' : 'flow');

/** As `replaceValue` takes it: it puts words of JSON files into quotes itself. */
const scalarIn = ({ format }: Written, value: JsonValue): string =>
  format === 'json' && typeof value === 'string' ? value : scalarText(value);

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const isScalar = (value: JsonValue): boolean => typeof value !== 'object' || value === null;
