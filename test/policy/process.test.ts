import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
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
  // One test, because each start decompresses and compiles the program, which takes seconds.
  it('starts with the first call, ends after some idle time or when it is killed, and starts again', async () => {
    const { world, engine } = started(300);
    expect(world.pid()).toBeUndefined();
    expect(await engine.call({ op: 'version' })).toHaveProperty('versions');
    const pid = world.pid();
    expect(isAlive(pid)).toBe(true);
    await expect.poll(() => isAlive(pid)).toBe(false);

    const range = 'numbers.range(1, 4000)[_]';
    const { handle } = (await engine.call({
      op: 'compileRego',
      modules: { 'p.rego': `package main\ndeny contains "x" if { x := ${range}; y := ${range}; x * y == -1 }` },
    })) as { readonly handle: number };
    expect(world.pid()).not.toBe(pid);
    const asked = engine.call({ op: 'evalRego', handle, query: 'value = data.main.deny', limits: { maxSteps: 1e12 } });
    await Promise.resolve();
    process.kill(world.pid() as number, 'SIGKILL');
    await expect(asked).rejects.toThrow(new PolicyStopped('the process of the policy engine ended (SIGKILL)'));

    // It inherits nothing of the editor's environment.
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = '--require=./there-is-no-such-module';
    try {
      expect(await engine.call({ op: 'version' })).toHaveProperty('versions');
    } finally {
      engine.dispose();
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
    }
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
