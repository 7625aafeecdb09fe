import * as vscode from 'vscode';
import { type ListedChange, markInWords } from '../../server/src/analysis/upgradeReport';

/** What an upgrade changes, as problems in the editor with their quick fixes. */
export interface UpgradeMarks extends vscode.Disposable {
  /** @param uriOf where a path of the report is */
  show(changes: readonly ListedChange[], to: string, uriOf: (path: string) => vscode.Uri): void;
  clear(): void;
}

const SELECTOR: vscode.DocumentSelector = ['yaml', 'json', 'jsonc'].map(language => ({ scheme: 'file', language }));

/** The marks of a file go as soon as its text changes: their places are those of the text that was checked. */
export function createUpgradeMarks(): UpgradeMarks {
  const problems = vscode.languages.createDiagnosticCollection('berth upgrade');
  const fixes = new Map<string, readonly vscode.CodeAction[]>();
  const forget = (uri: vscode.Uri): void => {
    problems.delete(uri);
    for (const key of [...fixes.keys()].filter(it => it.startsWith(`${uri} `))) fixes.delete(key);
  };
  const clear = (): void => {
    problems.clear();
    fixes.clear();
  };
  const subscriptions = [
    problems,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) forget(document.uri);
    }),
    vscode.languages.registerCodeActionsProvider(
      SELECTOR,
      {
        provideCodeActions: ({ uri }, _, { diagnostics }) => diagnostics.flatMap(it => fixes.get(keyOf(uri, it)) ?? []),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  ];
  return {
    show(changes, to, uriOf) {
      clear();
      const found = new Map<string, vscode.Diagnostic[]>();
      for (const change of changes) {
        const uri = uriOf(change.path);
        const diagnostic = diagnosticOf(change, to);
        found.set(uri.toString(), [...(found.get(uri.toString()) ?? []), diagnostic]);
        fixes.set(keyOf(uri, diagnostic), fixesOf(change, diagnostic, uriOf));
      }
      for (const [uri, all] of found) problems.set(vscode.Uri.parse(uri), all);
    },
    clear,
    dispose() {
      for (const it of subscriptions) it.dispose();
    },
  };
}

/** VS Code hands out copies of a diagnostic. */
const keyOf = (uri: vscode.Uri, { range: { start, end }, code, message }: vscode.Diagnostic): string =>
  `${uri} ${start.line}:${start.character}-${end.line}:${end.character} ${String(code)} ${message}`;

const SEVERITIES = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
} as const;

const rangeOf = ({ start, end }: ListedChange['range']): vscode.Range =>
  new vscode.Range(start.line, start.character, end.line, end.character);

function diagnosticOf(change: ListedChange, to: string): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(rangeOf(change.range), markInWords(change, to), SEVERITIES[change.severity]);
  diagnostic.source = 'berth upgrade';
  diagnostic.code = change.code;
  return diagnostic;
}

function fixesOf(
  { fixes }: ListedChange,
  diagnostic: vscode.Diagnostic,
  uriOf: (path: string) => vscode.Uri,
): readonly vscode.CodeAction[] {
  return fixes.map(({ title, edits }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.diagnostics = [diagnostic];
    action.edit = new vscode.WorkspaceEdit();
    for (const { path, range, newText } of edits) action.edit.replace(uriOf(path), rangeOf(range), newText);
    return action;
  });
}
