import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLive } from '../../server/src/live/main';
import { type Files, runIn } from '../cli/world';
import { changed } from '../conformance/mutate';
import { recordedReply } from '../live/recorded';
import { sampled, sizedFor } from '../support/thorough';
import { among, berth, builtEngine, products, root, type Told, textsBelow } from './product';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const fixture = textsBelow(join(root, 'test/shipped/fixture'));
const engine = builtEngine();
afterAll(() => engine.dispose());

const timeless = (text: string): string =>
  text.replace(/"milliseconds":\d+/g, '"milliseconds":0').replace(/\(\d+ ms\)/g, '(0 ms)');

/** What the source answers to a command line over files, run in memory. */
async function inSource(args: readonly string[], files: Files, input = ''): Promise<Told> {
  const outside = {
    version,
    policyEngine: engine,
    post: async () => ({ failure: 'there is no network here' }),
    runProcess: async () => ({ end: 'missing' as const }),
    live: () => ({ readLive }),
  };
  const { code, out, err } = await runIn(outside, args, files, input);
  return { code: code ?? null, out: timeless(out), err };
}

/** The verbs that were run. */
const verbs = new Set<string>();

/** What the extension's CLI answers, which must be what the source does. */
async function alike(args: readonly string[], files: Files, input = ''): Promise<Told> {
  verbs.add(args[0] ?? '');
  const [told, wanted] = await Promise.all([
    among(files, cwd => berth(products.extension, args, { cwd, input })),
    inSource(args, files, input),
  ]);
  const answer = { ...told, out: timeless(told.out) };
  expect(answer).toEqual(wanted);
  return answer;
}

it('the extension holds the very build of the checkout', () => {
  const sumsIn = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(it => it.isFile())
        .map(it => join(it.parentPath, it.name).slice(folder.length + 1))
        .filter(it => !/^(?:test[\\/]|berth\.vsix$)/.test(it))
        .map(it => [
          it,
          createHash('sha256')
            .update(readFileSync(join(folder, it)))
            .digest('hex'),
        ]),
    );
  const built = sumsIn(join(products.checkout, 'dist'));
  expect(sumsIn(join(products.extension, 'dist'))).toEqual(built);
  expect(Object.keys(built).filter(it => it.endsWith('.map'))).toEqual([]);
});

// Of the checkout, too: the test above says that it is the same build.
describe.concurrent('the policies of a workspace, in the extension', () => {
  it('speak, those of every engine', async () => {
    const { code, out } = await alike(['check', '.', '--format', 'json'], fixture);
    expect(code).toBe(1);
    const { problems } = JSON.parse(out) as { readonly problems: readonly Record<string, string>[] };
    expect(problems.map(it => `${it.path} ${it.code}: ${it.message}`).sort()).toEqual([
      'web.yaml conftest/deny: no host network',
      'web.yaml gatekeeper/NeedsLabel: needs the label team (constraint team)',
      'web.yaml kyverno/no-latest: validation error: name a version. rule autogen-tag failed at path /spec/template/spec/containers/0/image/',
      'web.yaml property/owned: say who owns it',
      'web.yaml vap/replicas: at most three replicas (policy replicas, binding replicas)',
    ]);
  });
});

const LAMP = `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: lamp }
spec:
  processes:
    - name: lamp
      start: dark
      steps: [{ name: turn on, from: dark, to: lit }, { name: turn off, from: lit, to: dark }]
`;

/** Enough states at once for another thread. */
const TOKENS = `apiVersion: berth.dev/v1alpha1
kind: System
metadata: { name: tokens }
spec:
  variables: { t: { size: 16, value: 0 } }
  processes:
    - name: token
      copies: 16
      start: s
      steps: [{ name: turn, from: s, set: { "t[i]": "1 - t[i]" }, when: "t[i] < 2 + i" }]
`;

describe.concurrent('a verb of the extension’s CLI answers as the source does:', () => {
  const { 'web.yaml': web = '', 'nodes.yaml': nodes = '' } = fixture;
  const placed = { 'nodes.yaml': nodes, 'web.yaml': web };

  it.each([
    [['check', 'web.yaml', '--format', 'github', '--kubernetes-version', '1.31'], placed, ''],
    [['check', 'web.yaml', '--format', 'sarif'], placed, '"2.1.0"'],
    [['policy', 'test', '.', '--format', 'json'], fixture, 'test_host_network_is_denied'],
    [['baseline', '.', '-o', 'known.json'], placed, ''],
    [['explain', 'vap/replicas'], {}, 'ValidatingAdmissionPolicy'],
    [['explore', 'lamp.yaml', '--format', 'json'], { 'lamp.yaml': LAMP }, '"states":2'],
    [['explore', 'tokens.yaml', '--jobs', '2', '--format', 'json'], { 'tokens.yaml': TOKENS }, '"states":65536'],
    // How many states of a drain are visited depends on the time.
    [['explore', '--ask', 'order,rollout', 'nodes.yaml', 'web.yaml'], placed, 'arrive'],
    [['version', '--format', 'json'], {}, '"policyEngine":"built"'],
    [['nonsense'], {}, ''],
    [['check', 'web.yaml', '--cluster', 'live:none'], placed, ''],
  ] as const)('%j', async (args, files, says) => {
    const { out } = await alike(args, files);
    expect(out).toContain(says);
  });

  it('explain for an editor, in its language', async () => {
    const explained = (locale: string) =>
      among({}, cwd => berth(products.extension, ['explain', 'apiserver/required'], { cwd, locale }));
    const [japanese, english] = await Promise.all([explained('ja'), explained('en')]);
    expect(japanese.out).toContain('## 対処\n\nフィールドに値を書いてください。');
    expect(english.out).toContain('## What to do\n\nGive the field a value.');
  });

  it('check of standard input', async () => {
    const { code, out } = await alike(['check', '-'], {}, 'kind: Pod\napiVersion: v1\nspce: {}\n');
    expect(code).toBe(1);
    expect(out).toContain('decode/unknown-field');
  });
});

describe.concurrent('an example is answered as the source does:', () => {
  const examples = join(root, 'examples');
  const names = readdirSync(examples);
  const all = Object.fromEntries(
    names.flatMap(it => Object.entries(textsBelow(join(examples, it))).map(([path, text]) => [`${it}/${path}`, text])),
  );

  // One process for all of them, as some need the policy engine.
  it('each, checked', async () => {
    const { out } = await alike(['check', '--format', 'json', ...names], all);
    expect(JSON.parse(out).summary.files).toBe(Object.keys(all).length);
  });

  it('placed', async () => {
    const some = [...new Set(['mutating-policy', ...sampled(names, 2)])];
    const { out } = await alike(['place', '--format', 'json', ...some], all);
    const told = out
      .trim()
      .split('\n')
      .map(it => JSON.parse(it));
    expect(told.map(it => it.scenario)).toEqual(some);
    expect(told.find(it => it.scenario === 'mutating-policy').mutations).not.toEqual([]);
  });

  it('after an upgrade', async () => {
    const from = sizedFor({ thorough: '1.31', quick: '1.36' });
    const some = sampled(names, 2);
    const { out } = await alike(['upgrade', '--from', from, '--to', '1.37', '--format', 'json', ...some], all);
    expect(JSON.parse(out)).toMatchObject({ from, to: '1.37' });
  });

  it('three-zones, placed in several ways, by the solver too', async () => {
    const { out } = await alike(['place', 'three-zones', '--compare', '--suggest'], all);
    expect(out).toContain('optimal');
  });

  it.each([
    [['what-if', 'moved', '--descheduler', 'moved/policy.yaml', '--at', '2026-03-01T12:00:00Z']],
    [['what-if', 'moved', '--vpa', '--at', '2026-03-01T12:00:00Z']],
    [['test', 'placement-tests']],
  ])('%j', async args => {
    const { code } = await alike(args, all);
    expect(code).toBe(0);
  });
});

describe.concurrent('a sample of the labelled cases is answered as the source does:', () => {
  const linesOf = (file: string) =>
    readFileSync(join(root, 'test/conformance', file), 'utf8')
      .split('\n')
      .filter(Boolean);
  const every = <T>(n: number, list: readonly T[]): readonly T[] => list.filter((_, i) => i % n === 0);
  /** Three times as few in a normal run. */
  const fewer = sizedFor({ thorough: 1, quick: 3 });

  it('validation', async () => {
    const cases = every(7 * fewer, linesOf('validation/cases.jsonl')).map(it => JSON.parse(it));
    const baseOf = (name: string) =>
      readFileSync(join(root, 'test/conformance/validation/bases', `${name}.yaml`), 'utf8');
    const { parse } = await import('yaml');
    const texts = cases.map(it => JSON.stringify(changed(parse(baseOf(it.base)), it.changes)));
    const { out } = await alike(['check', 'cases.yaml', '--format', 'json', '--fail-on', 'never'], {
      'cases.yaml': texts.join('\n---\n'),
    });
    expect(JSON.parse(out).problems.length).toBeGreaterThan(cases.length / 2);
  });

  it('scheduling', async () => {
    const cases = every(4 * fewer, linesOf('scheduling/scenarios.jsonl')).map(it => JSON.parse(it));
    const files = Object.fromEntries(
      cases.map((it, i) => [`${i}.yaml`, it.scenario.map((object: object) => JSON.stringify(object)).join('\n---\n')]),
    );
    const { out } = await alike(['place', '--format', 'json', ...Object.keys(files)], files);
    expect(out.trim().split('\n')).toHaveLength(cases.length);
  });
});

describe('a live cluster', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { status, text } = recordedReply(request.url ?? '');
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is read by the client that ships', async () => {
    const { port } = server.address() as AddressInfo;
    const config = JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 'sesame' } }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    });
    verbs.add('snapshot');
    const { told, wanted } = await among({ config }, async cwd => ({
      told: await berth(products.extension, ['snapshot', '--kubeconfig', join(cwd, 'config')], { cwd }),
      wanted: await inSource(['snapshot', '--kubeconfig', join(cwd, 'config')], {}),
    }));
    expect(told).toEqual(wanted);
    expect(told.code).toBe(0);
    expect(told.out).toContain('node-a');
  });
});

it('a check starts from the code that an earlier one compiled', async () => {
  await among({}, async cwd => {
    const cache = join(cwd, 'compiled');
    const keptAfterCheck = async () => {
      await berth(products.checkout, ['check', '-'], { cwd, cache });
      return readdirSync(cache).map(it => [it, statSync(join(cache, it)).ino]);
    };
    const first = await keptAfterCheck();
    expect(first).toHaveLength(1);
    // V8 refuses code that was compiled under other flags, and then the file is written again.
    expect(await keptAfterCheck()).toEqual(first);
  });
});

it('completes itself in a shell', async () => {
  const { out } = await alike(['completion', 'bash'], {});
  expect(out).toContain('what-if');
});

it('no verb was left out', async () => {
  const { out } = await berth(products.extension, ['--help'], { cwd: root });
  const told = [...out.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name as string);
  expect(told).toContain('check');
  // The language server has tests of its own.
  expect(told.filter(it => !verbs.has(it) && it !== 'lsp' && it !== 'help')).toEqual([]);
});
