import type { LanguageClient } from 'vscode-languageclient/node';
import type { ReschedulerKind } from '../../../server/src/analysis/previewModel';
import {
  type PreviewParams,
  type PreviewReschedulersAnswer,
  type PreviewReschedulersParams,
  previewReschedulersRequest,
} from '../../../server/src/lsp/protocol';
import { createLastRequest } from './lastRequest';
import type { ToPreview } from './messages';

/** Requests what the descheduler or VPAs would do, one at a time: a new request cancels the last one. */
export interface EvictionRequests {
  ask(params: PreviewParams, kind: ReschedulerKind): Promise<void>;
  stop(): void;
}

export function createEvictionRequests(client: LanguageClient, post: (message: ToPreview) => void): EvictionRequests {
  const last = createLastRequest();
  return {
    async ask(params, kind) {
      last.stop();
      if (!client.isRunning()) return;
      const token = last.begin();
      const request: PreviewReschedulersParams = { ...params, kind };
      const movers = await client
        .sendRequest<PreviewReschedulersAnswer>(previewReschedulersRequest, request, token)
        .catch(() => null);
      if (movers && !token.isCancellationRequested) post({ type: 'movers', movers });
    },
    stop: last.stop,
  };
}
