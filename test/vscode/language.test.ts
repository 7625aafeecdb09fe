import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { BerthApi } from '../../client/src/extension';
import { until } from './until';

const CLASSES = `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: urgent
value: 1000
`;
const WORKER = `apiVersion: v1
kind: Pod
metadata:
  name: worker
spec:
  priorityClassName: urgent
  containers:
    - name: main
      image: registry.example/worker:1
      volumeMounts:
        - { name: cache, mountPath: /cache }
  volumes:
    - name: cache
      emptyDir: {}
`;

describe('names in the editor', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const classes = vscode.Uri.joinPath(folder, 'classes.yaml');
  const worker = vscode.Uri.joinPath(folder, 'worker.yaml');
  let document: vscode.TextDocument;

  const at = (text: string): vscode.Position => document.positionAt(document.getText().indexOf(text) + 1);
  const lineOf = (place: vscode.Location | vscode.LocationLink): string =>
    'targetUri' in place
      ? `${vscode.workspace.asRelativePath(place.targetUri)}:${place.targetRange.start.line}`
      : `${vscode.workspace.asRelativePath(place.uri)}:${place.range.start.line}`;

  before(async () => {
    await vscode.extensions.getExtension<BerthApi>('berth.berth')!.activate();
    await vscode.workspace.fs.writeFile(classes, new TextEncoder().encode(CLASSES));
    await vscode.workspace.fs.writeFile(worker, new TextEncoder().encode(WORKER));
    document = await vscode.workspace.openTextDocument(worker);
    await vscode.window.showTextDocument(document);
    await until('the definition of the class', async () => {
      const places = await definitions('urgent');
      return places.length > 0 ? places : undefined;
    });
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    for (const it of [classes, worker]) await vscode.workspace.fs.delete(it);
  });

  const definitions = (text: string): Thenable<(vscode.Location | vscode.LocationLink)[]> =>
    vscode.commands.executeCommand('vscode.executeDefinitionProvider', worker, at(text));

  it('lead to where they are given, in another file and in the same', async () => {
    assert.deepEqual((await definitions('urgent')).map(lineOf), ['classes.yaml:3']);
    assert.deepEqual((await definitions('cache, mountPath')).map(lineOf), ['worker.yaml:12']);
  });

  it('are found with all their uses', async () => {
    const places = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      worker,
      at('urgent'),
    );
    assert.deepEqual(places.map(lineOf).sort(), ['classes.yaml:3', 'worker.yaml:5']);
  });

  it('are renamed everywhere', async () => {
    const edit = await vscode.commands.executeCommand<vscode.WorkspaceEdit>(
      'vscode.executeDocumentRenameProvider',
      worker,
      at('urgent'),
      'important',
    );
    const changes = edit.entries().map(([uri, edits]) => [vscode.workspace.asRelativePath(uri), edits.length]);
    assert.deepEqual(changes.sort(), [
      ['classes.yaml', 1],
      ['worker.yaml', 1],
    ]);
  });

  it('are links and have colours', async () => {
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>('vscode.executeLinkProvider', worker);
    assert.deepEqual(
      links.map(it => document.getText(it.range)),
      ['urgent'],
    );
    const tokens = await vscode.commands.executeCommand<vscode.SemanticTokens>(
      'vscode.provideDocumentSemanticTokens',
      worker,
    );
    assert.ok(tokens.data.length >= 5 * 4, `${tokens.data.length / 5} tokens`);
  });

  it('that lead nowhere are a problem with a fix', async () => {
    const wrong = new vscode.WorkspaceEdit();
    wrong.replace(worker, new vscode.Range(at('urgent').translate(0, -1), at('urgent').translate(0, 5)), 'urgnt');
    await vscode.workspace.applyEdit(wrong);
    const problem = await until('the problem', () =>
      vscode.languages.getDiagnostics(worker).find(it => it.message.includes('PriorityClass "urgnt"')),
    );
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      worker,
      problem.range,
    );
    const fix = actions.find(it => it.title === 'Change to urgent');
    assert.ok(fix?.edit, actions.map(it => it.title).join(', '));
    await vscode.workspace.applyEdit(fix.edit);
    assert.equal(document.getText(), WORKER);
  });
});
