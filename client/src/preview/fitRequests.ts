import type { LanguageClient } from 'vscode-languageclient/node';
import { type PreviewFitAnswer, type PreviewFitParams, previewFitRequest } from '../../../server/src/lsp/protocol';
import { createLastRequest } from './lastRequest';
import type { ToPreview } from './messages';

/** Requests whether a Pod would fit on a node, one at a time: a new request cancels the last one. */
export interface FitRequests {
  ask(params: PreviewFitParams): Promise<void>;
  stop(): void;
}

export function createFitRequests(client: LanguageClient, post: (message: ToPreview) => void): FitRequests {
  const last = createLastRequest();
  return {
    async ask(params) {
      last.stop();
      if (!client.isRunning()) return;
      const token = last.begin();
      const fit = await client.sendRequest<PreviewFitAnswer>(previewFitRequest, params, token).catch(() => null);
      if (fit && !token.isCancellationRequested) post({ type: 'fit', fit });
    },
    stop: last.stop,
  };
}
