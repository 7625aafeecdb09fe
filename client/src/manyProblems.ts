import * as vscode from 'vscode';
import { berthProblems } from './berthProblems';
import { excludeFolders } from './excludeFolders';
import { setBaseline } from './setBaseline';

/** With more problems than that a list is not read. */
const MANY = 200;

/** The list of problems is complete when it did not change for so long, in milliseconds. */
const CALM = 3_000;

const ASKED = 'berth.manyProblemsAsked';

/** Says once in a workspace that there are many problems, and what can be done about that. */
export function offerHelpWithMany(context: vscode.ExtensionContext): vscode.Disposable {
  const state: { timer?: NodeJS.Timeout } = {};
  const listener = vscode.languages.onDidChangeDiagnostics(() => {
    clearTimeout(state.timer);
    if (!context.workspaceState.get<boolean>(ASKED)) state.timer = setTimeout(() => void ask(context), CALM);
  });
  return {
    dispose() {
      clearTimeout(state.timer);
      listener.dispose();
    },
  };
}

async function ask(context: vscode.ExtensionContext): Promise<void> {
  const found = berthProblems();
  const count = found.reduce((sum, [, own]) => sum + own.length, 0);
  if (count <= MANY || vscode.workspace.workspaceFolders === undefined) return;
  await context.workspaceState.update(ASKED, true);
  const baseline = vscode.l10n.t('Set a Baseline');
  const exclude = vscode.l10n.t('Exclude Folders…');
  const errors = vscode.l10n.t('Errors Only');
  const question = vscode.l10n.t('Berth found {0} problems in {1} files of this workspace.', count, found.length);
  // The command line of a baseline runs in the folder, which has to be trusted for that.
  const choices = vscode.workspace.isTrusted ? [baseline, exclude, errors] : [exclude, errors];
  const answer = await vscode.window.showInformationMessage(question, ...choices);
  if (answer === baseline) await setBaseline(context);
  if (answer === exclude) await excludeFolders();
  if (answer === errors)
    await vscode.workspace
      .getConfiguration('berth')
      .update('minSeverity', 'error', vscode.ConfigurationTarget.Workspace);
}
