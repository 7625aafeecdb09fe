import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Connection } from 'vscode-languageserver/node';
import { excludedFrom, findManifests } from '../../server/src/lsp/files';
import { createIndexing } from '../../server/src/lsp/indexing';
import { describeWithEngine } from '../policy/withEngine';
import { engineThatAgrees } from '../support/policyEngine';
import { startClient } from './client';

interface Hover {
  readonly contents: { readonly value: string };
}

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: nginx, envFrom: [{ configMapRef: { name: settings } }] }]
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\n';
const [created, changed, deleted] = [1, 2, 3];
const isMissing = (all: readonly { readonly code: string }[]): boolean =>
  all.some(it => it.code === 'references/config-map-missing');
const isThere = (all: readonly { readonly code: string }[]): boolean => !isMissing(all);

describeWithEngine('a conftest.toml that another program changes', engine => {
  it('is read again', async () => {
    const uri = 'file:///ws/conftest.toml';
    const files: Record<string, string> = {
      [uri]: 'polcy = "policy"\n',
      'file:///ws/policy/a.rego': 'package main\ndeny contains "no" if input.kind == "Pod"\n',
      'file:///ws/pod.yaml': pod,
    };
    const client = await startClient({ files, policyEngine: engine });
    await client.diagnostics(uri, all => all.length > 0);
    files[uri] = 'policy = "policy"\n';
    const changes = [{ uri, type: changed }];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes });
    await client.diagnostics(uri, all => all.length === 0);
  });
});

it('policies are asked once the folders are read, however late the client tells its settings', async () => {
  const conftest = 'file:///ws/conftest.toml';
  const files = {
    [conftest]: 'policy = "policy"\n',
    'file:///ws/policy/a.rego': 'package main\ndeny contains "no" if input.kind == "Pod"\n',
    'file:///ws/pod.yaml': pod,
  };
  const held = { tell: (): void => undefined };
  const told: string[] = [];
  const { engine, requests } = engineThatAgrees();
  const client = await startClient({
    files,
    policyEngine: engine,
    configuration: () => new Promise(resolve => (held.tell = () => resolve({}))),
    world: { pause: () => new Promise(resolve => setImmediate(resolve)) },
    onDiagnostics: ({ diagnostics }) => void told.push(...diagnostics.map(it => it.code)),
  });
  client.open(conftest, files[conftest]!);
  for (let i = 0; i < 20; i++) await client.connection.sendRequest('berth/tests');
  held.tell();
  await client.diagnostics('file:///ws/pod.yaml', isMissing);
  await expect.poll(() => requests.length).toBeGreaterThan(0);
  expect(told.filter(it => it.startsWith('conftest/'))).toEqual([]);
});

describe('files that other programs change', () => {
  const uris = { pod: 'file:///ws/pod.yaml', settings: 'file:///ws/config/settings.yaml' };
  const watched = (uri: string, type: number) => ({ changes: [{ uri, type }] });

  it('a file that is added, changed and removed updates the problems of others', async () => {
    const files: Record<string, string> = { [uris.pod]: pod };
    const client = await startClient({ files });
    const tell = (uri: string, type: number) =>
      client.connection.sendNotification('workspace/didChangeWatchedFiles', watched(uri, type));
    await client.diagnostics(uris.pod, isMissing);
    files[uris.settings] = settings;
    await tell(uris.settings, created!);
    await client.diagnostics(uris.pod, isThere);
    files[uris.settings] = settings.replace('name: settings', 'name: others');
    await tell(uris.settings, changed!);
    await client.diagnostics(uris.pod, isMissing);
    files[uris.settings] = settings;
    await tell(uris.settings, changed!);
    await client.diagnostics(uris.pod, isThere);
    delete files[uris.settings];
    await tell(uris.settings, deleted!);
    await client.diagnostics(uris.pod, isMissing);
  });

  it('removing a folder removes its files', async () => {
    const files: Record<string, string> = { [uris.pod]: pod, [uris.settings]: settings };
    const client = await startClient({ files });
    client.open(uris.pod, pod);
    await client.diagnostics(uris.pod, isThere);
    delete files[uris.settings];
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', watched('file:///ws/config', deleted!));
    await client.diagnostics(uris.pod, isMissing);
  });

  it('adding a folder adds its files', async () => {
    const files: Record<string, string> = { [uris.pod]: pod };
    const client = await startClient({ files });
    await client.diagnostics(uris.pod, isMissing);
    files[uris.settings] = settings;
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', watched('file:///ws/config', created!));
    await client.diagnostics(uris.pod, isThere);
  });

  it('very many files that change together are all read', async () => {
    const files: Record<string, string> = { [uris.pod]: pod };
    const client = await startClient({ files });
    client.open(uris.pod, pod);
    await client.diagnostics(uris.pod, isMissing);
    const added = [...Array.from({ length: 300 }, (_, i) => `file:///ws/config/a${i}.yaml`), uris.settings];
    for (const [i, uri] of added.entries()) files[uri] = settings.replace('name: settings', `name: a${i}`);
    const tell = (type: number) =>
      client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: added.map(uri => ({ uri, type })),
      });
    files[uris.settings] = settings;
    await tell(created!);
    await client.diagnostics(uris.pod, isThere);
    files[uris.settings] = settings.replace('name: settings', 'name: others');
    await tell(changed!);
    await client.diagnostics(uris.pod, isMissing);
  });

  it('an open document takes precedence over the disk until it is closed', async () => {
    const files: Record<string, string> = { [uris.pod]: pod, [uris.settings]: settings };
    const client = await startClient({ files });
    client.open(uris.pod, pod);
    client.open(uris.settings, settings.replace('name: settings', 'name: others'));
    await client.diagnostics(uris.pod, isMissing);
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', watched(uris.settings, changed!));
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: uris.settings } });
    await client.diagnostics(uris.pod, isThere);
  });

  it('a document with another extension is removed when it is closed, although it is on disk', async () => {
    const template = 'file:///ws/settings.yaml.tpl';
    const files = { [uris.pod]: pod, [template]: settings };
    async function* manifestsBelow(): AsyncIterable<readonly string[]> {
      yield [uris.pod];
    }
    const client = await startClient({ files, world: { manifestsBelow } });
    client.open(uris.pod, pod);
    await client.diagnostics(uris.pod, isMissing);
    client.open(template, settings);
    await client.diagnostics(uris.pod, isThere);
    await client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: template } });
    await client.diagnostics(uris.pod, isMissing);
  });

  it('two open folders do not see each other', async () => {
    const files = { 'file:///a/pod.yaml': pod, 'file:///b/settings.yaml': settings };
    const client = await startClient({ files, folders: ['file:///a', 'file:///b'] });
    await client.diagnostics('file:///a/pod.yaml', isMissing);
    const together = await startClient({
      files: { 'file:///a/pod.yaml': pod, 'file:///a/b/settings.yaml': settings },
      folders: ['file:///a'],
    });
    together.open('file:///a/pod.yaml', pod);
    await together.diagnostics('file:///a/pod.yaml', isThere);
  });

  it('publishes problems of berth.yaml, and applies it', async () => {
    const uri = 'file:///ws/berth.yaml';
    const client = await startClient({ files: { [uris.pod]: pod, [uri]: 'severty: {}\n' } });
    const [wrong] = await client.diagnostics(uri, it => it.length > 0);
    expect(wrong).toMatchObject({ code: 'berth/configuration', range: { start: { line: 0, character: 0 } } });
    expect(wrong?.message).toContain('did you mean "severity"?');
    client.open(uri, 'completeSources: true\n');
    await client.diagnostics(uri, it => it.length === 0);
    const [problem] = await client.diagnostics(uris.pod, it => it.some(({ message }) => message.includes('nowhere')));
    expect(problem?.code).toBe('references/config-map-missing');
  });
});

describe('reading a folder', () => {
  const files = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`file:///ws/${i}.yaml`, pod]));

  it('shows progress', async () => {
    const told: string[] = [];
    await new Promise<void>(resolve => {
      void startClient({
        files,
        onProgress(value) {
          told.push(`${value.kind} ${value.message ?? ''}`.trim());
          if (value.kind === 'end') resolve();
          return undefined;
        },
      });
    });
    expect(told[0]).toBe('begin looking for manifests');
    expect(told).toContain('report 600 of 600 files');
  });

  it('stops when it is cancelled, and reports that', async () => {
    const problems = await new Promise<readonly string[]>(resolve => {
      void startClient({
        files,
        onProgress: value => (value.kind === 'report' ? 'cancel' : undefined),
        onStatus: status => status.problems.length > 0 && resolve(status.problems),
      });
    });
    expect(problems[0]).toMatch(/^Reading file:\/\/\/ws was stopped after \d+ of 600 files;/);
  });
});

describe('files on the disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-files-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const all = {
    '.gitignore': 'ignored/\n/top.yaml\n',
    'top.yaml': pod,
    'ws/.berthignore': '*.gen.yaml\n',
    'ws/pod.yaml': pod,
    'ws/pod.gen.yaml': pod,
    'ws/deep/.gitignore': '!kept.gen.yaml\n',
    'ws/deep/kept.gen.yaml': pod,
    'ws/ignored/pod.yaml': pod,
    'ws/node_modules/x/pod.yaml': pod,
    'ws/modules/vendor/modules.txt': '',
    'ws/modules/vendor/k8s.io/pod.yaml': pod,
    'ws/vendor/web/pod.yaml': pod,
    'ws/dist/pod.yaml': pod,
    'ws/readme.md': '',
  };
  mkdirSync(join(folder, '.git'));
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  it('are found like in the command line, and a single file is decided in the same way', async () => {
    const root = join(folder, 'ws');
    const found: string[] = [];
    for await (const paths of findManifests(root, 'repository')) found.push(...paths);
    const wanted = ['ws/pod.yaml', 'ws/deep/kept.gen.yaml', 'ws/vendor/web/pod.yaml', 'ws/dist/pod.yaml'];
    expect(found.sort()).toEqual(wanted.map(it => join(folder, it)).sort());
    const isOut = excludedFrom([root], 'repository');
    const kept: string[] = [];
    for (const path of Object.keys(all).filter(it => it.endsWith('.yaml'))) {
      if (!(await isOut(join(folder, path)))) kept.push(path);
    }
    expect(kept.sort()).toEqual(wanted.sort());
  });

  it.runIf(process.platform !== 'win32')(
    'are left out where a link leads to them, by itself and in a folder',
    async () => {
      const root = join(folder, 'ws');
      const links = ['link.yaml', 'linked'];
      symlinkSync('pod.yaml', join(root, 'link.yaml'));
      symlinkSync('deep', join(root, 'linked'));
      const found: string[] = [];
      for await (const paths of findManifests(root, 'folders')) found.push(...paths);
      const isOut = excludedFrom([root], 'folders');
      for (const path of ['link.yaml', 'linked/kept.gen.yaml']) {
        expect(found).not.toContain(join(root, path));
        expect(await isOut(join(root, path))).toBe(true);
      }
      for (const it of links) rmSync(join(root, it));
    },
  );

  it('are found without access above the folder where the workspace is not trusted', async () => {
    const found: string[] = [];
    for await (const chunk of findManifests(join(folder, 'ws'), 'folders')) found.push(...chunk);
    // The repository's .gitignore lies above the folder, so that it leaves nothing out here.
    const paths = found.map(it => it.slice(folder.length + 1)).sort();
    expect(paths).toEqual([
      'ws/deep/kept.gen.yaml',
      'ws/dist/pod.yaml',
      'ws/ignored/pod.yaml',
      'ws/pod.yaml',
      'ws/vendor/web/pod.yaml',
    ]);
  });
});

it('a patch that is opened is one before its folder is read', async () => {
  const patch = 'file:///ws/overlays/prod/size.yaml';
  const files = {
    'file:///ws/late.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: late }\n',
    'file:///ws/overlays/prod/kustomization.yaml': 'resources: [../../base]\npatches: [{ path: size.yaml }]\n',
    [patch]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api }\nspec: { replicas: many }\n',
  };
  const readText = (uri: string): Promise<string | undefined> =>
    uri.endsWith('/late.yaml') ? new Promise(() => undefined) : Promise.resolve((files as Record<string, string>)[uri]);
  const client = await startClient({ files, world: { readText } });
  client.open(patch, files[patch]!);
  const found = await client.diagnostics(patch, all => !all.some(it => it.code === 'apiserver/required'));
  expect(found.map(it => it.code)).toEqual(['decode/type-mismatch']);
});

it('a document that is opened while the files around another one are read keeps its text', async () => {
  const patch = 'file:///ws/overlays/prod/size.yaml';
  const kustomization = 'file:///ws/overlays/prod/kustomization.yaml';
  const outer = 'file:///ws/kustomization.yaml';
  const files: Readonly<Record<string, string>> = {
    'file:///ws/late.yaml': 'kind: late\n',
    [outer]: 'resources:\n  - one.yaml\n  - two.yaml\n',
    [kustomization]: 'patches: [{ path: size.yaml }]\n',
    [patch]: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: api }\n',
  };
  const gate: { open: () => void } = { open: () => undefined };
  const opened = new Promise<void>(resolve => {
    gate.open = resolve;
  });
  const readText = async (uri: string): Promise<string | undefined> => {
    if (uri.endsWith('/late.yaml')) return new Promise(() => undefined);
    if (uri === outer) await opened;
    return files[uri];
  };
  const client = await startClient({ files, world: { readText } });
  client.open(patch, files[patch]!);
  client.open(kustomization, 'patches:\n  - path: size.yaml\n    target:\n      kind: Deployment\n');
  const foldings = (uri: string) =>
    client.connection.sendRequest<readonly unknown[]>('textDocument/foldingRange', { textDocument: { uri } });
  const before = await foldings(kustomization);
  gate.open();
  await expect.poll(() => foldings(outer)).not.toEqual([]);
  expect(before).not.toEqual([]);
  expect(await foldings(kustomization)).toEqual(before);
});

/** A disk on which the settings are, in a file that is read once `held.read` is called. */
function readLate(uri: string) {
  const held = { read: (): void => undefined };
  const readText = (it: string): Promise<string | undefined> =>
    it === uri ? new Promise(resolve => (held.read = () => resolve(settings))) : Promise.resolve(undefined);
  return { held, readText };
}

it('no reference is reported as missing before the folders are read, while problems of the file itself are', async () => {
  const uri = 'file:///ws/pod.yaml';
  const config = 'file:///ws/settings.yaml';
  const { held, readText } = readLate(config);
  const told: string[] = [];
  const client = await startClient({
    files: { [uri]: pod, [config]: settings },
    world: { readText },
    onDiagnostics: ({ diagnostics }) => void told.push(...diagnostics.map(it => it.code)),
  });
  const text = pod.replace('spec:', 'spce:\nspec:');
  client.open(uri, text);
  await client.diagnostics(uri, all => all.some(it => it.code === 'decode/unknown-field'));
  const explained = async (word: string): Promise<string> => {
    const line = text.split('\n').findIndex(it => it.includes(word));
    const position = { line, character: text.split('\n')[line]!.indexOf(word) };
    const hover = await client.connection.sendRequest<Hover>('textDocument/hover', { textDocument: { uri }, position });
    return hover.contents.value;
  };
  expect(await explained('spce')).toContain('**Why:** Strict decoding');
  expect(await explained('settings')).not.toContain('**Why:**');
  held.read();
  client.open('file:///ws/other.yaml', pod.replace('name: settings', 'name: others'));
  await client.diagnostics('file:///ws/other.yaml', isMissing);
  const ofPod = await client.diagnostics(uri, all => all.length > 0);
  expect(ofPod.map(it => it.code)).toEqual(['decode/unknown-field']);
  expect(told.filter(it => it === 'references/config-map-missing')).toHaveLength(1);
});

describe('a hover while many files are read', () => {
  it('says what the file says itself, and where its Pods land once all are read', async () => {
    const uri = 'file:///ws/pod.yaml';
    const other = 'file:///ws/other.yaml';
    const { held, readText } = readLate(other);
    const client = await startClient({ files: { [uri]: pod, [other]: settings }, world: { readText } });
    client.open(uri, pod);
    const hoverAt = async (line: number, character: number): Promise<string> => {
      const params = { textDocument: { uri }, position: { line, character } };
      const hover = await client.connection.sendRequest<Hover>('textDocument/hover', params);
      return hover.contents.value;
    };
    expect(await hoverAt(1, 0)).toContain('Where its Pods land is still being worked out.');
    expect(await hoverAt(4, 30)).toContain('`spec.containers[0].image`');
    held.read();
    await client.diagnostics(uri, isThere);
    await expect.poll(() => hoverAt(1, 0)).toContain('**Pod web** lands on');
  });
});

describe('very many files', () => {
  /** What the index gets of a folder, and how often other work may go on. */
  async function read(texts: Readonly<Record<string, string>>) {
    const handed: string[][] = [];
    const state = { turns: 0, mostParsed: 0 };
    const indexing = createIndexing({
      connection: {} as Connection,
      world: {
        async *manifestsBelow() {
          yield Object.keys(texts);
        },
        excludedFrom: () => async () => false,
        readText: async uri => texts[uri],
        yieldToEventLoop: async () => {
          state.turns += 1;
        },
      },
      folders: () => ['file:///ws'],
      ignoreScope: () => 'folders',
      isOpen: () => false,
      isTyping: () => false,
      knownUris: () => handed.flat(),
      canShowProgress: () => false,
      parsed(files) {
        state.mostParsed = Math.max(
          state.mostParsed,
          files.reduce((sum, it) => sum + (it.text?.length ?? 0), 0),
        );
        return files;
      },
      index: files => void handed.push(files.map(it => it.uri)),
      take: () => undefined,
      onReading: () => undefined,
      done: () => undefined,
    });
    await indexing.folderAdded('file:///ws');
    return { handed, ...state };
  }

  it('are parsed in small slices and added in few batches, those first that say what others are', async () => {
    const many = Array.from({ length: 10_000 }, (_, i) => [`file:///ws/app${i}.yaml`, 'a'.repeat(3_000)] as const);
    const graph = Array.from({ length: 50 }, (_, i) => [`file:///ws/z${i}/kustomization.yaml`, 'a: 1\n'] as const);
    const { handed, turns, mostParsed } = await read(Object.fromEntries([...many, ...graph]));
    const uris = handed.flat();
    expect(new Set(uris).size).toBe(10_050);
    expect(uris.length).toBe(10_050);
    expect(uris.slice(0, 50)).toEqual(graph.map(([uri]) => uri));
    expect(handed.length).toBeLessThan(150);
    expect(Math.min(...handed.map(it => it.length))).toBeGreaterThan(0);
    // No batch makes the editor wait for long.
    expect(Math.max(...handed.map(it => it.length))).toBeLessThan(500);
    expect(mostParsed).toBeLessThan(70_000);
    expect(turns).toBeGreaterThan(400);
  });

  it('that are large are added in batches of bounded size', async () => {
    const large = Array.from({ length: 60 }, (_, i) => [`file:///ws/app${i}.yaml`, 'a'.repeat(500_000)] as const);
    const { handed } = await read(Object.fromEntries(large));
    expect(handed.flat()).toHaveLength(60);
    expect(Math.max(...handed.map(it => it.length))).toBeLessThan(4);
  });
});
