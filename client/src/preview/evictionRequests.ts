import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { ReschedulerKind } from '../../../server/src/analysis/previewModel';
import {
  type PreviewParams,
  type PreviewReschedulersAnswer,
  type PreviewReschedulersParams,
  previewReschedulersRequest,
} from '../../../server/src/lsp/protocol';
import type { ToPreview } from './messages';

/** Has movers followed, one question at a time. */
export interface EvictionRequests {
  ask(params: PreviewParams, kind: ReschedulerKind): Promise<void>;
  stop(): void;
}

export function createEvictionRequests(client: LanguageClient, post: (message: ToPreview) => void): EvictionRequests {
  let following: vscode.CancellationTokenSource | undefined;
  return {
    async ask(params, kind) {
      following?.cancel();
      if (!client.isRunning()) return;
      following = new vscode.CancellationTokenSource();
      const { token } = following;
      const asked: PreviewReschedulersParams = { ...params, kind };
      const movers = await client
        .sendRequest<PreviewReschedulersAnswer>(previewReschedulersRequest, asked, token)
        .catch(() => null);
      if (movers && !token.isCancellationRequested) post({ type: 'movers', movers });
    },
    stop: () => following?.cancel(),
  };
}
