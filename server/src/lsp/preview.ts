import type { Connection } from 'vscode-languageserver/node';
import type { Analysis } from '../analysis/analysis';
import { type LinesOf, toDocumentEdits } from './convert';
import {
  type PreviewAnswer,
  type PreviewFiguresAnswer,
  type PreviewParams,
  type PreviewWhyAnswer,
  previewFiguresRequest,
  previewRequest,
  previewWhyRequest,
} from './protocol';

interface World {
  readonly analysis: () => Analysis;
  readonly canonicalUri: (uri: string) => string;
  readonly linesOf: LinesOf;
}

/** What the placement preview asks for. */
export function servePreview(connection: Connection, { analysis, canonicalUri, linesOf }: World): void {
  const placeOf = ({ textDocument, position, pod, whatIf }: PreviewParams) => {
    const uri = textDocument && canonicalUri(textDocument.uri);
    const lines = uri === undefined ? undefined : linesOf(uri);
    if (uri === undefined || lines === undefined) return undefined;
    const offset = position ? lines.offset(position) : 0;
    return { uri, offset, ...(pod !== undefined && { pod }), ...(whatIf && { whatIf }) };
  };

  connection.onRequest(previewRequest, (params: PreviewParams): PreviewAnswer => {
    const at = placeOf(params);
    return at ? analysis().preview(at) : null;
  });

  connection.onRequest(previewWhyRequest, (params: PreviewParams): PreviewWhyAnswer => {
    const at = placeOf(params);
    const why = at && analysis().previewWhy(at);
    if (!why) return null;
    const edits = why.suggestions.map(it => it.edits && { documentChanges: toDocumentEdits(it.edits, linesOf) });
    return { why, edits: edits.map(it => it ?? null) };
  });

  connection.onRequest(previewFiguresRequest, (params: PreviewParams): PreviewFiguresAnswer => {
    const at = placeOf(params);
    return at ? analysis().previewFigures(at) : [];
  });
}
