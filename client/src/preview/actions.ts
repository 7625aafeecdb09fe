import * as vscode from 'vscode';
import type { ExportFormat } from './messages';

/** The version of each open document, by its uri. */
export type Versions = ReadonlyMap<string, number>;

export const versionsNow = (): Versions =>
  new Map(vscode.workspace.textDocuments.map(it => [it.uri.toString(), it.version]));

/**
 * Makes the change of a suggestion, and offers to take it back as long as the text has not changed again.
 * @param versions The versions that the change was computed for.
 */
export async function applySuggestion(title: string, edit: vscode.WorkspaceEdit, versions: Versions): Promise<void> {
  const documents = await Promise.all(edit.entries().map(([uri]) => vscode.workspace.openTextDocument(uri)));
  if (documents.some(it => it.version !== (versions.get(it.uri.toString()) ?? it.version))) {
    const message = vscode.l10n.t('The text has changed since this was suggested: {0}', title);
    void vscode.window.showWarningMessage(message);
    return;
  }
  const before = documents.map(it => it.getText());
  if (!(await vscode.workspace.applyEdit(edit))) {
    void vscode.window.showWarningMessage(vscode.l10n.t('The change could not be made: {0}', title));
    return;
  }
  const after = documents.map(it => it.getText());
  const undo = vscode.l10n.t('Undo');
  const answer = await vscode.window.showInformationMessage(vscode.l10n.t('Changed: {0}', title), undo);
  if (answer !== undo || documents.some((it, index) => it.getText() !== after[index])) return;
  const back = new vscode.WorkspaceEdit();
  documents.forEach((it, index) => {
    const whole = new vscode.Range(it.positionAt(0), it.positionAt(after[index]?.length ?? 0));
    back.replace(it.uri, whole, before[index] ?? '');
  });
  await vscode.workspace.applyEdit(back);
}

const KINDS: Readonly<Record<ExportFormat | GraphExportFormat, string>> = {
  svg: 'SVG',
  png: 'PNG',
  json: 'JSON',
  md: 'Markdown',
  dot: 'Graphviz DOT',
  mmd: 'Mermaid',
};

/** The file extensions of the formats in which a state graph is exported. */
export type GraphExportFormat = 'svg' | 'dot' | 'mmd';

/** Asks for a file, and writes the export into it. */
export async function saveExport(
  format: ExportFormat | GraphExportFormat,
  content: string,
  name = 'placement',
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const target = await vscode.window.showSaveDialog({
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, `${name}.${format}`) }),
    filters: { [KINDS[format]]: [format] },
  });
  if (!target) return;
  await vscode.workspace.fs.writeFile(target, Buffer.from(content, format === 'png' ? 'base64' : 'utf8'));
}
