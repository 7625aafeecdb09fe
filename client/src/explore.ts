import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { ProgressType } from 'vscode-languageclient/node';
import {
  type ExploreAnswer,
  type ExploreParams,
  type ExploreSubject,
  exploreRequest,
} from '../../server/src/lsp/protocol';

const SHARE = new ProgressType<number>();

/** Has the environment of a file explored, and lists what could happen there. */
export async function explore(started: Promise<LanguageClient>, subject?: ExploreSubject): Promise<void> {
  const uri = subject ? vscode.Uri.parse(subject.uri) : vscode.window.activeTextEditor?.document.uri;
  if (!uri) return;
  const client = await started;
  const answer = await explored(client, uri);
  if (answer === 'cancelled') return;
  if (answer === null)
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing was explored: nothing describes the nodes that these Pods run on, or it takes too long.'),
    );
  else await list(client, answer);
}

async function explored(client: LanguageClient, uri: vscode.Uri): Promise<ExploreAnswer | null | 'cancelled'> {
  const title = vscode.l10n.t('Berth explores what could happen');
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const progressToken = `explore ${Date.now()}`;
      const state = { share: 0 };
      const listener = client.onProgress(SHARE, progressToken, share => {
        progress.report({ increment: (share - state.share) * 100 });
        state.share = share;
      });
      const params: ExploreParams = {
        textDocument: { uri: client.code2ProtocolConverter.asUri(uri) },
        progressToken,
      };
      try {
        const answer = await client.sendRequest<ExploreAnswer | null>(exploreRequest, params, token);
        return token.isCancellationRequested ? 'cancelled' : answer;
      } catch (error) {
        if (token.isCancellationRequested) return 'cancelled';
        throw error;
      } finally {
        listener.dispose();
      }
    },
  );
}

interface Item extends vscode.QuickPickItem {
  readonly place?: vscode.Location;
}

/** What may go wrong first; choosing it goes to the field that it comes from. */
async function list(client: LanguageClient, { findings, holds, open }: ExploreAnswer): Promise<void> {
  const items: readonly Item[] = [
    ...findings.map(({ message, place }): Item => {
      const location =
        place &&
        new vscode.Location(
          client.protocol2CodeConverter.asUri(place.uri),
          client.protocol2CodeConverter.asRange(place.range),
        );
      const description = location && vscode.workspace.asRelativePath(location.uri);
      return { label: `$(warning) ${message}`, ...(location && { place: location, detail: description ?? '' }) };
    }),
    ...open.map((it): Item => ({ label: `$(question) ${it}`, description: vscode.l10n.t('left open by a limit') })),
    ...holds.map((it): Item => ({ label: `$(check) ${it}` })),
  ];
  const nothing: Item = { label: `$(info) ${vscode.l10n.t('No question can be asked of these objects.')}` };
  const chosen = await vscode.window.showQuickPick(items.length === 0 ? [nothing] : items, {
    title: vscode.l10n.t(
      'What could happen: {0} may go wrong, {1} hold, {2} left open',
      findings.length,
      holds.length,
      open.length,
    ),
    placeHolder: vscode.l10n.t('Choose a finding to go to the field that it comes from'),
  });
  if (!chosen?.place) return;
  const document = await vscode.workspace.openTextDocument(chosen.place.uri);
  await vscode.window.showTextDocument(document, { selection: chosen.place.range });
}
