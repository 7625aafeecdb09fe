import { isObject } from '../base/json';
import { keptParts } from '../base/keptParts';
import { ownSlice } from '../text/ownSlice';
import { changeBetween, type TextChange } from './change';
import { type DocumentContent, readContent } from './content';
import { type DocumentPiece, splitDocuments } from './documents';
import { isParsed, type ParsedDocument, parsedFile, placeDocument, readPiece, refuse } from './file';
import { withKeptItems } from './keptItems';
import { rereadItems } from './listItems';
import type { ManifestFile } from './manifest';
import { parseManifests } from './parse';
import { rereadPart } from './rereadPart';

/**
 * Parses the new text of a file that was parsed before. Unchanged documents are reused with their `contentId`, and so
 * are the unchanged items of a List; if that is safe, only the changed items of a List are read again. The result is
 * the same as that of `parseManifests` for the new text.
 */
export function reparseManifests(previous: ManifestFile, newText: string): ManifestFile {
  if (newText === previous.text) return previous;
  const { uri, text: oldText } = previous;
  const refused = refuse(uri, newText);
  if (refused !== undefined) return refused;
  if (!previous.documents.every(isParsed) || previous.problems.length > 0) return parseManifests(uri, newText);
  const change = changeBetween(oldText, newText);
  const byStart = new Map(previous.documents.map(it => [it.span.start, it]));
  const documents = splitDocuments(newText).map((piece, index) => {
    const old = byStart.get(oldOffset(piece.start, change));
    if (old !== undefined && isUntouched(piece, old, change)) return moved(uri, newText, old, piece, index);
    return placeDocument(uri, newText, reread(old, newText, piece, change), piece, index, old);
  });
  return parsedFile(uri, newText, documents);
}

/** The old offset of an offset in the new text; an offset inside the change counts from its start. */
function oldOffset(offset: number, change: TextChange): number {
  return offset >= change.newEnd && offset > change.start ? offset - change.newEnd + change.oldEnd : offset;
}

/** Whether a document has the same text as before: the change touches neither the document nor its ends. */
function isUntouched(piece: DocumentPiece, old: ParsedDocument, change: TextChange): boolean {
  if (piece.contentEnd - piece.start !== old.content.text.length) return false;
  const isBefore = piece.contentEnd <= change.start;
  return isBefore || piece.start >= change.newEnd;
}

function moved(uri: string, text: string, old: ParsedDocument, piece: DocumentPiece, index: number): ParsedDocument {
  const isInPlace =
    old.index === index &&
    old.span.start === piece.start &&
    old.span.end === piece.end &&
    piece.contentEnd === piece.end &&
    old.problems.length === old.content.problems.length;
  return isInPlace ? old : placeDocument(uri, text, old.content, piece, index);
}

function reread(
  old: ParsedDocument | undefined,
  text: string,
  piece: DocumentPiece,
  change: TextChange,
): DocumentContent {
  const inDocument = changeWithin(old, piece, change);
  if (old === undefined || inDocument === undefined) return withKeptParts(old?.content, readPiece(text, piece));
  const own = ownSlice(text, piece.start, piece.contentEnd);
  if (old.content.objects[0]?.item !== undefined) {
    return rereadItems(old.content, own, inDocument) ?? withKeptItems(old.content, readContent(own), inDocument);
  }
  return rereadPart(old.content, own, inDocument) ?? withKeptParts(old.content, readContent(own));
}

/** The change with offsets of a document; undefined unless it is all that changed there. */
function changeWithin(
  old: ParsedDocument | undefined,
  { start, contentEnd }: DocumentPiece,
  change: TextChange,
): TextChange | undefined {
  if (old?.span.start !== start || start > change.start || contentEnd < change.newEnd) return undefined;
  const inDocument = { start: change.start - start, oldEnd: change.oldEnd - start, newEnd: change.newEnd - start };
  const isWhole = contentEnd - start - inDocument.newEnd === old.content.text.length - inDocument.oldEnd;
  return isWhole ? inDocument : undefined;
}

/**
 * A document that is one object, with the parts of its earlier value that are the same: what follows from them need not
 * be found again.
 */
function withKeptParts(old: DocumentContent | undefined, fresh: DocumentContent): DocumentContent {
  const [object] = fresh.objects;
  if (object === undefined || object.item !== undefined || old?.value === undefined) return fresh;
  const value = keptParts(old.value, object.content.value);
  return isObject(value) ? { ...fresh, value, objects: [{ ...object, content: { ...object.content, value } }] } : fresh;
}
