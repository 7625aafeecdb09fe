import { type DocumentContent, readContent } from './content';
import { type DocumentPiece, splitDocuments } from './documents';
import { parsedFile, placeDocument, refuse } from './file';
import type { ManifestFile } from './manifest';

/**
 * Parses the manifests of a file: YAML or JSON, one document or many. Never throws; syntax errors are among the
 * problems of the file and of its documents, and values contain what could be read.
 */
export function parseManifests(uri: string, text: string): ManifestFile {
  const refused = refuse(uri, text);
  if (refused !== undefined) return refused;
  const read = readerWithin(text);
  return parsedFile(
    uri,
    text,
    splitDocuments(text).map((piece, i) => placeDocument(uri, text, read(piece), piece, i)),
  );
}

/** Longer documents are seldom the same. */
const LONGEST_SHARED = 32;

/**
 * Reads documents as parts of their file's text, which is kept as long as the file: most files are never edited. Short
 * documents of the same text without objects are read once: a file of 1 MB has room for 250,000 of them.
 */
function readerWithin(text: string): (piece: DocumentPiece) => DocumentContent {
  const shared = new Map<string, DocumentContent>();
  return ({ start, contentEnd }) => {
    const own = text.slice(start, contentEnd);
    if (own.length > LONGEST_SHARED) return readContent(own);
    const content = shared.get(own) ?? readContent(own);
    if (content.objects.length === 0) shared.set(own, content);
    return content;
  };
}
