import { describe, expect, it, vi } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { NodeInfo } from '../../server/src/scheduler/framework/nodeInfo';
import type * as NodeRanking from '../../server/src/scheduler/framework/nodeRanking';
import type * as Shared from '../../server/src/scheduler/framework/sharedWork';
import type * as Tracking from '../../server/src/scheduler/framework/tracking';
import { runScenario } from '../../server/src/scheduler/scenario';
import { scenarioOf } from '../conformance/scheduling/generate';
import { alike, inGroups } from '../conformance/scheduling/together';
import { sizedFor } from '../support/thorough';
import { isGateOn, verdictTable } from './support';

const memory = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const memory = { forgets: false };
  inPlaceOf('scheduler/framework/sharedWork', (real: typeof Shared) => {
    const forgetful = (nodeCount: number): Shared.SharedWork => ({
      column: (_key, _looksAt, answer) => answer,
      answers<T>(_key: string, _looksAt: Shared.Dependency, answer: (node: NodeInfo) => T, nodes: readonly NodeInfo[]) {
        const values: T[] = [];
        for (const it of nodes) values[it.index] = answer(it);
        return values;
      },
      numbers(_key, _looksAt, answer, nodes) {
        const values = new Float64Array(nodeCount);
        for (const it of nodes) values[it.index] = answer(it);
        return values;
      },
      podClasses: (key, partOf, nodes) => real.sharedWork(nodeCount).podClasses(key, partOf, nodes),
      changed: (_then, now) => [...now.keys()],
      recordMove: () => undefined,
      once: real.sharedWork(nodeCount).once,
      following: real.sharedWork(nodeCount).following,
      always: (_key, make) => make(),
      forClass: pod => real.sharedWork(nodeCount).forClass(pod),
      alwaysForClass: pod => real.sharedWork(nodeCount).alwaysForClass(pod),
      aside: () => forgetful(nodeCount),
      forNextRun: () => forgetful(nodeCount),
    });
    return { sharedWork: count => (memory.forgets ? forgetful(count) : real.sharedWork(count)) };
  });
  inPlaceOf('scheduler/framework/nodeRanking', (real: typeof NodeRanking) => ({
    rankNodes: (...args) => (memory.forgets ? undefined : real.rankNodes(...args)),
  }));
  inPlaceOf('scheduler/framework/tracking', (real: typeof Tracking) => ({
    rankByTracking: (...args) => (memory.forgets ? undefined : real.rankByTracking(...args)),
  }));
  return memory;
});

/** The themes of generated scenarios. */
const THEMES = ['spread', 'interPod', 'preemption', 'contested', 'nominated', 'volumesContested', 'profiles', 'mix'];
const SEEDS = Array.from({ length: sizedFor({ thorough: 20, quick: 3 }) }, (_, i) => i + 1);

function decided(objects: readonly UnknownObject[], forgets: boolean): string {
  memory.forgets = forgets;
  const result = runScenario(objects, { kubernetesVersion: '1.37', isGateOn });
  return verdictTable(result);
}

describe('the caches of a run change no decision', () => {
  for (const [name, change] of Object.entries({ alike, inGroups })) {
    it.each(THEMES)(`%s, Pods ${name}`, theme => {
      for (const seed of SEEDS) {
        const objects = change(scenarioOf(theme, seed));
        expect(decided(objects, false), `seed ${seed}`).toBe(decided(objects, true));
      }
    });
  }
});
