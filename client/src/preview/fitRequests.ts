import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { type PreviewFitAnswer, type PreviewFitParams, previewFitRequest } from '../../../server/src/lsp/protocol';
import type { ToPreview } from './messages';

/** Requests whether a Pod would fit on a node, one at a time: a new request cancels the last one. */
export interface FitRequests {
  ask(params: PreviewFitParams): Promise<void>;
  stop(): void;
}

export function createFitRequests(client: LanguageClient, post: (message: ToPreview) => void): FitRequests {
  let pending: vscode.CancellationTokenSource | undefined;
  return {
    async ask(params) {
      pending?.cancel();
      if (!client.isRunning()) return;
      pending = new vscode.CancellationTokenSource();
      const { token } = pending;
      const fit = await client.sendRequest<PreviewFitAnswer>(previewFitRequest, params, token).catch(() => null);
      if (fit && !token.isCancellationRequested) post({ type: 'fit', fit });
    },
    stop: () => pending?.cancel(),
  };
}
