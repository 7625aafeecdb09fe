import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Analysis } from '../../server/src/analysis/analysis';
import type { RenderJob, ToolResult } from '../../server/src/analysis/rendering';
import { createRendering, type RenderingServing } from '../../server/src/lsp/rendering';
import { engineThatIsNotBuilt } from '../support/policyEngine';
import { startClient, type TestClient } from './client';

const recorded = join(import.meta.dirname, '../fixtures/rendered');
const output = readFileSync(join(recorded, 'kustomize.out'), 'utf8');
const files = Object.fromEntries(
  readdirSync(join(recorded, 'app'), { recursive: true })
    .map(it => String(it).replaceAll('\\', '/'))
    .filter(it => it.endsWith('.yaml'))
    .map(it => [`file:///ws/${it}`, readFileSync(join(recorded, 'app', it), 'utf8')]),
);
const LIMITS = 'file:///ws/prod/limits.yaml';
const BASE = 'file:///ws/base/web.yaml';

/** A client whose kustomize prints what the test says next. */
async function start(options: { readonly isTrusted: boolean; readonly render?: string; readonly policy?: string }) {
  const told = { text: output, code: 0, started: [] as string[], pauses: 0 };
  const pause = async (): Promise<void> => {
    told.pauses += 1;
    await new Promise(resolve => setImmediate(resolve));
    told.pauses -= 1;
  };
  const run = async (command: string): Promise<ToolResult> => {
    told.started.push(command);
    return { end: 'exited', code: told.code, out: told.text, err: '' };
  };
  const client = await startClient({
    files: options.policy === undefined ? files : { ...files, 'file:///ws/policy.yaml': options.policy },
    policyEngine: engineThatIsNotBuilt(),
    isTrusted: options.isTrusted,
    configuration: { render: options.render ?? 'auto' },
    world: { pause },
    rendering: { run, pathKind: async () => 'nothing', readText: async () => undefined },
  });
  return { client, told };
}

const codesOf = async (client: TestClient, uri: string, code: string): Promise<readonly string[]> => {
  const all = await client.diagnostics(uri, found => found.some(it => it.code === code));
  return all.map(it => `${it.range.start.line + 1} ${it.code}`);
};

test('a trusted workspace is rendered; problems are at the sources of their values, with a link to the output', async () => {
  const { client, told } = await start({ isTrusted: true });
  expect(await codesOf(client, LIMITS, 'apiserver/refused')).toEqual(['14 apiserver/refused']);
  expect(await codesOf(client, BASE, 'apiserver/refused')).toEqual(['11 apiserver/enum', '14 apiserver/refused']);
  expect(told.started).toEqual(['kustomize']);
  const text = await client.connection.sendRequest('berth/rendered', { uri: 'file:///ws/prod/rendered.yaml' });
  expect(text).toBe(output);
});

test('it is rendered again when one of its files changes on disk', async () => {
  const { client, told } = await start({ isTrusted: true });
  await codesOf(client, LIMITS, 'apiserver/refused');
  told.text = output.replace('99999', '99');
  client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: LIMITS, type: 2 }] });
  await client.diagnostics(LIMITS, all => all.length === 0);
  expect(told.started).toEqual(['kustomize', 'kustomize']);
});

test('it is rendered again when a folder that it reads is there again', async () => {
  const known = { ...files };
  const told = { started: 0 };
  const client = await startClient({
    files: known,
    isTrusted: true,
    world: { pause: () => new Promise(resolve => setImmediate(resolve)) },
    rendering: {
      async run() {
        told.started += 1;
        return { end: 'exited', code: 0, out: output, err: '' };
      },
      pathKind: async () => 'nothing',
      readText: async () => undefined,
    },
  });
  const tell = (type: number): Promise<void> =>
    client.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: 'file:///ws/base', type }],
    });
  await codesOf(client, BASE, 'apiserver/refused');
  expect(told.started).toBe(1);
  for (const it of Object.keys(known).filter(it => it.startsWith('file:///ws/base/'))) delete known[it];
  await tell(3);
  await client.diagnostics(BASE, all => all.length === 0);
  Object.assign(known, files);
  await tell(1);
  await expect.poll(() => told.started).toBe(2);
});

test('renderings are removed with the trust, even while a newer one is requested', async () => {
  const { client } = await start({ isTrusted: true });
  await codesOf(client, LIMITS, 'apiserver/refused');
  client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: LIMITS, type: 2 }] });
  // By the last answer the change of the file is handled, and the newer rendering not started yet.
  for (let i = 0; i < 5; i++) await client.connection.sendRequest('berth/tests');
  client.connection.sendNotification('berth/trust', { isTrusted: false });
  await client.diagnostics(LIMITS, all => all.length === 0);
});

test.each([
  ['nobody trusts it', { isTrusted: false }],
  ['the setting says off', { isTrusted: true, render: 'off' }],
])('nothing is started where %s', async (_name, options) => {
  const { client, told } = await start(options);
  // What is written in the base is wrong by itself.
  expect(await codesOf(client, BASE, 'apiserver/enum')).toEqual(['11 apiserver/enum']);
  // A tool is started after a pause, and here pauses end at once.
  await expect.poll(() => told.pauses).toBe(0);
  expect(told.started).toEqual([]);
});

test('a workspace is rendered once it becomes trusted', async () => {
  const { client, told } = await start({ isTrusted: false });
  await codesOf(client, BASE, 'apiserver/enum');
  client.connection.sendNotification('berth/trust', { isTrusted: true });
  expect(await codesOf(client, LIMITS, 'apiserver/refused')).toEqual(['14 apiserver/refused']);
  expect(told.started).toEqual(['kustomize']);
});

const PORTS = `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: { name: ports }
spec:
  rules:
    - name: low
      match: { any: [{ resources: { kinds: [Deployment] } }] }
      validate:
        failureAction: Enforce
        message: Ports are low.
        pattern: { spec: { template: { spec: { containers: [{ "=(ports)": [{ containerPort: "<9000" }] }] } } } }
`;

test('problems of policies in the output are at its sources, never in the output, and disappear with it', async () => {
  const { client, told } = await start({ isTrusted: true, policy: PORTS });
  const atOutput: unknown[] = [];
  void client.diagnostics('berth-rendered:/ws/prod/rendered.yaml', () => true).then(it => atOutput.push(it));
  expect(await codesOf(client, LIMITS, 'kyverno/ports')).toContain('14 kyverno/ports');
  told.code = 1;
  client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes: [{ uri: LIMITS, type: 2 }] });
  await client.diagnostics(LIMITS, all => all.every(it => it.code !== 'kyverno/ports'));
  expect(atOutput).toEqual([]);
});

test('other work goes on while many paths of a kustomization are looked at', async () => {
  const resources = Array.from({ length: 2_000 }, (_, i) => `  - r${i}.yaml\n`).join('');
  let looked = 0;
  const before: number[] = [];
  const pause = async (milliseconds: number): Promise<void> => {
    if (milliseconds === 0) before.push(looked);
    await new Promise(resolve => setImmediate(resolve));
  };
  const client = await startClient({
    files: { 'file:///ws/kustomization.yaml': `resources:\n${resources}` },
    world: { pause },
    rendering: {
      run: async () => ({ end: 'missing' }),
      async pathKind() {
        looked += 1;
        return 'nothing';
      },
      readText: async () => undefined,
    },
  });
  await client.diagnostics('file:///ws/kustomization.yaml', all => all.length > 0);
  expect(before).toEqual([500, 1_000, 1_500, 2_000]);
});

test('a folder is looked at again once its kustomization, which was open alone, is closed', async () => {
  const app = 'file:///ws/app/kustomization.yaml';
  const base = 'file:///ws/base/kustomization.yaml';
  const client = await startClient({
    files: { [app]: 'resources: [../base]\n' },
    rendering: {
      run: async () => ({ end: 'missing' }),
      pathKind: async uri => (uri.endsWith('/base') ? 'folder' : 'nothing'),
      readText: async () => undefined,
    },
  });
  const isMissing = (all: readonly { readonly code?: unknown }[]): boolean =>
    all.some(it => it.code === 'kustomize/path-missing');
  await client.diagnostics(app, isMissing);
  client.open(base, 'resources: []\n');
  await client.diagnostics(app, all => !isMissing(all));
  client.connection.sendNotification('textDocument/didClose', { textDocument: { uri: base } });
  await client.diagnostics(app, isMissing);
});

describe('very many kustomizations', () => {
  /** How many are rendered with each change of the analysis; `onRun` is called before each. */
  async function batchesOf(count: number, onRun: (started: number, rendering: RenderingServing) => void) {
    const jobs = Array.from({ length: count }, (_, i): RenderJob => {
      const folder = `file:///ws/app${i}`;
      return { tool: 'kustomize', source: `${folder}/kustomization.yaml`, folder, unseen: [], reads: () => false };
    });
    const facts = {
      settings: { render: 'auto' },
      renderJobs: jobs,
      wantedPaths: [],
      capabilities: { apiVersions: [] },
    };
    const batches: number[] = [];
    const told = { started: 0 };
    const rendering = createRendering({
      host: { analysis: () => facts as unknown as Analysis },
      applyChange({ rendered = [] }) {
        if (rendered.length > 0) batches.push(rendered.length);
        return [];
      },
      world: {
        async run() {
          told.started += 1;
          onRun(told.started, rendering);
          return { end: 'exited', code: 0, out: 'apiVersion: v1\nkind: Pod\n', err: '' };
        },
        pathKind: async () => 'nothing',
        readText: async () => undefined,
      },
      folders: () => ['file:///ws'],
      pause: () => new Promise(resolve => setImmediate(resolve)),
      onChange: () => undefined,
    });
    rendering.trust('trusted');
    await expect.poll(() => batches.reduce((sum, it) => sum + it, 0)).toBe(count);
    return batches;
  }

  test('are rendered in batches that grow', async () => {
    expect(await batchesOf(500, () => undefined)).toEqual([16, 16, 16, 24, 36, 54, 81, 100, 100, 57]);
  });

  test('are not waited for where a file changes', async () => {
    const batches = await batchesOf(200, (started, rendering) => {
      if (started === 110) rendering.filesChanged(['file:///ws/elsewhere.yaml']);
    });
    expect(batches.slice(0, 4)).toEqual([16, 16, 16, 24]);
    // The next one has two that were started by then, and would have had 54.
    expect(batches.slice(4, 6)).toEqual([36, 2]);
  });
});
