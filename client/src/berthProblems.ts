import * as vscode from 'vscode';

/** All problems of Berth that the editor lists, by file. */
export const berthProblems = (): readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[] =>
  vscode.languages
    .getDiagnostics()
    .map(([uri, all]) => [uri, all.filter(it => it.source === 'berth')] as const)
    .filter(([, own]) => own.length > 0);
