import { describe, expect, it } from 'vitest';
import type { CompletionItem, CompletionList, SelectionRange } from 'vscode-languageserver/node';
import type { PreviewModel } from '../../server/src/analysis/preview/model';
import { startClient } from './client';

const uri = 'file:///ws/pod.yaml';
const pod = (image: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: ${image}
`;
const typo = pod('nginx').replace('image:', 'imagePullPolcy: Always\n      image:');

describe('the language server', () => {
  it('publishes problems of an open document, and their removal after an edit', async () => {
    const client = await startClient();
    client.open(uri, typo);
    const [first] = await client.diagnostics(uri, it => it.length > 0);
    expect(first).toMatchObject({ code: 'decode/unknown-field', range: { start: { line: 7, character: 6 } } });
    client.change(uri, 2, pod('nginx'));
    expect(await client.diagnostics(uri, it => it.length === 0)).toEqual([]);
  });

  it('offers a fix for a misspelt field', async () => {
    const client = await startClient();
    client.open(uri, typo);
    const [problem] = await client.diagnostics(uri, it => it.length > 0);
    const actions = (await client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: problem?.range,
      context: { diagnostics: [problem] },
    })) as { title: string; edit: { documentChanges: { edits: { newText: string }[] }[] } }[];
    const rename = actions.find(it => it.title.includes('imagePullPolicy'));
    expect(rename?.edit.documentChanges[0]?.edits[0]?.newText).toBe('imagePullPolicy');
  });

  it('reads the folder, and publishes problems of files that are not open', async () => {
    const client = await startClient({ files: { 'file:///ws/deep/other.yaml': typo } });
    const found = await client.diagnostics('file:///ws/deep/other.yaml', it => it.length > 0);
    expect(found.map(it => it.code)).toEqual(['decode/unknown-field']);
  });

  it('puts a lens over the Pod, and answers the preview that the lens opens', async () => {
    const client = await startClient();
    client.open(uri, pod('nginx'));
    await client.diagnostics(uri, () => true);
    const lenses = (await client.connection.sendRequest('textDocument/codeLens', { textDocument: { uri } })) as {
      command: { title: string; arguments: [{ pod: string }] };
    }[];
    expect(lenses[0]?.command.title).toMatch(/^lands on .+ · example cluster$/);
    const chosen = lenses[0]?.command.arguments[0].pod ?? '';
    const model = (await client.connection.sendRequest('berth/preview', {
      textDocument: { uri },
      pod: chosen,
    })) as PreviewModel;
    expect(model.chosen).toBe('default/web');
    expect(model.pods.find(it => it.id === chosen)).toMatchObject({ state: 'placed' });
  });

  it('publishes a short message, and upstream’s words as related information', async () => {
    const client = await startClient();
    client.open(uri, pod('nginx').replace('name: ', 'name: Upper'));
    const found = await client.diagnostics(uri, it => it.some(({ code }) => code === 'apiserver/refused'));
    const refused = found.find(it => it.code === 'apiserver/refused');
    expect(refused?.message).toMatch(/^"Upper.*" is not a valid name: use lower-case letters/);
    expect(refused?.message).not.toContain('RFC 1123');
    expect(refused?.relatedInformation).toMatchObject([
      { location: { uri, range: refused?.range }, message: expect.stringContaining('Invalid value: "Upper') },
    ]);
  });

  it('follows a change of the Kubernetes version in the settings', async () => {
    const client = await startClient({ configuration: { kubernetesVersion: '1.31' } });
    client.open(uri, pod('nginx').replace('spec:', 'spec:\n  schedulingGroup: {podGroupName: a}'));
    // Until the settings are read, the newest minor answers.
    const found = await client.diagnostics(uri, it => it.some(({ code }) => code === 'decode/unknown-field'));
    expect(found).toMatchObject([{ message: expect.stringContaining('schedulingGroup') }]);
  });

  it('shows documentation and the quantity in words on hover', async () => {
    const client = await startClient();
    const text = `${pod('nginx')}      resources: {requests: {memory: 512Mi}}\n`;
    client.open(uri, text);
    await client.diagnostics(uri, () => true);
    const hover = (await client.connection.sendRequest('textDocument/hover', {
      textDocument: { uri },
      position: { line: 8, character: text.split('\n')[8]?.indexOf('512Mi') },
    })) as { contents: { value: string } };
    expect(hover.contents.value).toContain('536,870,912');
  });

  it('completes a field, resolves its documentation, and ignores indentation', async () => {
    const client = await startClient();
    const text = pod('nginx').replace('      image', '      \n      image');
    client.open(uri, text);
    await client.diagnostics(uri, () => true);
    const complete = async (context: object): Promise<readonly CompletionItem[]> => {
      const position = { line: 7, character: 6 };
      const params = { textDocument: { uri }, position, context };
      return ((await client.connection.sendRequest('textDocument/completion', params)) as CompletionList).items;
    };
    expect(await complete({ triggerKind: 2, triggerCharacter: ' ' })).toEqual([]);
    const ports = (await complete({ triggerKind: 1 })).find(it => it.label === 'ports');
    expect(ports?.textEdit).toEqual({
      newText: `ports:\n        - containerPort: $0`,
      range: { start: { line: 7, character: 6 }, end: { line: 7, character: 6 } },
    });
    const told = (await client.connection.sendRequest('completionItem/resolve', ports)) as {
      documentation: { value: string };
    };
    expect(told.documentation.value).toContain('List of ports to expose from the container');
  });

  it('outlines, folds, selects and hints in lines and characters', async () => {
    const client = await startClient();
    client.open(uri, pod('nginx'));
    await client.diagnostics(uri, () => true);
    const ask = (what: string, more: object = {}): Promise<unknown> =>
      client.connection.sendRequest(`textDocument/${what}`, { textDocument: { uri }, ...more });
    const start = { line: 0, character: 0 };
    expect(await ask('documentSymbol')).toMatchObject([
      { name: 'Pod web', selectionRange: { start: { line: 3, character: 8 }, end: { line: 3, character: 11 } } },
    ]);
    expect(await ask('foldingRange')).toEqual(expect.arrayContaining([{ startLine: 4, endLine: 7 }]));
    const [selection] = (await ask('selectionRange', { positions: [{ line: 7, character: 14 }] })) as SelectionRange[];
    expect(selection).toMatchObject({
      range: { start: { line: 7, character: 13 }, end: { line: 7, character: 18 } },
      parent: { range: { start: { line: 7, character: 6 } } },
    });
    expect(await ask('inlayHint', { range: { start, end: { line: 9, character: 0 } } })).toMatchObject([
      { position: { line: 5, character: 13 }, label: 'requests nothing · BestEffort' },
    ]);
    expect(await ask('inlayHint', { range: { start, end: start } })).toEqual([]);
    expect(await client.connection.sendRequest('workspace/symbol', { query: 'web' })).toMatchObject([
      { name: 'Pod web', location: { uri, range: { start: { line: 3, character: 8 } } } },
    ]);
  });
});
