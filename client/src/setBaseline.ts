import * as vscode from 'vscode';
import { runCli } from './runCli';
import { textOf, workspaceFolder, writeText } from './workspaceFiles';

const FILE = 'berth-baseline.json';

/** Writes the problems of today into a baseline that berth.yaml names: from then on only new ones are listed. */
export async function setBaseline(context: Pick<vscode.ExtensionContext, 'asAbsolutePath'>): Promise<void> {
  const folder = workspaceFolder();
  if (folder === undefined) return;
  const version = vscode.workspace.getConfiguration('berth', folder).get<string>('kubernetesVersion');
  const flags = version === undefined ? [] : ['--kubernetes-version', version];
  const title = vscode.l10n.t('Berth writes a baseline');
  const { code } = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    runCli(context, ['baseline', '.', '--output', FILE, ...flags], { cwd: folder.fsPath }),
  );
  if (code !== 0) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Berth could not write a baseline.'));
    return;
  }
  const configuration = vscode.Uri.joinPath(folder, 'berth.yaml');
  const text = (await textOf(configuration)) ?? '';
  if (!/^baseline\s*:/m.test(text))
    await writeText(configuration, `${text === '' || text.endsWith('\n') ? text : `${text}\n`}baseline: ${FILE}\n`);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('{0} knows the problems of today. Berth lists new ones from now on.', FILE),
  );
}
