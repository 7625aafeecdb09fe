import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { changedBy, type PreviewDelta, type PreviewModel } from '../../../server/src/analysis/previewModel';
import { type PreviewParams, type PreviewUpdate, previewRequest } from '../../../server/src/lsp/protocol';
import { createLastRequest } from './lastRequest';
import type { ToPreview } from './messages';

/** Requests placements, one at a time: a new request cancels the last one. */
export interface PlacementRequests {
  /** The model that the page has. */
  model(): PreviewModel | undefined;
  /** The next model is posted as a whole. */
  forget(): void;
  /** Posts the placement. Resolves to the request’s token when it brought a model. */
  place(params: PreviewParams): Promise<vscode.CancellationToken | undefined>;
  stop(): void;
}

/** `answered` is called before a new model is posted. */
export function createPlacementRequests(
  client: LanguageClient,
  post: (message: ToPreview) => void,
  answered: () => void,
): PlacementRequests {
  let model: PreviewModel | undefined;
  const last = createLastRequest();

  const nothing = (reason: string): undefined => {
    model = undefined;
    post({ type: 'empty', reason });
  };

  return {
    model: () => model,
    forget() {
      model = undefined;
    },
    async place(params) {
      last.stop();
      if (!client.isRunning()) return nothing(vscode.l10n.t('Open a Kubernetes manifest to see where its Pods land.'));
      const token = last.begin();
      try {
        const before = model;
        const request: PreviewParams = { ...params, known: before?.revision ?? 0 };
        const answer = await client.sendRequest<PreviewUpdate>(previewRequest, request, token);
        if (token.isCancellationRequested) return undefined;
        model = answer ? modelOf(answer, before) : undefined;
        answered();
        if (!answer || !model) return nothing(vscode.l10n.t('There is no Pod to place.'));
        post('lists' in answer ? { type: 'change', delta: answer } : { type: 'model', model: answer });
        return token;
      } catch (error) {
        if (token.isCancellationRequested) return undefined;
        return nothing(vscode.l10n.t('The placement could not be computed: {0}', String(error)));
      }
    },
    stop: last.stop,
  };
}

const modelOf = (answer: PreviewModel | PreviewDelta, before: PreviewModel | undefined): PreviewModel | undefined =>
  'lists' in answer ? before && changedBy(before, answer) : answer;
