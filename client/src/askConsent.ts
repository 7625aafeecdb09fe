import * as vscode from 'vscode';
import type { MayRunAnswer, MayRunParams } from '../../server/src/lsp/protocol';
import type { Consents } from './consents';

/** Asks whether a program may be run; a question that is closed has no answer. */
export async function askConsent({ folder, context, program }: MayRunParams): Promise<MayRunAnswer | undefined> {
  const [run, never] = [vscode.l10n.t('Run'), vscode.l10n.t('Never in this folder')];
  const place = vscode.workspace.asRelativePath(vscode.Uri.parse(folder));
  const question = vscode.l10n.t(
    'berth.yaml of {0} names the live cluster {1}. For its credentials your kubeconfig runs this program: {2}',
    place,
    context ?? vscode.l10n.t('of the current context'),
    program,
  );
  const answer = await vscode.window.showWarningMessage(question, run, never);
  if (answer === undefined) return undefined;
  return answer === run ? 'yes' : 'no';
}

/** Takes back what was allowed and refused. */
export async function forgetConsents(consents: Consents, forgotten: () => Promise<void>): Promise<void> {
  const allowed = consents.allowed();
  await consents.forget();
  await forgotten();
  void vscode.window.showInformationMessage(
    allowed === 0
      ? vscode.l10n.t('No program was allowed to run.')
      : vscode.l10n.t('Berth will ask again before it runs programs for credentials.'),
  );
}
