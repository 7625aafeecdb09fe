import * as vscode from 'vscode';

/** The folder of the active file, else the first one; undefined without a workspace. */
export function workspaceFolder(): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active && vscode.workspace.getWorkspaceFolder(active);
  return (own ?? vscode.workspace.workspaceFolders?.[0])?.uri;
}

/** Whether a document is written in a language of manifests. It may hold something else, such as values of a chart. */
export const isManifest = (document: vscode.TextDocument): boolean =>
  document.languageId === 'yaml' || document.languageId === 'json';

/** The text of a file, with what is unsaved in an editor; undefined when there is none. */
export async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

/** Replaces the text of a file, or makes it, and saves it. */
export async function writeText(uri: vscode.Uri, text: string): Promise<void> {
  const document = (await textOf(uri)) === undefined ? undefined : await vscode.workspace.openTextDocument(uri);
  if (document === undefined) return vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await vscode.workspace.applyEdit(edit);
  await document.save();
}
