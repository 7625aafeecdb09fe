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
  /** The last explanation is one of before: its changes are not to be made any more. */
  outdate(): void;
}

export function createExplanationRequests(
  client: LanguageClient,
  post: (message: ToPreview) => void,
): ExplanationRequests {
  let why: { readonly told: NonNullable<PreviewWhyAnswer>; readonly versions: Versions } | undefined;
  return {
    async explain(params, pod, token) {
      if (!client.isRunning()) return;
      const versions = versionsNow();
      const told = await client
        .sendRequest<PreviewWhyAnswer>(previewWhyRequest, { ...params, pod }, token)
        .catch(() => null);
      if (token?.isCancellationRequested || !told) return;
      why = { told, versions };
      post({ type: 'why', why: told.why });
    },
    async apply(pod, suggestion) {
      const { told, versions } = why?.told.why.pod === pod ? why : {};
      const edit = told?.edits[suggestion];
      if (!told || !versions || !edit) {
        void vscode.window.showWarningMessage(
          vscode.l10n.t('This suggestion is worked out anew. Try again in a moment.'),
        );
        return;
      }
      why = undefined;
      const title = told.why.suggestions[suggestion]?.title ?? '';
      await applySuggestion(title, await client.protocol2CodeConverter.asWorkspaceEdit(edit), versions);
    },
    outdate() {
      why = undefined;
    },
  };
}
