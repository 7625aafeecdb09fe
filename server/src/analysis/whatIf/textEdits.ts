import { asList, type JsonObject, type JsonValue } from '../../base/json';
import { t } from '../../base/l10n';
import { jsonText, printed } from '../../base/printed';
import { isSameValue } from '../../base/sameValue';
import { FieldPath } from '../../manifest/fieldPath';
import { parseManifests } from '../../manifest/parse';
import { valueAt } from '../../manifest/valueAt';
import { editTools } from '../../rules/edits/edit';
import { CannotEdit } from '../../rules/edits/editText';
import { scalarText } from '../../rules/edits/yamlText';
import type { FileEdit } from '../../rules/framework/problem';
import { type Edit, edited, type ObjectRef } from '../../scheduler/whatIf/edits';
import type { WorkspaceObject } from '../../workspace/object';
import { isRenderedUri } from '../../workspace/rendered/names';
import { emptySnapshot, withFiles } from '../../workspace/snapshot';
import type { Snapshot } from '../../workspace/workspace';

/** Whether an object is one of those that changes are meant for: folders may hold others of the same name. */
export type IsCounted = (object: WorkspaceObject) => boolean;

/**
 * Changes of objects as changes of their texts, one for each file, with comments and style kept. Undefined where an
 * object is in no file, or where its text cannot be changed to exactly the wanted value.
 */
export function textEditsOf(
  snapshot: Snapshot,
  edits: readonly Edit[],
  counts: IsCounted,
): readonly FileEdit[] | undefined {
  const changes = edits.flatMap((edit): readonly TextChange[] => {
    const object = writtenObject(snapshot, edit.object, counts);
    // What is rendered is in no file that could be changed.
    return object && !isRenderedUri(object.manifest.uri) ? [{ edit, object }] : [];
  });
  if (changes.length < edits.length) return undefined;
  const uris = new Set(changes.map(it => it.object.manifest.uri));
  let now = indexOf(snapshot, uris);
  try {
    for (const { edit, object } of changes) {
      const again = now.objectsIn(object.manifest.uri).find(it => isSamePlace(it, object));
      if (again === undefined) return undefined;
      const file = fileEditOf(now, again, edit);
      const { text } = now.files.get(file.uri)!;
      const changed = text.slice(0, file.span.start) + file.newText + text.slice(file.span.end);
      now = withFiles(now, [{ uri: file.uri, file: parseManifests(file.uri, changed) }]);
    }
  } catch (error) {
    if (error instanceof CannotEdit) return undefined;
    throw error;
  }
  const isMeant = [...uris].every(uri => isSameValue(valuesIn(now, uri), wanted(snapshot, uri, changes)));
  return isMeant ? [...uris].map(uri => difference(uri, snapshot, now)) : undefined;
}

interface TextChange {
  readonly edit: Edit;
  readonly object: WorkspaceObject;
}

/** Whether two objects are the same one of two versions of a file. */
function isSamePlace({ manifest: a }: WorkspaceObject, { manifest: b }: WorkspaceObject): boolean {
  return a.uri === b.uri && a.document === b.document && a.item === b.item;
}

/** Some of the files on their own, to be changed: a snapshot may be no more than a view of another. */
function indexOf({ files }: Snapshot, uris: Iterable<string>): Snapshot {
  return withFiles(
    emptySnapshot(() => undefined),
    [...uris].map(uri => ({ uri, file: files.get(uri) })),
  );
}

/** By the name that placement knows an object by. */
export function writtenObject(snapshot: Snapshot, ref: ObjectRef, counts: IsCounted): WorkspaceObject | undefined {
  return snapshot.objectsOf(ref.group, ref.kind).find(it => isMeantBy(it, ref) && counts(it));
}

function isMeantBy({ group, kind, name, manifest }: WorkspaceObject, ref: ObjectRef): boolean {
  const namespace = valueAt(manifest.value, FieldPath.of('metadata', 'namespace')) || 'default';
  return group === ref.group && kind === ref.kind && (name ?? '') === ref.name && namespace === ref.namespace;
}

function fileEditOf(snapshot: Snapshot, object: WorkspaceObject, { path, action, value }: Edit): FileEdit {
  const tools = editTools(snapshot);
  const at = FieldPath.of(...path);
  const { manifest } = object;
  if (action === 'remove') {
    if (!manifest.has(at)) throw new CannotEdit(t`${at} is not written there`);
    return tools.remove(object, at);
  }
  const wantedValue = value as JsonValue;
  const old = valueAt(manifest.value, at);
  if (action === 'append') {
    return asList(old).length > 0 ? tools.append(object, at, wantedValue) : tools.write(object, at, [wantedValue]);
  }
  if (!manifest.has(at) || old === null || typeof old === 'object') return tools.write(object, at, wantedValue);
  const written = snapshot.files.get(manifest.uri)?.text[manifest.spanOf(at, 'value').start];
  const isQuoted = typeof value === 'string' && (written === '"' || written === "'");
  const quote = written === "'" && !printed(value).includes("'") ? `'${printed(value)}'` : jsonText(value);
  return tools.replaceValue(object, at, isQuoted ? quote : scalarText(wantedValue));
}

const valuesIn = (snapshot: Snapshot, uri: string): readonly JsonObject[] =>
  snapshot.objectsIn(uri).map(it => it.manifest.value);

function wanted(snapshot: Snapshot, uri: string, changes: readonly TextChange[]): readonly unknown[] {
  return snapshot.objectsIn(uri).map(object => {
    const own = changes.filter(it => isSamePlace(it.object, object));
    return own.reduce<unknown>((value, { edit }) => edited(value, edit.path, edit), object.manifest.value);
  });
}

/** The smallest stretch of whole words that has to be replaced. */
function difference(uri: string, before: Snapshot, after: Snapshot): FileEdit {
  const old = before.files.get(uri)?.text ?? '';
  const now = after.files.get(uri)?.text ?? '';
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start += 1;
  while (start > 0 && isWord(old[start - 1])) start -= 1;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail += 1;
  while (tail > 0 && isWord(old[old.length - tail])) tail -= 1;
  return { uri, span: { start, end: old.length - tail }, newText: now.slice(start, now.length - tail) };
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[^\s,:{}[\]]/.test(character);
