import { type Connection, ProgressType } from 'vscode-languageserver/node';
import type { PreviewComparison } from '../analysis/preview';
import type { Asked } from './asked';
import type { Comparer } from './comparing/comparer';
import { toDocumentEdits } from './convert';
import {
  type PreviewAnswer,
  type PreviewComparisonParams,
  type PreviewParams,
  type PreviewWhyAnswer,
  previewClosedNotification,
  previewComparisonRequest,
  previewRequest,
  previewWhyRequest,
} from './protocol';

/** What the preview needs beside analysis. */
export interface PreviewWorld {
  /** Absent: nothing is compared. */
  readonly comparer?: Comparer;
  /** The source of clusters that is tried from now on. */
  readonly tryCluster: (source: string | undefined) => void;
  readonly hasKubeconfig: () => boolean;
}

const COMPARISON = new ProgressType<PreviewComparison>();

/** What the placement preview asks for. */
export function servePreview(
  connection: Connection,
  { analysis, canonicalUri, linesOf }: Asked,
  { comparer, tryCluster, hasKubeconfig }: PreviewWorld,
): void {
  const placeOf = ({ textDocument, position, pod, whatIf }: PreviewParams) => {
    const uri = textDocument && canonicalUri(textDocument.uri);
    const lines = uri === undefined ? undefined : linesOf(uri);
    if (uri === undefined || lines === undefined) return undefined;
    const offset = position ? lines.offset(position) : 0;
    return { uri, offset, ...(pod !== undefined && { pod }), ...(whatIf && { whatIf }) };
  };

  connection.onRequest(previewRequest, (params: PreviewParams): PreviewAnswer => {
    tryCluster(params.whatIf?.source);
    const at = placeOf(params);
    if (at === undefined) return null;
    const model = analysis().preview(at);
    return { ...model, choices: { ...model.choices, hasContexts: hasKubeconfig() } };
  });
  connection.onNotification(previewClosedNotification, () => tryCluster(undefined));

  connection.onRequest(previewWhyRequest, (params: PreviewParams): PreviewWhyAnswer => {
    const at = placeOf(params);
    const why = at && analysis().previewWhy(at);
    if (!why) return null;
    const edits = why.suggestions.map(it => it.edits && { documentChanges: toDocumentEdits(it.edits, linesOf) });
    return { why, edits: edits.map(it => it ?? null) };
  });

  connection.onRequest(previewComparisonRequest, async (params: PreviewComparisonParams, token): Promise<null> => {
    const at = placeOf(params);
    const tell = (known: PreviewComparison): void =>
      void connection.sendProgress(COMPARISON, params.partialResultToken, known);
    if (at && !token.isCancellationRequested) await comparer?.compare(analysis().previewComparison(at), tell, token);
    return null;
  });
  connection.onShutdown(() => comparer?.close());
}
