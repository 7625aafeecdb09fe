import { type Connection, SemanticTokensBuilder, type ServerCapabilities } from 'vscode-languageserver/node';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../analysis/metadata';
import type { Span } from '../text/span';
import type { RequestContext } from './requestContext';

/** Capability of `serveSemanticTokens`. */
export const SEMANTIC_TOKENS: Pick<ServerCapabilities, 'semanticTokensProvider'> = {
  semanticTokensProvider: {
    legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
    full: true,
    range: true,
  },
};

/** Serves semantic tokens of a whole text or of the visible part. */
export function serveSemanticTokens(connection: Connection, { analysis, canonicalUri, linesOf }: RequestContext): void {
  const tokens = (uri: string, within: Span): { readonly data: number[] } => {
    const builder = new SemanticTokensBuilder();
    const lines = linesOf(uri);
    if (!lines) return { data: [] };
    for (const { span, type, modifiers } of analysis().semanticTokens(uri, within)) {
      const { line, character } = lines.position(span.start);
      const bits = modifiers.reduce((sum, it) => sum | (1 << TOKEN_MODIFIERS.indexOf(it)), 0);
      builder.push(line, character, span.end - span.start, TOKEN_TYPES.indexOf(type), bits);
    }
    return { data: builder.build().data };
  };

  connection.languages.semanticTokens.on(({ textDocument }) => {
    const uri = canonicalUri(textDocument.uri);
    return tokens(uri, { start: 0, end: analysis().text(uri)?.length ?? 0 });
  });

  connection.languages.semanticTokens.onRange(({ textDocument, range }) => {
    const uri = canonicalUri(textDocument.uri);
    const lines = linesOf(uri);
    if (!lines) return { data: [] };
    return tokens(uri, { start: lines.offset(range.start), end: lines.offset(range.end) });
  });
}
