import type { DocumentContent } from './content';
import { type Piece, splitDocuments } from './documents';
import { formatOf, type ParsedDocument, placeDocument, readPiece, refuse } from './file';
import { rereadItem } from './listItem';
import type { ManifestDocument, ManifestFile } from './manifest';
import { parseManifests } from './parse';

/** What changed between two texts: their common start, and where their common end begins in each. */
interface Change {
  readonly start: number;
  readonly oldEnd: number;
  readonly newEnd: number;
}

/**
 * Parses the new text of a file that was parsed before. Documents whose text did not change are carried over with
 * their `contentId`; in a List only the item that holds the change is read again where that is safe. The answer is
 * the same as that of `parseManifests` on the new text.
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
    return placeDocument(uri, newText, reread(old, newText, piece, change), piece, index);
  });
  return { uri, text: newText, format: formatOf(uri), documents, problems: [] };
}

function isParsed(document: ManifestDocument): document is ParsedDocument {
  return 'content' in document;
}

const CHUNK = 4096;

function changeBetween(oldText: string, newText: string): Change {
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start + CHUNK <= shorter && oldText.slice(start, start + CHUNK) === newText.slice(start, start + CHUNK)) {
    start += CHUNK;
  }
  while (start < shorter && oldText.charCodeAt(start) === newText.charCodeAt(start)) start++;
  let same = 0;
  const most = shorter - start;
  while (same + CHUNK <= most && isSameBefore(oldText, newText, same)) same += CHUNK;
  while (
    same < most &&
    oldText.charCodeAt(oldText.length - 1 - same) === newText.charCodeAt(newText.length - 1 - same)
  ) {
    same++;
  }
  return { start, oldEnd: oldText.length - same, newEnd: newText.length - same };
}

function isSameBefore(oldText: string, newText: string, same: number): boolean {
  const oldEnd = oldText.length - same;
  const newEnd = newText.length - same;
  return oldText.slice(oldEnd - CHUNK, oldEnd) === newText.slice(newEnd - CHUNK, newEnd);
}

/** Where a place of the new text was in the old one; a place inside the change counts from its start. */
function oldOffset(offset: number, change: Change): number {
  return offset >= change.newEnd && offset > change.start ? offset - change.newEnd + change.oldEnd : offset;
}

/** Whether a document has the same text as before: the change touches neither it nor its ends. */
function isUntouched(piece: Piece, old: ParsedDocument, change: Change): boolean {
  if (piece.contentEnd - piece.start !== old.content.text.length) return false;
  const isBefore = piece.contentEnd <= change.start;
  return isBefore || piece.start >= change.newEnd;
}

function moved(uri: string, text: string, old: ParsedDocument, piece: Piece, index: number): ParsedDocument {
  const isInPlace =
    old.index === index &&
    old.span.start === piece.start &&
    old.span.end === piece.end &&
    piece.contentEnd === piece.end &&
    old.problems.length === old.content.problems.length;
  return isInPlace ? old : placeDocument(uri, text, old.content, piece, index);
}

function reread(old: ParsedDocument | undefined, text: string, piece: Piece, change: Change): DocumentContent {
  const startsBefore = piece.start <= change.start && piece.contentEnd >= change.newEnd;
  if (old?.content.list !== undefined && old.span.start === piece.start && startsBefore) {
    const inDocument = {
      start: change.start - piece.start,
      oldEnd: change.oldEnd - piece.start,
      newEnd: change.newEnd - piece.start,
    };
    const newText = text.slice(piece.start, piece.contentEnd);
    const isWhole = newText.length - inDocument.newEnd === old.content.text.length - inDocument.oldEnd;
    const content = isWhole ? rereadItem(old.content, newText, inDocument) : undefined;
    if (content !== undefined) return content;
  }
  return readPiece(text, piece);
}
