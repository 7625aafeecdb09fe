import * as vscode from 'vscode';
import { environmentText } from './environmentText';
import { textOf, writeText } from './workspaceFiles';

/** Writes an environment into berth.yaml whose Pods are placed on the Nodes of one folder. */
export async function useNodes(folder: vscode.Uri, path: string, serves: readonly string[]): Promise<void> {
  const uri = vscode.Uri.joinPath(folder, 'berth.yaml');
  const text = (await textOf(uri)) ?? '';
  const added = environmentText(text, path, serves);
  if (added !== undefined) {
    await writeText(uri, added);
    return;
  }
  await vscode.window.showTextDocument(uri);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('berth.yaml declares environments. Add {0} to the paths of one of them.', path),
  );
}
