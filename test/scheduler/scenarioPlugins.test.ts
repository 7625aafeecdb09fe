import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { SchedulerPlugin } from '../../server/src/scheduler/framework/interface';
import type * as Plugin from '../../server/src/scheduler/framework/plugin';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn, objectsIn } from './support';

/** The name of each plugin of which a function is called. */
const called = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const called = new Set<string>();
  inPlaceOf('scheduler/framework/plugin', (real: typeof Plugin) => ({
    definePlugin: plugin => {
      const noted = Object.entries(real.definePlugin(plugin)).map(([key, it]) => [
        key,
        typeof it !== 'function'
          ? it
          : (...args: unknown[]) => {
              called.add(plugin.name);
              return (it as (...args: unknown[]) => unknown)(...args);
            },
      ]);
      return Object.fromEntries(noted) as SchedulerPlugin;
    },
  }));
  return called;
});

const folder = resolve(import.meta.dirname, '../../server/src/scheduler/plugins');
/** The folders that hold a plugin of the framework, named as upstream names it with a small first letter. */
const plugins = readdirSync(folder).filter(name =>
  readdirSync(join(folder, name)).some(it => readFileSync(join(folder, name, it), 'utf8').includes('definePlugin')),
);
const upstreamOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Scenario → the plugins that its run calls. */
const runs = readdirSync(join(import.meta.dirname, 'scenarios'))
  .filter(it => it.endsWith('.yaml'))
  .map(file => {
    called.clear();
    const objects = objectsIn(readFileSync(join(import.meta.dirname, 'scenarios', file), 'utf8'));
    runScenario(objects, { kubernetesVersion: '1.37', isGateOn });
    return { scenario: file.replace(/\.yaml$/, ''), called: new Set(called) };
  });

describe('each plugin', () => {
  test.each(plugins)('%s is called in every scenario that is named after it', name => {
    const own = runs.filter(it => it.scenario.split('-')[0] === name);
    expect(own.filter(it => !it.called.has(upstreamOf(name))).map(it => it.scenario)).toEqual([]);
  });

  test('is called in a scenario', () => {
    expect(plugins.filter(name => !runs.some(it => it.called.has(upstreamOf(name))))).toEqual([]);
  });
});
