import {
  type Connection,
  type DocumentLink,
  type Location,
  type LocationLink,
  LSPErrorCodes,
  ResponseError,
  type TextDocumentEdit,
  type TextEdit,
} from 'vscode-languageserver/node';
import type { Analysis } from '../analysis/analysis';
import type { FileEdit } from '../rules/framework/problem';
import { type LinesByUri, toRange } from './convert';
import type { RequestContext } from './requestContext';

/** Capabilities of `serveNavigation`. */
export const NAVIGATION = {
  definitionProvider: true,
  referencesProvider: true,
  renameProvider: { prepareProvider: true },
  documentLinkProvider: {},
} as const;

/** Serves definitions, references, renames and links. */
export function serveNavigation(connection: Connection, { analysis, canonicalUri, linesOf }: RequestContext): void {
  type Place = ReturnType<Analysis['references']>[number];
  const toLocation = ({ uri, span }: Place): Location => ({ uri, range: toRange(span, linesOf(uri)) });

  connection.onDefinition(({ textDocument, position }): LocationLink[] | null => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    const found = lines && analysis().definition(uri, lines.offset(position));
    if (!found) return null;
    const originSelectionRange = toRange(found.span, lines);
    return found.locations.map(it => {
      const { uri: targetUri, range } = toLocation(it);
      return { originSelectionRange, targetUri, targetRange: range, targetSelectionRange: range };
    });
  });

  connection.onReferences(({ textDocument, position, context }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return null;
    const wanted = context.includeDeclaration ? 'usesAndDefinitions' : 'uses';
    return analysis().references(uri, lines.offset(position), wanted).map(toLocation);
  });

  connection.onPrepareRename(({ textDocument, position }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return null;
    const found = analysis().renamable(uri, lines.offset(position));
    if ('refusal' in found) throw new ResponseError(LSPErrorCodes.RequestFailed, found.refusal);
    return { range: toRange(found.span, lines), placeholder: found.name };
  });

  connection.onRenameRequest(({ textDocument, position, newName }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return null;
    const renaming = analysis().rename(uri, lines.offset(position), newName);
    if ('refusal' in renaming) throw new ResponseError(LSPErrorCodes.RequestFailed, renaming.refusal);
    return { documentChanges: documentChanges(renaming.edits, linesOf) };
  });

  connection.onDocumentLinks(({ textDocument }): DocumentLink[] => {
    const uri = canonicalUri(textDocument.uri);
    return analysis()
      .documentLinks(uri)
      .flatMap(({ span, locations: [place] }) => {
        if (place === undefined) return [];
        const { start } = toLocation(place).range;
        const target = `${place.uri}#L${start.line + 1},${start.character + 1}`;
        return [{ range: toRange(span, linesOf(uri)), target }];
      });
  });
}

function documentChanges(edits: readonly FileEdit[], linesOf: LinesByUri): TextDocumentEdit[] {
  const byUri = new Map<string, TextEdit[]>();
  for (const { uri, span, newText } of edits) {
    const ofFile = byUri.get(uri) ?? [];
    ofFile.push({ range: toRange(span, linesOf(uri)), newText });
    byUri.set(uri, ofFile);
  }
  return [...byUri].map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
}
