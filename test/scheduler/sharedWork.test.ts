import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../server/src/cluster/model';
import type { SharedWork } from '../../server/src/scheduler/framework/sharedWork';
import { runScenario } from '../../server/src/scheduler/scenario';
import { scenarioOf } from '../conformance/scheduling/generate';
import { alike, inGroups } from '../conformance/scheduling/together';
import { isGateOn, verdictTable } from './support';

const memory = vi.hoisted(() => ({ forgets: false }));

vi.mock('../../server/src/scheduler/framework/sharedWork', async original => {
  const real = await original<typeof import('../../server/src/scheduler/framework/sharedWork')>();
  const forgetful = (nodeCount: number): SharedWork => ({
    column: (_key, _looksAt, answer) => answer,
    fill(_key, _looksAt, answer, nodes, into) {
      for (const [i, it] of nodes.entries()) into[i] ??= answer(it);
    },
    numbers: (_key, _looksAt, answer, nodes, into) => into.set(nodes.map(answer)),
    alike: (key, partOf, nodes) => real.sharedWork(nodeCount).alike(key, partOf, nodes),
    once: real.sharedWork(nodeCount).once,
  });
  return { ...real, sharedWork: (count: number) => (memory.forgets ? forgetful(count) : real.sharedWork(count)) };
});

/** The themes in which Pods come, go and look at each other. */
const THEMES = ['spread', 'interPod', 'preemption', 'contested', 'nominated', 'volumesContested', 'profiles', 'mix'];
const SEEDS = Array.from({ length: 40 }, (_, i) => i + 1);

function decided(objects: readonly JsonObject[], forgets: boolean): string {
  memory.forgets = forgets;
  const result = runScenario(objects, { kubernetesVersion: '1.37', isGateOn });
  return verdictTable(result);
}

describe('what a run remembers changes nothing that it decides', () => {
  for (const [name, change] of Object.entries({ alike, inGroups })) {
    it.each(THEMES)(`%s, Pods ${name}`, theme => {
      for (const seed of SEEDS) {
        const objects = change(scenarioOf(theme, seed));
        expect(decided(objects, false), `seed ${seed}`).toBe(decided(objects, true));
      }
    });
  }
});
