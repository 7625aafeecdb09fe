import { describe, expect, it } from 'vitest';
import { startClient } from './client';

const config = 'file:///ws/config.yaml';
const uri = 'file:///ws/pod.yaml';
const files = {
  [config]: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  a: "1"\n',
};
const text = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx
      envFrom:
        - configMapRef:
            name: settings
`;
const position = { line: 10, character: 20 };
const range = (line: number, from: number, to: number) => ({
  start: { line, character: from },
  end: { line, character: to },
});

describe('navigation in the language server', () => {
  it('answers definition, references, rename and links over files that are not open', async () => {
    const client = await startClient({ files });
    client.open(uri, text);
    await client.diagnostics(uri, () => true);
    await client.diagnostics(uri, found => found.every(it => it.code !== 'references/config-map-missing'));
    const ask = (method: string, more: object = {}): Promise<unknown> =>
      client.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri }, position, ...more });

    expect(await ask('definition')).toMatchObject([
      { targetUri: config, targetSelectionRange: range(3, 8, 16), originSelectionRange: range(10, 18, 26) },
    ]);
    expect(await ask('references', { context: { includeDeclaration: false } })).toEqual([
      { uri, range: range(10, 18, 26) },
    ]);
    expect(await ask('prepareRename')).toEqual({ range: range(10, 18, 26), placeholder: 'settings' });
    expect(await ask('rename', { newName: 'options' })).toEqual({
      documentChanges: [
        { textDocument: { uri: config, version: null }, edits: [{ range: range(3, 8, 16), newText: 'options' }] },
        { textDocument: { uri, version: null }, edits: [{ range: range(10, 18, 26), newText: 'options' }] },
      ],
    });
    expect(await ask('documentLink')).toEqual([{ range: range(10, 18, 26), target: `${config}#L4,9` }]);
  });

  it('reports why a name cannot be renamed', async () => {
    const client = await startClient();
    client.open(uri, text);
    await client.diagnostics(uri, found => found.some(it => it.code === 'references/config-map-missing'));
    const params = { textDocument: { uri }, position };
    await expect(client.connection.sendRequest('textDocument/prepareRename', params)).rejects.toThrow(
      'settings is not defined in this workspace.',
    );
  });
});
