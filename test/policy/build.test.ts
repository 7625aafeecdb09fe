import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { limitMemory } from '../../tools/policy-engine/limit-memory.mjs';

const tool = resolve(import.meta.dirname, '../../tools/policy-engine.mjs');

describe('The build of the policy engine without Go', () => {
  it.each([
    ['says what is missing and goes on', {}, 0],
    ['is an error in CI', { CI: 'true' }, 1],
  ])('%s', (_, more, status) => {
    const empty = mkdtempSync(join(tmpdir(), 'berth-no-go-'));
    const run = spawnSync(process.execPath, [tool], { encoding: 'utf8', env: { PATH: empty, ...more } });
    rmSync(empty, { recursive: true });
    expect(run.stderr).toMatch(/^policy engine: not built, because Go 1\.26 or newer was not found\. .*Install Go/);
    expect(run.status).toBe(status);
  });
});

describe('The memory of the program', () => {
  const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  const module = (memory: readonly number[]) => Buffer.from([...header, 5, memory.length, ...memory, 0, 2, 1, 0x78]);

  it('gets a maximum, and all else stays', () => {
    expect([...limitMemory(module([1, 0, 3]), 200 * 65536)]).toEqual([...module([1, 1, 3, 200, 1])]);
  });

  it('is refused when it is not as Go makes it', () => {
    expect(() => limitMemory(module([1, 1, 3, 9]), 65536)).toThrow('already has a maximum');
    expect(() => limitMemory(Buffer.from(header), 65536)).toThrow('no memory');
  });
});
