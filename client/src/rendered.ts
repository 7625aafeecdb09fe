import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { type RenderedParams, renderedRequest } from '../../server/src/lsp/protocol';

const SCHEME = 'berth-rendered';

/** Shows the output of kustomize and helm, read-only; related locations of problems lead there. */
export interface RenderedDocuments extends vscode.Disposable {
  /** Reads open documents again: something may have been rendered. */
  changed(): void;
}

export function createRenderedDocuments(client: Promise<LanguageClient>): RenderedDocuments {
  const changes = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changes.event,
    async provideTextDocumentContent(uri) {
      // The server knows how the uris of files are written; VS Code would encode more of them.
      const params: RenderedParams = { uri: uri.with({ scheme: 'file' }).toString() };
      const text = await (await client).sendRequest<string | null>(renderedRequest, params);
      return text ?? vscode.l10n.t('# This is not rendered any more: see the problems of its kustomization or chart.');
    },
  });
  return {
    changed() {
      for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === SCHEME) changes.fire(uri);
    },
    dispose() {
      registration.dispose();
      changes.dispose();
    },
  };
}
