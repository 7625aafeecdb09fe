import * as vscode from 'vscode';
import { runCli, speaking } from './runCli';

const scheme = 'berth-explain';

/**
 * Pages of codes, as documents that exist nowhere on disk. The words are those of `berth explain CODE`, from the same
 * program, so that editor and terminal cannot differ.
 */
export function registerPages(context: vscode.ExtensionContext): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    async provideTextDocumentContent(uri) {
      const code = uri.path.slice(1).replace(/\.md$/, '');
      const answer = await runCli(context, ['explain', code], { env: speaking(vscode.env.language) });
      return answer.code === 0 ? answer.out : vscode.l10n.t('Berth has no explanation of {0}.', code);
    },
  });
}

/** The same problems, each with a code that leads to its page. */
export function withPages(diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  return diagnostics.map(it => {
    const value = codeOf(it);
    it.code = { value, target: pageOf(value) };
    return it;
  });
}

const pageOf = (code: string): vscode.Uri => vscode.Uri.from({ scheme, path: `/${code}.md` });

/** Shows what the problem under the cursor means, beside it. */
export async function explain(): Promise<void> {
  const code = await chosenCode(vscode.window.activeTextEditor);
  if (!code) return;
  await vscode.commands.executeCommand('markdown.showPreviewToSide', pageOf(code));
}

/** The code under the cursor; that of one of the file's problems, as the user chooses, when there is none or several. */
async function chosenCode(editor: vscode.TextEditor | undefined): Promise<string | undefined> {
  const problems = editor
    ? vscode.languages.getDiagnostics(editor.document.uri).filter(it => it.source === 'berth')
    : [];
  const here = problems.filter(it => editor && it.range.contains(editor.selection.active));
  const candidates = here.length > 0 ? here : problems;
  const messages = new Map(candidates.map(it => [codeOf(it), it.message]));
  if (messages.size === 0) {
    await vscode.window.showInformationMessage(vscode.l10n.t('Berth has found no problem in this file.'));
    return undefined;
  }
  if (here.length > 0 && messages.size === 1) return [...messages.keys()][0];
  const items = [...messages].map(([label, detail]) => ({ label, detail }));
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Problem to explain') }))?.label;
}

function codeOf(diagnostic: vscode.Diagnostic): string {
  return String(typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code);
}
