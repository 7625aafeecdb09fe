import { isObject } from '../base/json';
import { keptParts } from '../base/keptParts';
import { ownSlice } from '../text/ownSlice';
import { changeBetween, type TextChange } from './change';
import type { DocumentContent } from './content';
import { type DocumentPiece, splitDocuments } from './documents';
import { formatOf, isParsed, type ParsedDocument, placeDocument, readPiece, refuse } from './file';
import { withKeptItems } from './keptItems';
import { rereadItems } from './listItems';
import type { ManifestFile } from './manifest';
import { parseManifests } from './parse';

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
  return { uri, text: newText, format: formatOf(uri), documents, problems: [] };
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
  const startsBefore = piece.start <= change.start && piece.contentEnd >= change.newEnd;
  const mayKeep = old?.content.objects[0]?.item !== undefined && old.span.start === piece.start && startsBefore;
  if (!mayKeep) return withKeptParts(old?.content, readPiece(text, piece));
  const inDocument = {
    start: change.start - piece.start,
    oldEnd: change.oldEnd - piece.start,
    newEnd: change.newEnd - piece.start,
  };
  const { start, contentEnd } = piece;
  const isWhole = contentEnd - start - inDocument.newEnd === old.content.text.length - inDocument.oldEnd;
  if (!isWhole) return readPiece(text, piece);
  const ofItems = rereadItems(old.content, ownSlice(text, start, contentEnd), inDocument);
  return ofItems ?? withKeptItems(old.content, readPiece(text, piece), inDocument);
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
