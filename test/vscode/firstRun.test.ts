import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { BerthApi } from '../../client/src/extension';
import { until } from './until';

describe('a repository with many problems', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const at = (...path: string[]): vscode.Uri => vscode.Uri.joinPath(folder, ...path);
  const [written, baseline] = [at('testdata', 'bad.yaml'), at('berth-baseline.json')];
  const configuration = at('berth.yaml');
  const configured = existsSync(configuration.fsPath) ? readFileSync(configuration.fsPath) : undefined;
  const problems = (): number => vscode.languages.getDiagnostics(written).filter(it => it.source === 'berth').length;

  before(async () => {
    await vscode.extensions.getExtension<BerthApi>('berth.berth')!.activate();
    mkdirSync(at('testdata').fsPath);
    writeFileSync(written.fsPath, 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: bad }\ndaat: {}\n');
    await vscode.window.showTextDocument(written);
    await until('the problem', () => problems() > 0);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    for (const it of [at('testdata'), baseline]) rmSync(it.fsPath, { recursive: true, force: true });
    if (configured === undefined) rmSync(configuration.fsPath, { force: true });
    else writeFileSync(configuration.fsPath, configured);
  });

  it('has a baseline, which berth.yaml names', async () => {
    await vscode.commands.executeCommand('berth.setBaseline');
    assert.match(readFileSync(baseline.fsPath, 'utf8'), /decode\/unknown-field/);
    assert.match(readFileSync(configuration.fsPath, 'utf8'), /^baseline: berth-baseline\.json$/m);
    await until('no problem', () => problems() === 0);
  });
});
