import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runToEnd, type Steps } from '../../server/src/base/steps';
import type { ScenarioAnswer } from '../../server/src/explore/cluster/answer';
import { askDrain } from '../../server/src/explore/cluster/drain';
import { askJobs } from '../../server/src/explore/cluster/jobs';
import { askRollouts } from '../../server/src/explore/cluster/rollout';
import { createScheduler } from '../../server/src/explore/cluster/scheduling';
import {
  nearestCycle,
  nearestWithout,
  type SearchedSpace,
  searchSpace,
  wayTo,
} from '../../server/src/explore/cluster/search';
import { askSettles } from '../../server/src/explore/cluster/settles';
import { clusterWorld, type ExploredWorld } from '../../server/src/explore/cluster/world';
import { askZones } from '../../server/src/explore/cluster/zones';
import { simulate } from '../../server/src/scheduler/scenario';
import { objectsIn } from '../scheduler/support';
import { node, RUN } from './orders/support';

const LIMITS = { states: 20_000, timeUsed: () => 0 };

/** A graph of numbers; each edge is named by its end. */
function searched(edges: Readonly<Record<number, readonly number[]>>, most = 100): SearchedSpace<number> {
  return runToEnd(
    searchSpace<number>(
      {
        starts: [0],
        keyOf: String,
        movesFrom: from =>
          (edges[from] ?? []).map(to => ({ by: { actor: to > 9 ? 'high' : 'low', step: `${to}` }, to })),
      },
      { states: most, timeUsed: () => 0 },
    ),
  );
}

const steps = (its: readonly { readonly step: string }[] | undefined) => its?.map(it => it.step).join(' ');

describe('a search of states', () => {
  it('finds the nearest state from which a goal cannot be reached, and the nearest end of such a way', () => {
    const found = searched({ 0: [1, 2], 1: [3], 2: [4], 4: [5], 5: [6] });
    const isGoal = (it: number) => it === 3;
    expect(steps(wayTo(found, nearestWithout(found, isGoal, 'first')!))).toBe('2');
    expect(steps(wayTo(found, nearestWithout(found, isGoal, 'end')!))).toBe('2 4 5 6');
    expect(nearestWithout(found, it => it === 3 || it === 6, 'first')).toBeUndefined();
  });

  it('takes what a limit left out for a goal', () => {
    const found = searched({ 0: [1], 1: [2], 2: [3], 3: [4] }, 2);
    expect(found.isComplete).toBe(false);
    expect(nearestWithout(found, () => false, 'first')).toBeUndefined();
  });

  it('tells a cycle that nothing ends before one that luck ends, with the way to it', () => {
    const isHigh = ({ actor }: { readonly actor: string }) => actor === 'high';
    const lucky = runToEnd(nearestCycle(searched({ 0: [10, 1], 10: [0] }), isHigh));
    expect([lucky?.end, steps(lucky?.steps), steps(lucky?.cycle)]).toEqual(['luck', '', '10 0']);
    const both = runToEnd(nearestCycle(searched({ 0: [10, 1], 10: [0, 2], 2: [11], 11: [2] }), isHigh));
    expect([both?.end, steps(both?.steps), steps(both?.cycle)]).toEqual(['hopeless', '10 2', '11 2']);
    expect(runToEnd(nearestCycle(searched({ 0: [1], 1: [0] }), isHigh))).toBeUndefined();
  });
});

function worldOf(objects: readonly UnknownObject[]): ExploredWorld {
  return runToEnd(clusterWorld(objects, RUN, simulate(objects, RUN)));
}

/** What is asked, whether it holds, and how long the shortest way is. */
function verdictsIn(world: ExploredWorld): readonly string[] {
  const scheduler = createScheduler(world);
  const asked: readonly Steps<readonly ScenarioAnswer[]>[] = [
    askDrain(world, scheduler, LIMITS),
    askRollouts(world, LIMITS),
    askSettles(world, scheduler, LIMITS),
    askZones(world, scheduler, LIMITS),
    askJobs(world, scheduler, LIMITS),
  ];
  return asked
    .flatMap(runToEnd)
    .map(({ question, about = '', holds, trouble }) =>
      [question, about, holds, trouble?.steps.length, trouble?.cycle?.length, trouble?.end].join(' '),
    );
}

describe('merging equal nodes changes no verdict and no length of a way', () => {
  const folder = join(import.meta.dirname, '../fixtures/explore');
  const names = readdirSync(folder).filter(it => /^[EZ]/.test(it) && !it.includes('.cured'));
  it.each(names)('%s', name => {
    const world = worldOf(objectsIn(readFileSync(join(folder, name), 'utf8')));
    expect(verdictsIn({ ...world, equalNodes: [] })).toEqual(verdictsIn(world));
  });

  it('is of use: some of the fixtures have equal nodes', () => {
    const equal = names.filter(it => worldOf(objectsIn(readFileSync(join(folder, it), 'utf8'))).equalNodes.length > 0);
    expect(equal.length).toBeGreaterThan(5);
  });
});

describe('the world of a cluster', () => {
  const running = (name: string, owner: string): UnknownObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, controller: true }] },
    spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'app' }] },
  });

  it('keeps Pods of a controller that is not among the objects: each is made again as it is', () => {
    const { sets, workloads, pods } = worldOf([node('n1', 4), running('a-1', 'a'), running('b-1', 'b')]);
    expect([sets.map(it => it.wanted), workloads.length, pods.length]).toEqual([[1, 1], 0, 2]);
  });

  it('has no set for a Pod without a controller', () => {
    const { metadata: _, ...rest } = running('a', 'a');
    const { kinds, sets } = worldOf([node('n1', 4), { ...rest, metadata: { name: 'bare' } }]);
    expect([kinds.map(it => it.name), sets.length]).toEqual([['bare'], 0]);
  });
});

describe('an update of Pods that their controller names', () => {
  const workload = (kind: string, updateStrategy: object, cpu: string): UnknownObject => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'app' },
    spec: {
      ...(kind === 'StatefulSet' && { replicas: 3, serviceName: 'app' }),
      updateStrategy,
      selector: { matchLabels: { app: 'app' } },
      template: {
        metadata: { labels: { app: 'app' } },
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }] },
      },
    },
  });
  const surge = { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
  const asked = (object: UnknownObject): ScenarioAnswer => {
    const [answer] = runToEnd(askRollouts(worldOf([node('n1', 4), node('n2', 4), object]), LIMITS));
    return answer!;
  };

  it('of a DaemonSet waits for ever for room beside the old Pod, or needs none', () => {
    const { holds, trouble } = asked(workload('DaemonSet', surge, '3'));
    expect([holds, trouble?.steps.length]).toEqual([false, 2]);
    expect(trouble?.says).toContain('(maxSurge 1, maxUnavailable 0)');
    expect(asked(workload('DaemonSet', surge, '1')).holds).toBe(true);
    expect(asked(workload('DaemonSet', {}, '3')).holds).toBe(true);
    expect(asked(workload('DaemonSet', { rollingUpdate: { maxUnavailable: '100%' } }, '3')).holds).toBe(true);
  });

  it('of a StatefulSet exchanges the ordinals from the partition on', () => {
    const from = (partition: number) => asked(workload('StatefulSet', { rollingUpdate: { partition } }, '1'));
    const counts = [0, 2, 3].map(it => from(it)).map(it => [it.holds, it.states]);
    expect(counts.map(([holds]) => holds)).toEqual([true, true, true]);
    expect(counts[0]![1]).toBeGreaterThan(Number(counts[1]![1]));
    expect(counts[2]![1]).toBe(1);
  });
});
