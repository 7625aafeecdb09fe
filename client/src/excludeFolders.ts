import * as vscode from 'vscode';
import { berthProblems } from './berthProblems';
import { foldersToExclude, withIgnored } from './foldersToExclude';
import { textOf, workspaceFolder, writeText } from './workspaceFiles';

interface Choice extends vscode.QuickPickItem {
  readonly path: string;
}

/** Has the user choose folders with problems, and writes them to `.berthignore`. */
export async function excludeFolders(): Promise<void> {
  const folder = workspaceFolder();
  if (folder === undefined) return;
  const files = berthProblems()
    .filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() === folder.toString())
    .map(([uri, own]) => [vscode.workspace.asRelativePath(uri, false), own.length] as const);
  const choices = foldersToExclude(files).map(
    (it): Choice => ({
      label: it.path,
      description: vscode.l10n.t('{0} problems', it.problems),
      picked: it.isSuggested,
      path: it.path,
    }),
  );
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No folder of this workspace has problems.'));
    return;
  }
  const picked = await vscode.window.showQuickPick(choices, {
    canPickMany: true,
    title: vscode.l10n.t('Folders that Berth leaves alone'),
    placeHolder: vscode.l10n.t('They are written to .berthignore'),
  });
  if (picked === undefined || picked.length === 0) return;
  const uri = vscode.Uri.joinPath(folder, '.berthignore');
  const text = (await textOf(uri)) ?? '';
  await writeText(
    uri,
    withIgnored(
      text,
      picked.map(it => it.path),
    ),
  );
}
