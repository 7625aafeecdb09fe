import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../../server/src/workspace/rendered/process';
import { moduleOf } from '../../tools/transpile.mjs';
import { isAlive } from '../support/isAlive';

const options = { cwd: tmpdir(), timeout: 30_000, maxBytes: 1000 };
const starts = (starter: string, ...options: readonly string[]): boolean =>
  spawnSync(starter, [...options, '--', 'true']).status === 0;
const isolates = starts('unshare', '--user', '--map-root-user', '--net');
const killsAfter = starts('setpriv', '--pdeathsig', 'KILL');
/** How a process ends, and what it does for that. */
const ENDINGS: readonly (readonly [string, string])[] = [
  ['ends', 'process.exit(0)'],
  ...(killsAfter ? [['is killed', 'process.kill(process.pid, "SIGKILL")'] as const] : []),
];

describe('a tool that is started', () => {
  it('has its own output, exit code and error', async () => {
    const node = (script: string) => runProcess(process.execPath, ['-e', script], options);
    expect(await node('console.log(1)')).toEqual({ end: 'exited', code: 0, out: '1\n', err: '' });
    expect(await node('process.exitCode = 1')).toEqual({ end: 'exited', code: 1, out: '', err: '' });
    expect(await node('console.log("x".repeat(2000))')).toEqual({ end: 'tooMuch' });
    expect(await runProcess('berth-has-no-such-tool', [], options)).toEqual({ end: 'missing' });
  });

  it('has no proxy and no protocol of git', async () => {
    const names = ['HTTPS_PROXY', 'https_proxy', 'NO_PROXY', 'GIT_ALLOW_PROTOCOL'];
    const script = `console.log(${JSON.stringify(names)}.map(it => process.env[it]).join())`;
    const ran = await runProcess(process.execPath, ['-e', script], options);
    expect(ran).toMatchObject({ out: 'http://127.0.0.1:9,http://127.0.0.1:9,,none\n' });
  });

  it.each(ENDINGS)('ends when the process that started it %s', async (_, ending) => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-tool-'));
    const note = JSON.stringify(join(folder, 'pid'));
    const endless = `require('node:fs').writeFileSync(${note}, String(process.pid)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
    const module = moduleOf(join(import.meta.dirname, '../../server/src/workspace/rendered/process'))!;
    const script = `
      import { existsSync, readFileSync, watch } from 'node:fs';
      const { runProcess } = await import(${JSON.stringify(pathToFileURL(module).href)});
      const options = { cwd: ${JSON.stringify(folder)}, timeout: 60_000, maxBytes: 1000 };
      const isNoted = () => existsSync(${note}) && readFileSync(${note}, 'utf8') !== '';
      const noted = new Promise(resolve => watch(options.cwd, () => isNoted() && resolve()));
      void runProcess(process.execPath, ['-e', ${JSON.stringify(endless)}], options);
      await noted;
      ${ending};`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it.runIf(isolates)('reaches no server, not even on this computer', async () => {
    const server = createServer(socket => socket.end());
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { readonly port: number };
    const connects = `require('node:net').connect(${port}, '127.0.0.1')
      .on('connect', function () { console.log('connected'); this.destroy(); }).on('error', () => console.log('refused'))`;
    // The same program has a connection if it is started directly.
    expect(spawnSync(process.execPath, ['-e', connects], { encoding: 'utf8' }).stdout).toBe('connected\n');
    expect(await runProcess(process.execPath, ['-e', connects], options)).toMatchObject({ out: 'refused\n' });
    server.close();
  });
});
