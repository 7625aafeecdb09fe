import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { type PreviewParams, type PreviewWhyAnswer, previewWhyRequest } from '../../../server/src/lsp/protocol';
import { applySuggestion, type Versions, versionsNow } from './actions';
import type { ToPreview } from './messages';

/** Why a Pod is where it is, and the changes that the last answer suggests. */
export interface ExplanationRequests {
  explain(params: PreviewParams, pod: string, token?: vscode.CancellationToken): Promise<void>;
  /** Makes the change of a suggestion of the last explanation. */
  apply(pod: string, suggestion: number): Promise<void>;
  /** The last explanation is outdated: its changes must not be made any more. */
  outdate(): void;
}

export function createExplanationRequests(
  client: LanguageClient,
  post: (message: ToPreview) => void,
): ExplanationRequests {
  let why: { readonly answer: NonNullable<PreviewWhyAnswer>; readonly versions: Versions } | undefined;
  return {
    async explain(params, pod, token) {
      if (!client.isRunning()) return;
      const versions = versionsNow();
      const answer = await client
        .sendRequest<PreviewWhyAnswer>(previewWhyRequest, { ...params, pod }, token)
        .catch(() => null);
      if (token?.isCancellationRequested || !answer) return;
      why = { answer, versions };
      post({ type: 'why', why: answer.why });
    },
    async apply(pod, suggestion) {
      const { answer, versions } = why?.answer.why.pod === pod ? why : {};
      const edit = answer?.edits[suggestion];
      if (!answer || !versions || !edit) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This suggestion is worked out anew. Try again in a moment.'),
        );
        return;
      }
      why = undefined;
      const title = answer.why.suggestions[suggestion]?.title ?? '';
      await applySuggestion(title, await client.protocol2CodeConverter.asWorkspaceEdit(edit), versions);
    },
    outdate() {
      why = undefined;
    },
  };
}
