import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createPolicyEngine, PolicyStopped, PROGRAM } from '../../server/src/policy/engine/engine';
import { engineWorld } from '../../server/src/policy/engine/process';
import { moduleOf } from '../../tools/transpile.mjs';
import { isAlive } from '../support/isAlive';
import { isThorough } from '../support/isThorough.mjs';
import { describeWithEngine } from './withEngine';

const root = resolve(import.meta.dirname, '../..');
/** The module of a source as Node loads it. */
const moduleUrl = (source: string): string => JSON.stringify(pathToFileURL(moduleOf(join(root, source))!).href);

/** A worker that answers at once, but for evaluations, which never end. */
const WORKER = `
const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ id, request }) => {
  const { op, objects = [] } = JSON.parse(request);
  const answer = JSON.stringify({ handle: 1, versions: {}, reviews: objects.map(() => ({ violations: [] })) });
  if (op !== 'evalRego') parentPort.postMessage({ id, answer });
});
parentPort.postMessage({ ready: true });
`;
const EMPTY_PROGRAM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * Berth's process with a program that does nothing, as each start of the real one takes a second, and all other tests with
 * the engine start it.
 */
function processWithoutProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-process-'));
  copyFileSync(join(root, 'dist/policyProcess.js'), join(folder, 'policyProcess.js'));
  writeFileSync(join(folder, 'policyWorker.js'), WORKER);
  writeFileSync(join(folder, PROGRAM), brotliCompressSync(EMPTY_PROGRAM));
  return folder;
}

describeWithEngine('The process of the policy engine', () => {
  let folder = join(root, 'dist');
  beforeAll(() => {
    if (!isThorough) folder = processWithoutProgram();
  });
  afterAll(() => {
    if (!isThorough) rmSync(folder, { recursive: true });
  });
  afterEach(() => void vi.unstubAllEnvs());

  /** A separate engine that the test may end. */
  function started(idleMilliseconds?: number) {
    const world = engineWorld(folder, () => undefined);
    return { world, engine: createPolicyEngine(world, idleMilliseconds) };
  }

  it('starts with the first call, starts again when it is killed, and ends after some idle time', async () => {
    const { world, engine } = started(300);
    expect(world.pid()).toBeUndefined();
    // It inherits nothing of the editor's environment.
    vi.stubEnv('NODE_OPTIONS', '--require=./there-is-no-such-module');
    const range = 'numbers.range(1, 4000)[_]';
    const { handle } = (await engine.call({
      op: 'compileRego',
      modules: { 'p.rego': `package main\ndeny contains "x" if { x := ${range}; y := ${range}; x * y == -1 }` },
    })) as { readonly handle: number };
    vi.unstubAllEnvs();
    const killed = world.pid() as number;
    expect(isAlive(killed)).toBe(true);
    const asked = engine.call({ op: 'evalRego', handle, query: 'value = data.main.deny', limits: { maxSteps: 1e12 } });
    await Promise.resolve();
    process.kill(killed, 'SIGKILL');
    await expect(asked).rejects.toThrow(new PolicyStopped('the process of the policy engine ended (SIGKILL)'));

    expect(await engine.call({ op: 'version' })).toHaveProperty('versions');
    const pid = world.pid();
    expect(pid).not.toBe(killed);
    expect(isAlive(pid)).toBe(true);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('neither keeps its parent alive nor outlives it, with several threads', async () => {
    const script = `
      const { createDividedEngine } = await import(${moduleUrl('server/src/policy/engine/divided')});
      const { engineWorld } = await import(${moduleUrl('server/src/policy/engine/process')});
      const world = engineWorld(${JSON.stringify(folder)}, () => undefined);
      const engine = createDividedEngine(world, 3);
      const { handle } = await engine.call({ op: 'loadGatekeeper' });
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
      const asked = { op: 'reviewGatekeeper', handle, phase: 'validate' };
      const counts = [];
      for (const count of [200, 1, 50]) {
        const { reviews } = await engine.call({ ...asked, objects: Array.from({ length: count }, () => ({ object })) });
        counts.push(reviews.length);
      }
      console.log(JSON.stringify({ pid: world.pid(), counts }));`;
    const parent = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    expect(parent.stderr).toBe('');
    const { pid, counts } = JSON.parse(parent.stdout) as { readonly pid: number; readonly counts: readonly number[] };
    expect(counts).toEqual([200, 1, 50]);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
