import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { BerthApi } from '../../client/src/extension';
import { until } from './until';

describe('Berth: Check Upgrade', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const uri = vscode.Uri.joinPath(folder, 'flows.yaml');
  const marked = (): vscode.Diagnostic[] =>
    vscode.languages.getDiagnostics(uri).filter(it => it.source === 'berth upgrade');

  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('berth');

  before(async () => {
    await settings().update('severity', { 'decode/unknown-kind': 'off' });
    await vscode.extensions.getExtension<BerthApi>('berth.berth')!.activate();
    const lines = ['apiVersion: flowcontrol.apiserver.k8s.io/v1beta3', 'kind: FlowSchema', 'metadata: { name: batch }'];
    writeFileSync(uri.fsPath, `${lines.join('\n')}\nspec: { priorityLevelConfiguration: { name: batch } }\n`);
  });
  after(async () => {
    await settings().update('severity', undefined);
    rmSync(uri.fsPath);
  });

  it('opens a report, and marks what will be wrong', async () => {
    await vscode.commands.executeCommand('berth.checkUpgrade', { from: '1.31', to: '1.33' });
    const [problem] = await until('the problem', () => (marked().length > 0 ? marked() : undefined));
    assert.match(problem!.message, /^After the upgrade to 1\.33: .* was removed in Kubernetes 1\.32/);
    assert.equal(problem!.range.start.line, 0);
    const report = await until('the report', () =>
      vscode.workspace.textDocuments.find(it => it.uri.scheme === 'berth-upgrade'),
    );
    assert.match(report.getText(), /^# Upgrade of Kubernetes from 1\.31 to 1\.33\n/);
    assert.match(report.getText(), /## Breaks at apply\n\n- \[flows\.yaml:1\]\(<\/flows\.yaml#L1>\)/);
  });

  it('reads what is not saved, and offers the move as a quick fix', async () => {
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '# not saved\n');
    await vscode.workspace.applyEdit(edit);
    await vscode.commands.executeCommand('berth.checkUpgrade', { from: '1.31', to: '1.33' });
    const [problem] = await until('the problem', () => (marked().length > 0 ? marked() : undefined));
    assert.equal(problem!.range.start.line, 1);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      problem!.range,
    );
    // The problem that the language server has there is off.
    const moves = actions.filter(it => it.title === 'Change apiVersion to flowcontrol.apiserver.k8s.io/v1');
    assert.equal(moves.length, 1);
    await vscode.workspace.applyEdit(moves[0]!.edit!);
    assert.equal(document.lineAt(1).text, 'apiVersion: flowcontrol.apiserver.k8s.io/v1');
    assert.deepEqual(marked(), []);
    await document.save();
  });

  it('forgets the problems', async () => {
    await vscode.commands.executeCommand('berth.clearUpgrade');
    assert.deepEqual(marked(), []);
  });
});
