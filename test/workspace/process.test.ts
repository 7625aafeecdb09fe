import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runProcess } from '../../server/src/workspace/rendered/process';

const options = { cwd: tmpdir(), timeout: 30_000, maxBytes: 1000 };
const isolates = spawnSync('unshare', ['--user', '--map-root-user', '--net', '--', 'true']).status === 0;

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
