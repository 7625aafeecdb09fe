import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import {
  createMessageConnection,
  type MessageConnection,
  ProgressType,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { among, environment, products, root, textsBelow } from './product';

const files = {
  ...textsBelow(join(root, 'test/shipped/fixture')),
  // The policies of the fixture refuse its Deployment, so that none of its Pods is placed.
  'free.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: { name: free }\nspec: { containers: [{ name: free, image: "example.com/free:1" }] }\n',
  config: JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1' } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u' } }],
  }),
};
const withoutPolicies = {
  'web.yaml': files['web.yaml' as keyof typeof files],
  'berth.yaml': files['berth.yaml' as keyof typeof files],
};
const started: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const it of started) it.kill('SIGKILL');
});

/** The language server of the extension, over standard input and output. */
function startServer(args: readonly string[], kubeconfig: string): MessageConnection {
  const child = spawn(process.execPath, args, { env: { ...environment, KUBECONFIG: kubeconfig } });
  started.push(child);
  return createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
}

async function initialized(connection: MessageConnection, folder: string): Promise<void> {
  connection.onRequest('workspace/configuration', () => [{}]);
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('workspace/codeLens/refresh', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  const uri = pathToFileURL(folder).href;
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: uri,
    locale: 'ja',
    initializationOptions: { isTrusted: true },
    workspaceFolders: [{ uri, name: 'ws' }],
    capabilities: { workspace: { configuration: true, workspaceFolders: true, codeLens: { refreshSupport: true } } },
  });
  await connection.sendNotification('initialized', {});
}

it.each([
  [
    'server.js',
    [join(products.extension, 'dist/server.js'), '--stdio'],
    ['conftest/deny', 'gatekeeper/NeedsLabel', 'kyverno/no-latest', 'property/owned', 'vap/replicas'],
  ],
  // Which loads the same bundles: to start the engine of policies takes most of the time.
  ['cli.js lsp', [join(products.extension, 'dist/cli.js'), 'lsp', '--stdio'], ['property/owned']],
])('the language server of the extension answers: %s', async (_, args, expected) => {
  const hasPolicies = expected.length > 1;
  await among(hasPolicies ? files : withoutPolicies, async folder => {
    const connection = startServer(args, join(folder, 'config'));
    const told = new Map<string, readonly { readonly code: string; readonly message: string }[]>();
    connection.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics }) => {
      told.set(uri, diagnostics);
    });
    await initialized(connection, folder);
    const uri = pathToFileURL(join(folder, 'web.yaml')).href;
    const text = files['web.yaml' as keyof typeof files];
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });

    const codes = () => told.get(uri)?.map(it => it.code) ?? [];
    await expect.poll(() => codes().toSorted()).toEqual(expected);

    const hover = { textDocument: { uri }, position: { line: 4, character: 3 } };
    expect(JSON.stringify(await connection.sendRequest('textDocument/hover', hover))).toContain('replicas');
    if (hasPolicies) await askForBundles(connection, uri);

    await connection.sendRequest('shutdown');
    await connection.sendNotification('exit');
    connection.dispose();
  });
});

/** What is in bundles of its own. */
async function askForBundles(connection: MessageConnection, uri: string): Promise<void> {
  // The solver and the thread that compares are bundles of their own, and so are the messages in Japanese.
  expect(await compared(connection, uri)).toContain('optimal');
  const why = await connection.sendRequest('berth/previewWhy', { textDocument: { uri }, pod: 'default/free' });
  expect(JSON.stringify(why)).toMatch(/\p{Script=Hiragana}/u);
  // So is the client of live clusters.
  expect(JSON.stringify(await connection.sendRequest('berth/contexts'))).toContain('here');
}

/** The strategies of which a comparison told something. */
async function compared(connection: MessageConnection, uri: string): Promise<readonly string[]> {
  const parts: { readonly done: readonly { readonly strategy: string }[] }[] = [];
  const listening = connection.onProgress(new ProgressType<(typeof parts)[number]>(), 'comparison', it => {
    parts.push(it);
  });
  await connection.sendRequest('berth/previewComparison', {
    textDocument: { uri },
    position: { line: 0, character: 0 },
    partialResultToken: 'comparison',
  });
  listening.dispose();
  return parts.at(-1)?.done.map(it => it.strategy) ?? [];
}
