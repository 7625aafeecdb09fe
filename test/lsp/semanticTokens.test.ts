import { expect, it } from 'vitest';
import type { SemanticTokens } from 'vscode-languageserver/node';
import { startClient } from './client';

const uri = 'file:///ws/pod.yaml';
const text = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      image: nginx
      imagePullPolicy: Always
`;

it('answers semantic tokens of a whole text and of a range, in LSP’s own counting', async () => {
  const client = await startClient();
  client.open(uri, text);
  const ask = async (method: string, more: object = {}): Promise<readonly number[]> => {
    const tokens: SemanticTokens = await client.connection.sendRequest(`textDocument/semanticTokens/${method}`, {
      textDocument: { uri },
      ...more,
    });
    return tokens.data;
  };
  // Line and character from the token before, length, type and modifiers: kind, the Pod's name, the pull policy.
  expect(await ask('full')).toEqual([1, 6, 3, 0, 0, 2, 8, 3, 1, 1, 5, 23, 6, 3, 0]);
  const range = { start: { line: 7, character: 0 }, end: { line: 9, character: 0 } };
  expect(await ask('range', { range })).toEqual([8, 23, 6, 3, 0]);
});
