import type { Connection } from 'vscode-languageserver/node';
import { toDocumentSymbol, toFoldingRange, toSelectionRange, toWorkspaceSymbol } from './convertOutline';
import type { RequestContext } from './requestContext';

/** Capabilities of `serveOutline`. */
export const OUTLINE = {
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
} as const;

/** Serves symbols, folding ranges and selection ranges. */
export function serveOutline(connection: Connection, { analysis, canonicalUri, linesOf }: RequestContext): void {
  connection.onDocumentSymbol(({ textDocument }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    return lines
      ? analysis()
          .documentSymbols(uri)
          .map(it => toDocumentSymbol(it, lines))
      : null;
  });

  connection.onWorkspaceSymbol(({ query }) =>
    analysis()
      .workspaceSymbols(query)
      .map(it => toWorkspaceSymbol(it, linesOf)),
  );

  connection.onFoldingRanges(({ textDocument }) =>
    analysis().foldingRanges(canonicalUri(textDocument.uri)).map(toFoldingRange),
  );

  connection.onSelectionRanges(({ textDocument, positions }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return null;
    const offsets = positions.map(it => lines.offset(it));
    return offsets.map(it => toSelectionRange(analysis().selectionRanges(uri, it), it, lines));
  });
}
