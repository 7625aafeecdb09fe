import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readLive } from '../../server/src/live/main';
import { run } from './world';

const folder = mkdtempSync(join(tmpdir(), 'berth-exec-'));
const marker = join(folder, 'ran');
const plugin = join(folder, 'plugin.cjs');
writeFileSync(plugin, `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '');`);
writeFileSync(
  join(folder, 'config'),
  JSON.stringify({
    clusters: [{ name: 'c', cluster: { server: 'http://127.0.0.1:1', 'insecure-skip-tls-verify': true } }],
    users: [
      { name: 'exec', user: { exec: { command: process.execPath, args: [plugin] } } },
      { name: 'plain', user: {} },
    ],
    contexts: [
      { name: 'prod', context: { cluster: 'c', user: 'exec' } },
      { name: 'plain', context: { cluster: 'c', user: 'plain' } },
    ],
    'current-context': 'prod',
  }),
);
beforeEach(() => void vi.stubEnv('KUBECONFIG', join(folder, 'config')));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(marker, { force: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

const POD = 'apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: c, image: i }] }\n';
const files = {
  'web.yaml': POD,
  'current/berth.yaml': 'cluster: live\n',
  'current/web.yaml': POD,
  'named/berth.yaml': 'environments: { prod: { paths: [.], cluster: "live:prod" } }\n',
  'named/web.yaml': POD,
  'plain/berth.yaml': 'cluster: live:plain\n',
  'plain/web.yaml': POD,
  'tested/a.placement-test.yaml':
    'apiVersion: berth.dev/v1alpha1\nkind: PlacementTest\ncluster: live\nmanifests: [web.yaml]\ntests: [{ name: a, expect: [{ scheduled: all }] }]\n',
  'tested/web.yaml': POD,
};

/** Runs a command line with the client of live clusters that ships, and tells whether the program of the kubeconfig ran. */
async function asked(...argv: readonly string[]) {
  const { code, err } = await run(argv, files, '', undefined, undefined, () => ({ readLive }));
  return { code, err, hasRun: existsSync(marker) };
}

const NAMED: readonly (readonly string[])[] = [
  ['check', 'current'],
  ['check', 'named'],
  ['place', 'current'],
  ['place', '--environment', 'prod', '--config', 'named/berth.yaml'],
  ['what-if', 'current', '--vpa'],
  ['test', 'tested'],
];

it.each(NAMED.map(it => [it]))('the program of a cluster that a file names is not run: %j', async argv => {
  const { code, err, hasRun } = await asked(...argv);
  expect([code, hasRun]).toEqual([2, false]);
  expect(err).toContain(
    `the context prod gets its credentials from a program that was not run: ${process.execPath} ${plugin}; --allow-exec runs it.`,
  );
});

it.each(NAMED.map(it => [it]))('it is run where the command line says so: %j', async argv => {
  expect((await asked(...argv, '--allow-exec')).hasRun).toBe(true);
});

it.each([['check', 'web.yaml', '--cluster', 'live'], ['place', 'current', '--cluster', 'live:prod'], ['snapshot']])(
  'it is run for a cluster that the command line names: %s %s',
  async (...argv) => {
    expect((await asked(...argv)).hasRun).toBe(true);
  },
);

it('a cluster whose credentials need no program is asked', async () => {
  const { code, err } = await asked('check', 'plain');
  expect([code, err]).toEqual([2, expect.stringContaining('nobody listens there')]);
});
