import { type DocumentContent, readContent } from './content';
import { type DocumentPiece, splitDocuments } from './documents';
import { parsedFile, placeDocument, refuse } from './file';
import type { ManifestFile } from './manifest';

/**
 * Parses the manifests of a file: YAML or JSON, one document or many. Never throws; syntax errors are among the
 * problems of the file and of its documents, and values contain what could be read.
 */
export function parseManifests(uri: string, text: string): ManifestFile {
  return (
    refuse(uri, text) ??
    parsedFile(
      uri,
      text,
      splitDocuments(text).map((piece, i) => placeDocument(uri, text, readWithin(text, piece), piece, i)),
    )
  );
}

/** Reads a document as a part of its file's text, which is kept as long as the file: most files are never edited. */
function readWithin(text: string, { start, contentEnd }: DocumentPiece): DocumentContent {
  return readContent(text.slice(start, contentEnd));
}
