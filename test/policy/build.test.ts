import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { goToolchain, proxiesOf } from '../../tools/go-toolchain.mjs';
import { limitMemory } from '../../tools/policy-engine/limit-memory.mjs';

const tool = resolve(import.meta.dirname, '../../tools/policy-engine.mjs');

describe('The build of the policy engine without Go', () => {
  it.each([
    ['says what is missing and goes on', {}, 0],
    ['is an error in CI', { CI: 'true' }, 1],
  ])('%s', (_, more, status) => {
    const empty = mkdtempSync(join(tmpdir(), 'berth-no-go-'));
    const env = { PATH: empty, BERTH_CACHE: empty, GOPROXY: 'off', ...more };
    const run = spawnSync(process.execPath, [tool], { encoding: 'utf8', env });
    rmSync(empty, { recursive: true });
    expect(run.stderr).toMatch(
      /^policy engine: not built: Go 1\.26 or newer was not found, and GOPROXY=off forbids to download it\. Install Go .*not be evaluated/,
    );
    expect(run.status).toBe(status);
  });

  it('tries the proxies of GOPROXY in order', () => {
    expect(proxiesOf('https://a.example/,https://b.example|direct')).toEqual([
      { url: 'https://a.example', goesOn: false },
      { url: 'https://b.example', goesOn: true },
      { url: 'direct', goesOn: false },
    ]);
  });

  it('rejects a toolchain with another sum', async () => {
    const zip = readFileSync(resolve(import.meta.dirname, 'toolchain.zip'));
    const server = createServer((_, response) => void response.end(zip));
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const BERTH_CACHE = mkdtempSync(join(tmpdir(), 'berth-toolchain-'));
    const { port } = server.address() as AddressInfo;
    const GOPROXY = `http://127.0.0.1:${port}`;
    await expect(goToolchain({ env: { BERTH_CACHE, GOPROXY }, platform: 'linux', arch: 'x64' })).rejects.toThrow(
      /has the sum h1:.*, not h1:/,
    );
    expect(readdirSync(BERTH_CACHE)).toEqual([]);
    rmSync(BERTH_CACHE, { recursive: true });
    server.close();
  });
});

describe('The memory of the program', () => {
  const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const module = (memory: readonly number[]) => Buffer.from([...header, 5, memory.length, ...memory, 0, 2, 1, 0x78]);

  it.each([
    ['less than it has already', 2, 3],
    ['more', 5, 5],
  ])('gets a maximum, and %s from the start: everything else stays', (_, initial, pages) => {
    const limited = limitMemory(module([1, 0, 3]), { initial: initial * 65536, maximum: 200 * 65536 });
    expect([...limited]).toEqual([...module([1, 1, pages, 200, 1])]);
  });

  it("is rejected when it is not in Go's form", () => {
    const bytes = { initial: 65536, maximum: 65536 };
    expect(() => limitMemory(module([1, 1, 3, 9]), bytes)).toThrow('already has a maximum');
    expect(() => limitMemory(Buffer.from(header), bytes)).toThrow('no memory');
  });
});
