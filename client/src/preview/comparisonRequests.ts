import { type LanguageClient, ProgressType } from 'vscode-languageclient/node';
import type { PreviewComparison } from '../../../server/src/analysis/previewModel';
import {
  type PreviewComparisonParams,
  type PreviewParams,
  previewComparisonRequest,
} from '../../../server/src/lsp/protocol';
import { createLastRequest } from './lastRequest';
import type { ToPreview } from './messages';

const COMPARISON = new ProgressType<PreviewComparison>();
const NOTHING_COMPARED: PreviewComparison = { strategies: [], pods: [], nodes: [], done: [], seconds: 0 };

/** Requests comparisons of strategies, one at a time: a new request cancels the last one. */
export interface ComparisonRequests {
  /** Posts partial results until the comparison is complete or stopped. */
  compare(params: PreviewParams): Promise<void>;
  stop(): void;
}

export function createComparisonRequests(
  client: LanguageClient,
  post: (message: ToPreview) => void,
): ComparisonRequests {
  const last = createLastRequest();
  let count = 0;
  return {
    async compare(params) {
      last.stop();
      if (!client.isRunning()) return;
      const token = last.begin();
      let known = NOTHING_COMPARED;
      const postPart = (comparison: PreviewComparison): void => {
        if (token.isCancellationRequested) return;
        known = comparison;
        post({ type: 'comparison', comparison });
      };
      count += 1;
      const request: PreviewComparisonParams = { ...params, partialResultToken: `comparison ${count}` };
      const listener = client.onProgress(COMPARISON, request.partialResultToken, postPart);
      await client
        .sendRequest(previewComparisonRequest, request, token)
        .catch((error: unknown) => postPart({ ...known, failure: String(error) }));
      listener.dispose();
    },
    stop: last.stop,
  };
}
