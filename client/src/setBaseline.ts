import * as vscode from 'vscode';
import { runCli } from './runCli';
import { settingFlags, versionFlags } from './settingFlags';
import { textOf, workspaceFolder, writeText } from './workspaceFiles';

const FILE = 'berth-baseline.json';

/** Writes the problems of today into a baseline that berth.yaml names: from then on only new ones are listed. */
export async function setBaseline(context: Pick<vscode.ExtensionContext, 'asAbsolutePath'>): Promise<void> {
  const folder = workspaceFolder();
  if (folder === undefined) return;
  const title = vscode.l10n.t('Berth writes a baseline');
  const code = await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    write(context, folder),
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

/** The exit code of `berth baseline`, with the settings that the problems of the editor come from. */
async function write(context: Parameters<typeof runCli>[0], folder: vscode.Uri): Promise<number | null> {
  const settings = vscode.workspace.getConfiguration('berth', folder);
  const trust = vscode.workspace.isTrusted ? 'trusted' : 'untrusted';
  const flags = [...versionFlags(it => settings.get(it)), ...settingFlags(it => settings.get(it), trust)];
  const run = async (...more: readonly string[]): Promise<number | null> =>
    (await runCli(context, ['baseline', '.', '--output', FILE, ...flags, ...more], { cwd: folder.fsPath })).code;
  // Without the tools that render there are no problems of what they render, neither here nor in the editor.
  if (trust === 'trusted' && settings.get('render') !== 'off' && (await run('--render')) === 0) return 0;
  return run();
}
