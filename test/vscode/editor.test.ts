import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { BerthApi } from '../../client/src/extension';
import { type PreviewAnswer, previewRequest } from '../../server/src/lsp/protocol';
import { until } from './until';

const CODE = 'decode/unknown-field';

describe('Berth in the editor', () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const uri = vscode.Uri.joinPath(folder, 'web.yaml');
  const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('berth');
  const problems = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri).filter(it => it.source === 'berth');
  const codeOf = (problem: vscode.Diagnostic): unknown =>
    typeof problem.code === 'object' ? problem.code.value : problem.code;
  const typo = (): vscode.Diagnostic | undefined => problems().find(it => codeOf(it) === CODE);
  let editor: vscode.TextEditor;
  let client: LanguageClient;

  before(async () => {
    const extension = vscode.extensions.getExtension<BerthApi>('berth.berth')!;
    const api = await extension.activate();
    editor = await vscode.window.showTextDocument(uri);
    client = await api.client;
  });

  /** Puts the text of a line that holds `key:` in place, as typing does. */
  const setLine = async (key: string, text: string): Promise<void> => {
    const { document } = editor;
    const lines = Array.from({ length: document.lineCount }, (_, line) => document.lineAt(line));
    const line = lines.find(it => it.text.trimStart().startsWith(`${key}:`))!;
    await editor.edit(edit => edit.replace(line.range, text));
  };

  const positionOf = (text: string): vscode.Position =>
    editor.document.positionAt(editor.document.getText().indexOf(text) + 1);

  const lenses = (): Thenable<vscode.CodeLens[]> =>
    vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 99);

  it('underlines the key that the API server does not know', async () => {
    const problem = await until('the problem', typo);
    assert.equal(editor.document.getText(problem.range), 'imagePullPolcy');
    assert.match(problem.message, /imagePullPolcy/);
    assert.equal(problem.severity, vscode.DiagnosticSeverity.Error);
  });

  it('goes on with a new server when the server ends', async function () {
    // Only Linux has the program that finds it.
    if (process.platform !== 'linux') this.skip();
    const server = (): string =>
      spawnSync('pgrep', ['-P', `${process.pid}`, '-f', 'server.js'], { encoding: 'utf8' }).stdout.trim();
    const first = await until('the server', server);
    process.kill(Number(first.split('\n')[0]), 'SIGKILL');
    await until('another server', () => server() !== '' && server() !== first);
    await until('its problems', typo);
    await until('its answers', async () => (await lenses()).length > 0);
  });

  it('mends the problem with its quick fix', async () => {
    const { range } = await until('the problem', typo);
    // Providers are registered one after the other, so the problem may be there before its fix is.
    const edit = await until('the fix', async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
        vscode.CodeActionKind.QuickFix.value,
      );
      return actions.find(it => it.title.includes('imagePullPolicy'))?.edit;
    });
    await vscode.workspace.applyEdit(edit);
    await until('no problem', () => typo() === undefined);
    assert.match(editor.document.getText(), /^ {10}imagePullPolicy: Always$/m);
  });

  it('reports the problem again once it is typed again', async () => {
    await setLine('imagePullPolicy', '          imagePullPolcy: Always');
    await until('the problem', typo);
  });

  it('links the code of the problem to its page', async () => {
    const { code } = await until('the problem', typo);
    assert(typeof code === 'object');
    const page = await vscode.workspace.openTextDocument(code.target);
    assert.match(page.getText(), new RegExp(`^# ${CODE}`));
  });

  it('explains the problem under the cursor', async () => {
    const { range } = await until('the problem', typo);
    editor.selection = new vscode.Selection(range.start, range.start);
    await vscode.commands.executeCommand('berth.explain');
    const page = await until('the page', () =>
      vscode.workspace.textDocuments.find(it => it.uri.path === `/${CODE}.md`),
    );
    assert.match(page.getText(), new RegExp(`^# ${CODE}`));
    await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
  });

  it('explains a field in the hover', async () => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      uri,
      positionOf('replicas:'),
    );
    const text = hovers
      .flatMap(it => it.contents.map(part => (typeof part === 'string' ? part : part.value)))
      .join('\n');
    assert.match(text, /number of desired pods/i);
  });

  it('says above the workload where its Pods land', async () => {
    const [lens] = await until('a lens', async () =>
      (await lenses()).filter(it => it.command?.command === 'berth.preview'),
    );
    assert.match(lens!.command!.title, /east-[12]/);
  });

  it('follows an edit with its lens', async () => {
    await setLine('topology.kubernetes.io/zone', '        topology.kubernetes.io/zone: west');
    await until('another lens', async () => (await lenses()).some(it => it.command && !/east/.test(it.command.title)));
    await setLine('topology.kubernetes.io/zone', '        topology.kubernetes.io/zone: east');
    await until('the lens of before', async () =>
      (await lenses()).some(it => /east-[12]/.test(it.command?.title ?? '')),
    );
  });

  it('completes the fields of a manifest, and explains them', async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      uri,
      positionOf('image: registry'),
      undefined,
      100,
    );
    const probe = list.items.find(it => it.label === 'livenessProbe');
    const told = probe?.documentation;
    assert.match(typeof told === 'object' ? told.value : '', /Periodic probe of container liveness/);
    assert.ok(!list.items.some(it => it.label === 'resources'), 'what is written already is offered');
  });

  it('shows beside the fields what becomes of them, unless that is switched off', async () => {
    const hints = async (): Promise<readonly string[]> => {
      const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
      const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
        'vscode.executeInlayHintProvider',
        uri,
        whole,
      );
      return found.map(it => String(it.label));
    };
    await until('the hints', async () => (await hints()).includes('requests 500m CPU, 256Mi memory · Burstable'));
    assert.ok((await hints()).includes('matches 2 of 3 nodes'));
    await settings().update('inlayHints', false, vscode.ConfigurationTarget.Workspace);
    await until('no hints', async () => (await hints()).length === 0);
    await settings().update('inlayHints', undefined, vscode.ConfigurationTarget.Workspace);
    await until('the hints', async () => (await hints()).length > 0);
  });

  it('outlines and folds a manifest, and finds its objects by name', async () => {
    const [deployment] = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      uri,
    );
    assert.equal(deployment?.name, 'Deployment web');
    assert.deepEqual(
      deployment.children.map(it => it.name),
      ['metadata', 'spec'],
    );
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      'vscode.executeFoldingRangeProvider',
      uri,
    );
    const line = positionOf('containers:').line;
    assert.ok(folds.some(it => it.start === line && it.end === editor.document.lineCount - 2));
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      'east-1',
    );
    assert.deepEqual(
      found.map(it => it.name),
      ['Node east-1'],
    );
  });

  it('follows a changed severity', async () => {
    await settings().update('severity', { [CODE]: 'warning' }, vscode.ConfigurationTarget.Workspace);
    await until('a warning', () => typo()?.severity === vscode.DiagnosticSeverity.Warning);
    await settings().update('severity', { [CODE]: 'off' }, vscode.ConfigurationTarget.Workspace);
    await until('silence', () => typo() === undefined);
    await settings().update('severity', undefined, vscode.ConfigurationTarget.Workspace);
    await until('an error', () => typo()?.severity === vscode.DiagnosticSeverity.Error);
  });

  it('follows a changed Kubernetes version', async () => {
    const version = async (): Promise<string | undefined> =>
      (await client.sendRequest<PreviewAnswer>(previewRequest, { textDocument: { uri: uri.toString() } }))
        ?.kubernetesVersion;
    assert.equal(await version(), '1.37');
    await settings().update('kubernetesVersion', '1.33', vscode.ConfigurationTarget.Workspace);
    await until('1.33', async () => (await version()) === '1.33');
    await settings().update('kubernetesVersion', undefined, vscode.ConfigurationTarget.Workspace);
    await until('1.37', async () => (await version()) === '1.37');
  });

  it('sees a node that another program writes into the workspace', async () => {
    const file = vscode.Uri.joinPath(folder, 'more.yaml').fsPath;
    const nodes = async (): Promise<readonly string[]> =>
      (await client.sendRequest<PreviewAnswer>(previewRequest, { textDocument: { uri: uri.toString() } }))?.nodes.map(
        it => it.name,
      ) ?? [];
    assert.deepEqual([...(await nodes())].sort(), ['east-1', 'east-2', 'west-1']);
    writeFileSync(file, 'apiVersion: v1\nkind: Node\nmetadata:\n  name: north-1\n');
    await until('the node', async () => (await nodes()).includes('north-1'));
    rmSync(file);
    await until('the node gone', async () => !(await nodes()).includes('north-1'));
  });

  it('a file changed on disk by another program updates problems in other files', async () => {
    const pathOf = (...steps: readonly string[]): string => vscode.Uri.joinPath(folder, ...steps).fsPath;
    const reader = vscode.Uri.file(pathOf('reader.yaml'));
    const isMissing = (): boolean =>
      vscode.languages.getDiagnostics(reader).some(it => codeOf(it) === 'references/config-map-missing');
    const settings = (name: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n`;
    const pod = `apiVersion: v1\nkind: Pod\nmetadata: { name: reader, namespace: shop }
spec: { containers: [{ name: web, image: "web:1", envFrom: [{ configMapRef: { name: settings } }] }] }\n`;
    try {
      writeFileSync(reader.fsPath, pod);
      await until('the problem', isMissing);
      mkdirSync(pathOf('config'));
      writeFileSync(pathOf('config', 'settings.yaml'), settings('settings'));
      await until('no problem, as the file came', () => !isMissing());
      writeFileSync(pathOf('config', 'settings.yaml'), settings('others'));
      await until('the problem, as the file changed', isMissing);
      renameSync(pathOf('config', 'settings.yaml'), pathOf('config', 'renamed.yaml'));
      writeFileSync(pathOf('config', 'renamed.yaml'), settings('settings'));
      await until('no problem, as another file came', () => !isMissing());
      rmSync(pathOf('config'), { recursive: true });
      await until('the problem, as the folder went', isMissing);
    } finally {
      rmSync(reader.fsPath, { force: true });
      rmSync(pathOf('config'), { recursive: true, force: true });
    }
  });

  it('opens the preview beside the text, and only once', async () => {
    const tabs = (): vscode.Tab[] =>
      vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(tab => tab.label === 'Placement');
    // The page of a code may be in front of it.
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('berth.preview');
    await until('the tab', () => tabs().length === 1);
    const isPreview = (it: vscode.CodeLens): boolean => it.command?.command === 'berth.preview';
    const { command } = await until('the lens', async () => (await lenses()).find(isPreview));
    await vscode.commands.executeCommand('berth.preview', ...command!.arguments!);
    assert.equal(tabs().length, 1);
    assert.equal(vscode.window.activeTextEditor?.document, editor.document);
  });

  it('works on after its server is restarted', async () => {
    await vscode.commands.executeCommand('berth.restart');
    await until('the problem', typo);
  });
});
