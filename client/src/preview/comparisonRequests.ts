import * as vscode from 'vscode';
import { type LanguageClient, ProgressType } from 'vscode-languageclient/node';
import type { PreviewComparison } from '../../../server/src/analysis/previewModel';
import {
  type PreviewComparisonParams,
  type PreviewParams,
  previewComparisonRequest,
} from '../../../server/src/lsp/protocol';
import type { ToPreview } from './messages';

const COMPARISON = new ProgressType<PreviewComparison>();
const NOTHING_COMPARED: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 0 };

/** Has placements compared, one question at a time. */
export interface ComparisonRequests {
  /** What is known is posted again and again, until everything is or it is stopped. */
  compare(params: PreviewParams): Promise<void>;
  stop(): void;
}

export function createComparisonRequests(
  client: LanguageClient,
  post: (message: ToPreview) => void,
): ComparisonRequests {
  let comparing: vscode.CancellationTokenSource | undefined;
  let count = 0;
  return {
    async compare(params) {
      comparing?.cancel();
      if (!client.isRunning()) return;
      comparing = new vscode.CancellationTokenSource();
      const { token } = comparing;
      let known = NOTHING_COMPARED;
      const tell = (comparison: PreviewComparison): void => {
        if (token.isCancellationRequested) return;
        known = comparison;
        post({ type: 'comparison', comparison });
      };
      count += 1;
      const asked: PreviewComparisonParams = { ...params, partialResultToken: `comparison ${count}` };
      const listener = client.onProgress(COMPARISON, asked.partialResultToken, tell);
      await client
        .sendRequest(previewComparisonRequest, asked, token)
        .catch((error: unknown) => tell({ ...known, failure: String(error) }));
      listener.dispose();
    },
    stop: () => comparing?.cancel(),
  };
}
