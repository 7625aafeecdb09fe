import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import { createPolicyEngine, PolicyStopped } from '../../server/src/policy/engine/engine';
import { engineWorld } from '../../server/src/policy/engine/process';
import { moduleOf } from '../../tools/transpile.mjs';
import { describeWithEngine } from './withEngine';

const root = resolve(import.meta.dirname, '../..');
/** The module of a source as Node loads it. */
const moduleUrl = (source: string): string => JSON.stringify(pathToFileURL(moduleOf(join(root, source))!).href);

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A separate engine that the test may end. */
function started(idleMilliseconds?: number) {
  const world = engineWorld(join(root, 'dist'), () => undefined);
  return { world, engine: createPolicyEngine(world, idleMilliseconds) };
}

describeWithEngine('The process of the policy engine', () => {
  afterEach(() => void vi.unstubAllEnvs());

  // One test, because each start decompresses and compiles the program, which takes seconds.
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

  it('neither keeps its parent alive nor outlives it', async () => {
    const script = `
      const { createPolicyEngine } = await import(${moduleUrl('server/src/policy/engine/engine')});
      const { engineWorld } = await import(${moduleUrl('server/src/policy/engine/process')});
      const world = engineWorld(${JSON.stringify(join(root, 'dist'))}, () => undefined);
      await createPolicyEngine(world).call({ op: 'version' });
      console.log(world.pid());`;
    const parent = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const pid = Number(parent.stdout);
    expect(pid, parent.stderr).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
