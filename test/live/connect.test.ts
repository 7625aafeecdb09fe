import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isReadOnlyPath } from '../../server/src/live/api';
import { connect, type LiveOptions } from '../../server/src/live/connect';
import { contextsOf, followLive, readLive } from '../../server/src/live/main';
import { recordedReply } from './recorded';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
}

let folder: string;
let server: Server;
let requests: Asked[];
let isSilent: boolean;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-live-'));
  requests = [];
  isSilent = false;
  server = createServer((request, response) => {
    requests.push({ method: request.method!, path: request.url!, authorization: request.headers.authorization });
    if (isSilent) return;
    const { status, text } = recordedReply(request.url!);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

function kubeconfig(name: string, user: object, more: object = {}): string {
  const path = join(folder, name);
  const { port } = server.address() as AddressInfo;
  const text = {
    clusters: [{ name, cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'shop' } }],
    'current-context': name,
    ...more,
  };
  writeFileSync(path, JSON.stringify(text));
  return path;
}

/** A program that prints a token, as kubectl's plugins do. */
function plugin(): object {
  const path = join(folder, 'plugin.cjs');
  const status = { token: 'from-plugin' };
  writeFileSync(
    path,
    `#!${process.execPath}\nrequire('fs').appendFileSync(${JSON.stringify(join(folder, 'ran'))}, 'x');\nconsole.log(${JSON.stringify(JSON.stringify({ status }))});\n`,
  );
  chmodSync(path, 0o755);
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: process.execPath, args: [path] } };
}

const read = (options: Omit<LiveOptions, 'plugins'>, plugins: LiveOptions['plugins'] = 'refused') =>
  readLive({ ...options, plugins });

describe('a kubeconfig', () => {
  test('connects to the server with its token, by GET only', async () => {
    const content = await read({ kubeconfig: kubeconfig('admin', { token: 'sesame' }) });
    expect(content.state).toBe('ready');
    expect(content.objects.length).toBeGreaterThan(5);
    expect(new Set(requests.map(it => it.method))).toEqual(new Set(['GET']));
    expect(new Set(requests.map(it => it.authorization))).toEqual(new Set(['Bearer sesame']));
    expect(requests.map(it => it.path).filter(it => !isReadOnlyPath(it))).toEqual([]);
  });

  test('is found by KUBECONFIG; of several entries of one name the first counts', async () => {
    const first = kubeconfig('a', { token: 'first' });
    const second = kubeconfig('b', { token: 'second' });
    writeFileSync(join(folder, 'again'), JSON.stringify({ users: [{ name: 'a', user: { token: 'again' } }] }));
    vi.stubEnv(
      'KUBECONFIG',
      [first, second, join(folder, 'again'), join(folder, 'missing')].join(process.platform === 'win32' ? ';' : ':'),
    );
    expect(contextsOf()).toEqual({ contexts: ['a', 'b'], current: 'a' });
    await read({});
    await read({ context: 'b' });
    expect(new Set(requests.map(it => it.authorization))).toEqual(new Set(['Bearer first', 'Bearer second']));
  });

  test('runs a user’s program only where that is allowed', async () => {
    const path = kubeconfig('exec', plugin());
    const refused = await read({ kubeconfig: path });
    expect(refused).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining('gets its credentials from a program that was not run: '),
    });
    expect(requests).toEqual([]);
    expect(() => rmSync(join(folder, 'ran')), 'the program did not run').toThrow();
    expect((await read({ kubeconfig: path }, { only: 'another program' })).program).toBe(refused.program);
    expect(() => rmSync(join(folder, 'ran')), 'another was allowed').toThrow();
    const allowed = await read({ kubeconfig: path }, { only: `${process.execPath} ${join(folder, 'plugin.cjs')}` });
    expect(allowed.state).toBe('ready');
    expect(requests[0]?.authorization).toBe('Bearer from-plugin');
    expect(readFileSync(join(folder, 'ran'), 'utf8'), 'once for all requests').toBe('x');
  });

  test('with credentials from a service is refused in the same way', async () => {
    const path = kubeconfig('oidc', {
      'auth-provider': { name: 'oidc', config: { 'idp-issuer-url': 'https://login.example.com' } },
    });
    expect((await read({ kubeconfig: path })).reason).toContain(
      'gets its credentials from a program that was not run: ',
    );
  });

  test.each([
    ['no file', () => join(folder, 'missing'), 'cannot be read'],
    ['no YAML', () => kubeconfigText('{'), 'cannot be read'],
    ['no context', () => kubeconfigText('{}'), 'has no current context'],
  ])('with %s is told in a sentence', async (_, path, reason) => {
    expect(await read({ kubeconfig: path() })).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining(reason),
    });
  });

  function kubeconfigText(text: string): string {
    writeFileSync(join(folder, 'text'), text);
    return join(folder, 'text');
  }

  test('with an unknown context names it in the error', async () => {
    const content = await read({ kubeconfig: kubeconfig('admin', {}), context: 'prod' });
    expect(content.reason).toBe('the kubeconfig has no context "prod" with a cluster');
  });

  test('with an unreachable server says so', async () => {
    const path = kubeconfig('gone', {});
    await new Promise(resolve => server.close(resolve));
    expect((await read({ kubeconfig: path })).reason).toMatch(
      /^127\.0\.0\.1:\d+ cannot be reached: nobody listens there$/,
    );
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  });
});

describe('a session', () => {
  test('reads the kubeconfig again on refresh, and keeps the old content meanwhile', async () => {
    const path = join(folder, 'later');
    const states: string[] = [];
    const session = followLive({ kubeconfig: path, plugins: 'refused' }, it => states.push(it.state));
    expect(states).toEqual(['unreachable']);
    kubeconfig('later', { token: 'first' });
    session.refresh();
    await expect.poll(() => states).toContain('ready');
    kubeconfig('later', { token: 'second' });
    session.refresh();
    await expect.poll(() => requests.map(it => it.authorization)).toContain('Bearer second');
    await expect.poll(() => states.filter(it => it === 'ready').length).toBeGreaterThan(1);
    expect(states).not.toContain('loading');
    session.close();
  });
});

describe('the guard', () => {
  test('gives up on a server that sends nothing', async () => {
    isSilent = true;
    const { get } = connect({ kubeconfig: kubeconfig('slow', {}), plugins: 'refused' });
    const ask = get('/version', {
      accept: 'application/json',
      idleMilliseconds: 50,
      signal: new AbortController().signal,
    });
    await expect(ask).rejects.toThrow(/does not answer/);
  });

  test.each([
    '/api/v1/namespaces/shop/pods/web/exec?command=sh',
    '/api/v1/namespaces/shop/pods/web/proxy/',
    '/api/v1/nodes/n1/proxy/run',
    '/api/v1/namespaces/shop/secrets/login',
    '/api/v1/../../version',
    '/logs/kube-apiserver.log',
    '/api/v1/namespaces/shop%2Fpods/x',
  ])('does not ask for %s', async path => {
    const { get } = connect({ kubeconfig: kubeconfig('admin', {}), plugins: 'allowed' });
    const ask = { accept: 'application/json', idleMilliseconds: 1000, signal: new AbortController().signal };
    await expect(get(path, ask)).rejects.toThrow(/does not ask for/);
    expect(requests).toEqual([]);
  });
});
