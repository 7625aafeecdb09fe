import { describe, expect, it } from 'vitest';
import { type ClientOptions, startClient } from './client';

const [CREATED, CHANGED, DELETED] = [1, 2, 3];
const pod =
  'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web }], serviceAccont: x }\n';

/** Starts a client that knows which files have problems. */
async function started(files: Record<string, string>, options: Omit<ClientOptions, 'files'> = {}) {
  const told = new Map<string, number>();
  const onDiagnostics = ({ uri, diagnostics }: { readonly uri: string; readonly diagnostics: readonly unknown[] }) =>
    void told.set(uri, diagnostics.length);
  const client = await startClient({ ...options, files, onDiagnostics });
  const withProblems = (): readonly string[] =>
    [...told]
      .filter(([, count]) => count > 0)
      .map(([uri]) => uri.replace('file:///', ''))
      .sort();
  return { client, withProblems };
}

const disk = (...paths: readonly string[]): Record<string, string> =>
  Object.fromEntries(paths.map(it => [`file:///${it}`, pod]));

interface Case {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly events: readonly (readonly [path: string, type: number | undefined])[];
}

describe('the disk decides what is there, not what an event says of it:', () => {
  it.each<[string, Case]>([
    [
      'a file that is told to be deleted',
      { before: ['ws/a.yaml'], after: ['ws/a.yaml'], events: [['ws/a.yaml', DELETED]] },
    ],
    [
      'a folder that is told to be deleted',
      { before: ['ws/d/a.yaml'], after: ['ws/d/a.yaml'], events: [['ws/d', DELETED]] },
    ],
    ['what is around the open folder', { before: ['ws/a.yaml'], after: ['ws/a.yaml'], events: [['ws', DELETED]] }],
    [
      'a file made anew, told in the other order',
      {
        before: ['ws/a.yaml'],
        after: ['ws/a.yaml'],
        events: [
          ['ws/a.yaml', CREATED],
          ['ws/a.yaml', DELETED],
        ],
      },
    ],
    ['a file that is told to be changed', { before: ['ws/a.yaml'], after: [], events: [['ws/a.yaml', CHANGED]] }],
    [
      'a folder with a dot in its name',
      { before: ['ws/a.yaml'], after: ['ws/a.yaml', 'ws/v1.2/a.yaml'], events: [['ws/v1.2', CREATED]] },
    ],
    [
      'a folder in place of a file',
      { before: ['ws/a.yaml'], after: ['ws/a.yaml/b.yaml'], events: [['ws/a.yaml', CHANGED]] },
    ],
    [
      'a file in place of a folder',
      { before: ['ws/a.yaml/b.yaml'], after: ['ws/a.yaml'], events: [['ws/a.yaml', CREATED]] },
    ],
    ['a folder in place of another', { before: ['ws/d/a.yaml'], after: ['ws/d/b.yaml'], events: [['ws/d', CHANGED]] }],
    [
      'paths that nobody can know',
      {
        before: ['ws/a.yaml'],
        after: ['ws/a.yaml', 'out/a.yaml'],
        events: [
          ['out/a.yaml', CREATED],
          ['out', CREATED],
          ['%', DELETED],
        ],
      },
    ],
  ])('%s', async (_, { before, after, events }) => {
    const files = disk(...before);
    const { client, withProblems } = await started(files);
    await expect.poll(withProblems).toEqual(before);
    for (const it of Object.keys(files)) delete files[it];
    Object.assign(files, disk(...after, 'ws/z.yaml'));
    // The last event shows when all are handled.
    const changes = [...events, ['ws/z.yaml', CREATED] as const].map(([path, type]) => ({
      uri: `file:///${path}`,
      type,
    }));
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await expect.poll(withProblems).toEqual([...after.filter(it => it.startsWith('ws/')), 'ws/z.yaml']);
  });
});

describe('folders that are opened and closed', () => {
  const all = ['ws/a.yaml', 'ws/prod/b.yaml'];
  const folder = (path: string) => ({ uri: `file:///${path}`, name: path });

  it.each([
    { folders: ['ws', 'ws/prod'], removed: 'ws/prod', left: all },
    { folders: ['ws', 'ws/prod'], removed: 'ws', left: ['ws/prod/b.yaml'] },
    { folders: ['ws/prod', 'ws'], removed: 'ws', left: ['ws/prod/b.yaml'] },
  ])('of $folders $removed is closed', async ({ folders, removed, left }) => {
    const { client, withProblems } = await started(disk(...all, 'other/z.yaml'), {
      folders: folders.map(it => `file:///${it}`),
    });
    await expect.poll(withProblems).toEqual(all);
    const event = { added: [folder('other')], removed: [folder(removed)] };
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await expect.poll(withProblems).toEqual(['other/z.yaml', ...left]);
  });

  it('a file whose folder is closed while it is read is not there', async () => {
    const files = disk('a/a.yaml', 'b/b.yaml');
    const held = { read: (): void => undefined };
    const readText = (uri: string): Promise<string | undefined> =>
      uri.endsWith('/b.yaml') ? new Promise(resolve => (held.read = () => resolve(pod))) : Promise.resolve(files[uri]);
    const { client, withProblems } = await started(files, { folders: ['file:///a', 'file:///b'], world: { readText } });
    await expect.poll(withProblems).toEqual(['a/a.yaml']);
    const event = { added: [], removed: [folder('b')] };
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', { event });
    await client.connection.sendRequest('berth/tests');
    held.read();
    files['file:///a/z.yaml'] = pod;
    const changes = [{ uri: 'file:///a/z.yaml', type: CREATED }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await expect.poll(withProblems).toEqual(['a/a.yaml', 'a/z.yaml']);
  });
});

describe('the folders are read', () => {
  const capabilities = { workspace: { configuration: true, workspaceFolders: true } };
  it.each([
    [
      'for a client that knows of one folder alone',
      { initialize: { workspaceFolders: null, rootUri: 'file:///ws', capabilities: {} } },
    ],
    ['for a client that opens no others later', { initialize: { capabilities: {} } }],
    ['where settings are refused', { refused: ['workspace/configuration'] }],
    [
      'where a registration is refused',
      {
        refused: ['client/registerCapability'],
        initialize: {
          capabilities: {
            workspace: { ...capabilities.workspace, didChangeConfiguration: { dynamicRegistration: true } },
          },
        },
      },
    ],
    ['where progress is refused', { refused: ['window/workDoneProgress/create'], onProgress: () => undefined }],
    // Vitest tells of a refusal that nobody takes.
    ['where refreshing is refused', { refused: ['workspace/codeLens/refresh', 'workspace/inlayHint/refresh'] }],
    ['whatever is said of earlier ends', { start: { leaveOut: 5 as unknown as string[] } }],
  ])('%s', async (_, options) => {
    const { withProblems } = await started(disk('ws/a.yaml'), options);
    await expect.poll(withProblems).toEqual(['ws/a.yaml']);
  });

  it('as ignore files above them say, from the moment on at which the workspace is trusted, and until it is not', async () => {
    const files = disk('ws/a.yaml', 'ws/ignored.yaml');
    const isIn = (uri: string, scope: string): boolean => !uri.endsWith('ignored.yaml') || scope === 'folders';
    const { client, withProblems } = await started(files, {
      world: {
        async *manifestsBelow(_, { scope }) {
          yield Object.keys(files).filter(it => isIn(it, scope));
        },
        excludedFrom:
          ({ scope }) =>
          async uri =>
            !isIn(uri, scope),
      },
    });
    await expect.poll(withProblems).toEqual(['ws/a.yaml', 'ws/ignored.yaml']);
    await client.connection.sendNotification('berth/trust', { isTrusted: true });
    await expect.poll(withProblems).toEqual(['ws/a.yaml']);
    await client.connection.sendNotification('berth/trust', { isTrusted: false });
    await expect.poll(withProblems).toEqual(['ws/a.yaml', 'ws/ignored.yaml']);
  });
});

it('of two answers about the settings the one to the later question counts', async () => {
  const held = { answer: (): void => undefined };
  const answers = [
    async () => ({}),
    () => new Promise(resolve => (held.answer = () => resolve({ kubernetesVersion: '1.31' }))),
    async () => ({ kubernetesVersion: '1.33' }),
  ];
  const client = await startClient({ configuration: async () => answers.shift()?.() });
  const versionNow = async (): Promise<string> => {
    const { kubernetesVersion } = await client.connection.sendRequest<{ readonly kubernetesVersion: string }>(
      'berth/fileStatus',
      { uri: 'file:///ws/a.yaml' },
    );
    return kubernetesVersion;
  };
  await expect.poll(() => answers.length).toBe(2);
  for (const _ of [2, 3])
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  await expect.poll(versionNow).toBe('1.33');
  held.answer();
  for (let i = 0; i < 5; i++) expect(await versionNow()).toBe('1.33');
});

it('a file that is open by two uris is open until both are closed', async () => {
  const [one, two] = ['file:///ws/a.yaml', 'file:///ws/%61.yaml'];
  const files = { [one]: pod };
  const { client, withProblems } = await started(files, { world: { canonicalUri: it => it.replace('%61', 'a') } });
  const closed = (uri: string): Promise<void> =>
    client.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  client.open(one, 'apiVersion: v1\n');
  client.open(two, 'apiVersion: v1\n');
  await expect.poll(withProblems).toEqual([]);
  await closed(two);
  client.open('file:///ws/z.yaml', pod);
  await expect.poll(withProblems).toEqual(['ws/z.yaml']);
  await closed(one);
  await expect.poll(withProblems).toEqual(['ws/a.yaml', 'ws/z.yaml']);
});

it('what is read around an opened file is read again where it changed meanwhile', async () => {
  const patch = 'file:///ws/prod/size.yaml';
  const kustomization = 'file:///ws/prod/kustomization.yaml';
  const outer = 'file:///ws/kustomization.yaml';
  const files: Record<string, string> = {
    [patch]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api }\nspec: { replicas: 2 }\n',
    [kustomization]: 'patches: [{ path: size.yaml }]\n',
  };
  const gate = { open: (): void => undefined };
  const opened = new Promise<void>(resolve => {
    gate.open = resolve;
  });
  const client = await startClient({
    files,
    world: {
      async *manifestsBelow() {},
      async readText(uri) {
        const text = files[uri];
        if (uri === outer) await opened;
        return text;
      },
    },
  });
  const foldings = () =>
    client.connection.sendRequest<readonly unknown[]>('textDocument/foldingRange', {
      textDocument: { uri: kustomization },
    });
  client.open(patch, files[patch]!);
  await client.diagnostics(patch, all => all.some(it => it.code === 'apiserver/required'));
  files[kustomization] = 'patches:\n  - path: size.yaml\n    target:\n      kind: Deployment\n';
  const changes = [{ uri: kustomization, type: CHANGED }];
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
  await expect.poll(foldings).not.toEqual([]);
  const before = await foldings();
  files[outer] = files[kustomization];
  gate.open();
  for (let i = 0; i < 20; i++) expect(await foldings()).toEqual(before);
});
