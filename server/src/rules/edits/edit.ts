import type { JsonObject } from '../../base/json';
import { createPartMemo } from '../../base/partMemo';
import type { FieldPath } from '../../manifest/fieldPath';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { FileEdit } from '../framework/problem';
import type { EditTools } from '../framework/rule';
import { CannotEdit, edited, type Written } from './editText';
import { append, appendDocument, insertField, replaceValue, write } from './insertion';
import { remove } from './removal';
import { rewrite } from './rewrite';

/** Edits on the text of the snapshot's files that keep comments, indentation and flow style. */
export function editTools(snapshot: Snapshot): EditTools {
  const memo = createPartMemo();
  const countOf = (of: JsonObject): number => memo.of('fields', of, () => Object.keys(of).length);
  const inFile =
    <Rest extends readonly unknown[], Edits>(edit: (written: Written, ...rest: Rest) => Edits) =>
    (object: WorkspaceObject, ...rest: Rest) =>
      edit(writtenIn(snapshot, object), ...rest);
  return {
    replaceValue: inFile(replaceValue),
    renameKey: inFile(renameKey),
    remove: inFile((written, at: FieldPath) => remove(written, at, countOf)),
    insertField: inFile(insertField),
    write: inFile(write),
    append: inFile(append),
    appendDocument: inFile(appendDocument),
    rewrite: inFile(rewrite),
  };
}

function writtenIn(snapshot: Snapshot, object: WorkspaceObject): Written {
  const file = snapshot.files.get(object.manifest.uri);
  if (file === undefined) throw new CannotEdit('the file is not part of the snapshot');
  return { object, file, text: file.text, format: file.format };
}

function renameKey(written: Written, at: FieldPath, newKey: string): FileEdit {
  const span = written.object.manifest.spanOf(at, 'key');
  const quote = /^["']/.exec(written.text.slice(span.start, span.end))?.[0] ?? '';
  return edited(written, span, `${quote}${newKey}${quote}`);
}
