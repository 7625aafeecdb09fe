import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { objectOrEmpty, type UnknownObject } from '../../server/src/base/json';
import { runToEnd, type Steps } from '../../server/src/base/steps';
import type { ScenarioAnswer } from '../../server/src/explore/cluster/answer';
import { controllerMoves } from '../../server/src/explore/cluster/controllers';
import { askDrain, whyNotEvicted } from '../../server/src/explore/cluster/drain';
import { withDeleted } from '../../server/src/explore/cluster/ending';
import { askJobs } from '../../server/src/explore/cluster/jobs';
import { askNodes, askZones } from '../../server/src/explore/cluster/losses';
import { askRollouts } from '../../server/src/explore/cluster/rollout';
import { createScheduler } from '../../server/src/explore/cluster/scheduling';
import {
  type Move,
  nearestCycle,
  nearestWithout,
  type SearchedSpace,
  type Space,
  searchSpace,
  wayTo,
} from '../../server/src/explore/cluster/search';
import { askSettles } from '../../server/src/explore/cluster/settles';
import {
  clusterOf,
  differentNodes,
  type ExploredState,
  keyOf,
  startState,
} from '../../server/src/explore/cluster/state';
import { clusterWorld, type ExploredWorld } from '../../server/src/explore/cluster/world';
import { NO_EQUAL_NODES } from '../../server/src/explore/orders/equalNodes';
import { simulate } from '../../server/src/scheduler/scenario';
import { objectsIn } from '../scheduler/support';
import { sampled } from '../support/thorough';
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

  it('ends at its limit where there are starts without end', () => {
    function* numbers(): Iterable<number> {
      for (let i = 0; ; i++) yield i;
    }
    const space = { starts: numbers(), keyOf: String, movesFrom: () => [] };
    const { states, isComplete } = runToEnd(searchSpace<number>(space, { states: 10, timeUsed: () => 0 }));
    expect({ states, isComplete }).toEqual({ states: [...Array(11).keys()], isComplete: false });
  });

  it('ends when its time is over, within the moves from one state, too', () => {
    const moves = Array.from({ length: 10_000 }, (_, to) => ({ by: { actor: 'low', step: '' }, to }));
    const looks = { count: 0 };
    const timeUsed = () => (looks.count++ < 20 ? 0 : 2);
    const space = { starts: [0], keyOf: String, movesFrom: () => moves };
    const { states, edges, isComplete } = runToEnd(searchSpace<number>(space, { states: 100_000, timeUsed }));
    expect(states.length).toBeLessThan(30);
    expect({ edges, isComplete }).toEqual({ edges: [], isComplete: false });
  });

  it('tells a cycle that nothing ends before one that luck ends, with the way to it', () => {
    const isHigh = ({ actor }: { readonly actor: string }) => actor === 'high';
    const lucky = runToEnd(nearestCycle(searched({ 0: [10, 1], 10: [0] }), isHigh));
    expect([lucky?.end, steps(lucky?.steps), steps(lucky?.cycle)]).toEqual(['luck', '', '10 0']);
    const both = runToEnd(nearestCycle(searched({ 0: [10, 1], 10: [0, 2], 2: [11], 11: [2] }), isHigh));
    expect([both?.end, steps(both?.steps), steps(both?.cycle)]).toEqual(['hopeless', '10 2', '11 2']);
    expect(runToEnd(nearestCycle(searched({ 0: [1], 1: [0] }), isHigh))).toBeUndefined();
  });

  it('tells a cycle among merged states as it happens, and that it ends under other names', () => {
    // A walk to the right, of which only the remainder counts.
    const space: Space<number> = {
      starts: [0],
      keyOf: it => String(it % 2),
      exactKeyOf: String,
      movesFrom: at => [{ by: { actor: 'walker', step: `to ${at + 1}` }, to: at + 1 }],
    };
    const found = runToEnd(searchSpace(space, { states: 10, timeUsed: () => 0 }));
    const again = runToEnd(nearestCycle(found, () => true));
    expect([steps(again?.cycle), again?.states, again?.upToNames]).toEqual(['to 1 to 2', [0, 1, 2], true]);
    const { exactKeyOf: _, ...same } = space;
    const literal = runToEnd(nearestCycle({ ...found, space: same }, () => true));
    expect(literal?.upToNames).toBeUndefined();
  });
});

function worldOf(objects: readonly UnknownObject[]): ExploredWorld {
  return runToEnd(clusterWorld(objects, RUN, simulate(objects, RUN)));
}

it('leaves rollouts open once the time is over, and reads nothing again for them', () => {
  const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  replicas: 1
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { containers: [{ name: main, image: web }] }
`;
  const { run, ...world } = worldOf([node('n1', 4), ...objectsIn([deployment('a'), deployment('b')].join('---\n'))]);
  const unread = { ...run, isGateOn: () => expect.unreachable('the scenario was read again') };
  const answers = runToEnd(askRollouts({ ...world, run: unread }, { states: 100, timeUsed: () => 2 }));
  expect(answers.map(it => [it.about, it.holds, it.states])).toEqual([
    ['Deployment a', undefined, 0],
    ['Deployment b', undefined, 0],
  ]);
});

/** What is asked, whether it holds, and how long the shortest way is; a cycle that exchanges equal nodes is shorter where these are merged. */
function verdictsIn(world: ExploredWorld): readonly string[] {
  const scheduler = createScheduler(world);
  const asked: readonly Steps<readonly ScenarioAnswer[]>[] = [
    askDrain(world, scheduler, LIMITS),
    askRollouts(world, LIMITS),
    askSettles(world, scheduler, LIMITS),
    askZones(world, scheduler, LIMITS),
    askNodes(world, scheduler, LIMITS),
    askJobs(world, scheduler, LIMITS),
  ];
  return asked
    .flatMap(runToEnd)
    .map(({ question, about = '', holds, trouble }) =>
      [question, about, holds, trouble?.steps.length, trouble?.end].join(' '),
    );
}

describe('merging equal nodes changes no verdict and no length of a way', () => {
  const folder = join(import.meta.dirname, '../fixtures/explore');
  const names = readdirSync(folder).filter(it => /^[DEZ]/.test(it) && !it.includes('.cured'));
  it.each(sampled(names, 4))('%s', name => {
    const world = worldOf(objectsIn(readFileSync(join(folder, name), 'utf8')));
    expect(verdictsIn({ ...world, equalNodes: NO_EQUAL_NODES })).toEqual(verdictsIn(world));
  });

  it('is of use: some of the fixtures have equal nodes', () => {
    const equal = names.filter(
      it => worldOf(objectsIn(readFileSync(join(folder, it), 'utf8'))).equalNodes.lists.length > 0,
    );
    expect(equal.length).toBeGreaterThan(5);
  });
});

it('takes of equal nodes with the same Pods the first one', () => {
  const nodes = Array.from({ length: 6 }, (_, i) => node(`n${i}`, 4));
  const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'app' }] } };
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template };
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };
  const world = worldOf([...nodes, node('z', 8), web]);
  const { pods } = startState(world);
  const used = pods.map(it => it.node);
  const empty = [0, 1, 2, 3, 4, 5].find(it => !used.includes(it))!;
  expect(new Set(used).size).toBe(2);
  const equal = used.filter(it => it < 6);
  expect(differentNodes(startState(world), world)).toEqual([empty, ...equal.slice(0, 1), 6].sort());
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

describe('a Pod that was deleted', () => {
  const owner = (kind: string, name: string) => [{ apiVersion: 'apps/v1', kind, name, uid: name, controller: true }];
  const labels = { app: 'app' };
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }];
  const workload = (kind: string, replicas: number): UnknownObject => ({
    apiVersion: 'apps/v1',
    kind,
    metadata: { name: 'app', uid: 'app' },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
  const pod = (kind: string, name: string, nodeName: string, more: object = {}): UnknownObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, ownerReferences: owner(kind, 'app'), ...more },
    spec: { nodeName, containers },
  });
  const deleted = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };
  const nodes = [node('n1', 4), node('n2', 4)];
  const next = (world: ExploredWorld, state = startState(world)): readonly string[] =>
    [...controllerMoves(state, world), ...createScheduler(world).from(state)].map(
      it => `${it.by.actor}: ${it.by.step}`,
    );

  it.each([
    ['StatefulSet', 'app-0', 1, 'kubelet: app-0 on n1 has ended'],
    ['DaemonSet', 'app-x7k2p', 1, 'kubelet: app-x7k2p on n1 has ended'],
    ['ReplicaSet', 'app-x7k2p', 2, 'kubelet: app on n1 has ended'],
  ])('of a %s holds its room, and is replaced in time', (kind, name, count, ends) => {
    const other = kind === 'DaemonSet' ? [pod(kind, 'app-q4tzz', 'n2')] : [];
    const world = worldOf([...nodes, workload(kind, 1), pod(kind, name, 'n1', deleted), ...other]);
    const state = startState(world);
    expect([state.pods.length, next(world)]).toEqual([kind === 'DaemonSet' ? count + 1 : count, [ends]]);
    expect(clusterOf(state, world).running.map(it => it.nodeName)).toContain('n1');
    const gone = { ...state, pods: state.pods.filter(it => it.phase !== 'ends') };
    expect(next(world, gone).map(it => it.replace(/: make .*/, ' makes one'))).toEqual(
      kind === 'ReplicaSet' ? [] : [`${kind} app makes one`],
    );
  });

  it('counts as not healthy for a budget', () => {
    const budget = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'app' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    };
    const pods = [pod('StatefulSet', 'app-0', 'n1'), pod('StatefulSet', 'app-1', 'n2')];
    const world = worldOf([...nodes, workload('StatefulSet', 2), ...pods, budget]);
    const start = startState(world);
    expect(whyNotEvicted(start.pods[1]!, start, world)).toBeUndefined();
    const ends = withDeleted(start, [start.pods[0]!], world);
    expect(whyNotEvicted(ends.pods[1]!, ends, world)).toBe('the budget app wants 1 available, and 1 is');
  });

  it('of a DaemonSet is known by its node, whatever its name', () => {
    const running = [pod('DaemonSet', 'app-x7k2p', 'n1'), pod('DaemonSet', 'app-q4tzz', 'n2')];
    const world = worldOf([...nodes, workload('DaemonSet', 1), ...running]);
    expect([world.sets.length, next(world)]).toEqual([2, []]);
  });
});

describe('a node that does not answer', () => {
  const spread = [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { app: 'app' } },
    },
  ];
  const asked = (kind: string, cpu: string): readonly (string | boolean | undefined)[][] => {
    const template = {
      metadata: { labels: { app: 'app' } },
      spec: {
        topologySpreadConstraints: spread,
        containers: [{ name: 'main', image: 'app', resources: { requests: { cpu } } }],
      },
    };
    const workload = {
      apiVersion: 'apps/v1',
      kind,
      metadata: { name: 'app' },
      spec: { replicas: 2, selector: { matchLabels: { app: 'app' } }, template },
    };
    const world = worldOf([node('n1', 4), node('n2', 4), workload]);
    return runToEnd(askNodes(world, createScheduler(world), LIMITS)).map(it => [
      it.question,
      it.holds,
      it.trouble?.says,
    ]);
  };
  const skewed =
    'once node n1 is back, the nodes differ by 2 Pods of Deployment app with maxSkew 1, and nothing moves them';

  it.each([
    ['Deployment', '1', [true, undefined], [false, skewed]],
    ['Deployment', '3', [false, 'while node n1 does not answer, 1 Pod waits: app'], [true, undefined]],
    [
      'StatefulSet',
      '1',
      [false, 'while node n1 does not answer, app-1 is not made again until it does'],
      [true, undefined],
    ],
  ])('of a %s whose Pods want %s cpu', (kind, cpu, lost, back) => {
    const found = asked(kind, cpu).map(it =>
      it.map(text => (typeof text === 'string' ? text.replace(/app-[01]/, 'app-1') : text)),
    );
    expect(found).toEqual([
      ['nodeLoss', ...lost],
      ['nodeReturn', ...back],
    ]);
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

  it.each([
    [
      'OrderedReady',
      'on',
      2,
      ['replace app-1, app-2', 'make app-2 again'],
      'app-2 has no node, and the Pods are updated at most 2 at a time',
    ],
    ['OrderedReady', 'on', '40%', ['replace app-2'], 'app-2 has no node, and the Pods are updated one after the other'],
    ['OrderedReady', 'off', 2, ['replace app-2'], 'app-2 has no node, and the Pods are updated one after the other'],
    [
      'Parallel',
      'on',
      2,
      ['replace app-1, app-2', 'replace app-0'],
      'app-0 has no node, and the Pods are updated at most 2 at a time',
    ],
    ['Parallel', 'off', 2, ['replace app-2'], 'app-2 has no node, and the Pods are updated one after the other'],
  ])('of a StatefulSet, %s, gate %s, takes %s away', (podManagementPolicy, gate, maxUnavailable, replaced, says) => {
    const nodes = ['n1', 'n2', 'n3'].map(it => node(it, 4));
    const own = workload('StatefulSet', { rollingUpdate: { maxUnavailable } }, '3');
    const set = { ...own, spec: { ...objectOrEmpty(own.spec), podManagementPolicy } };
    const other = { ...workload('Deployment', {}, '3'), metadata: { name: 'batch' } };
    const gates = {
      apiVersion: 'berth.dev/v1alpha1',
      kind: 'ScenarioOptions',
      featureGates: { MaxUnavailableStatefulSet: gate === 'on' },
    };
    const [answer] = runToEnd(askRollouts(worldOf([...nodes, set, other, gates]), LIMITS));
    const { steps = [], says: said } = answer?.trouble ?? {};
    const done = steps.filter(it => it.actor === 'StatefulSet app').map(it => it.step);
    expect([done.filter(it => /^(replace|make .* again)/.test(it)), said]).toEqual([
      replaced,
      expect.stringContaining(says),
    ]);
  });
});

describe('preemption', () => {
  const GRACE = 30;
  const PRIORITIES = { low: 1, mid: 5, high: 10, top: 100 };
  const made = (name: string, value: number, grace: number): readonly UnknownObject[] => [
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            priorityClassName: name,
            terminationGracePeriodSeconds: grace,
            containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '3' } } }],
          },
        },
      },
    },
  ];
  /** `low` runs on the only node, `mid` and `high` wait, `top` is made at any time where it may come. */
  const followed = (grace: number, comes: 'top comes' | 'top never comes') => {
    const objects = Object.entries(PRIORITIES).flatMap(([name, value]) => made(name, value, grace));
    const world = worldOf([node('n1', 4), ...objects]);
    const kind = (name: string): number => world.kinds.findIndex(it => it.name === name);
    const scheduler = createScheduler(world);
    const start: ExploredState = {
      ...startState(world),
      pods: [
        { kind: kind('low'), node: 0, phase: 'runs' },
        { kind: kind('mid'), node: -1, phase: 'waits' },
        { kind: kind('high'), node: -1, phase: 'waits' },
      ],
    };
    const arrives = (state: ExploredState): readonly Move<ExploredState>[] => {
      const isThere = comes === 'top never comes' || state.pods.some(it => it.kind === kind('top'));
      const made: ExploredState = { ...state, pods: [...state.pods, { kind: kind('top'), node: -1, phase: 'waits' }] };
      return isThere ? [] : [{ by: { actor: 'user', step: 'make top' }, to: made }];
    };
    const space = runToEnd(
      searchSpace<ExploredState>(
        { starts: [start], keyOf: it => keyOf(it, world), movesFrom: it => [...scheduler.from(it), ...arrives(it)] },
        LIMITS,
      ),
    );
    const ends = space.states.flatMap((it, i) => (space.edges[i]!.length === 0 ? [{ ...it, i }] : []));
    const running = (state: ExploredState): string =>
      state.pods.flatMap(it => (it.phase === 'runs' ? world.kinds[it.kind]!.name : [])).join();
    return {
      space,
      ends: ends.map(it => ({ runs: running(it), way: wayTo(space, it.i).map(by => by.step) })),
      running,
    };
  };

  it('lets victims end over time; the room is held against Pods of lower priority', () => {
    const { ends, space, running } = followed(GRACE, 'top never comes');
    expect(ends).toEqual([
      { runs: 'high', way: ['nominate high to n1, evicting low', 'low on n1 has ended', 'high to n1'] },
    ]);
    expect(space.states.map(running)).not.toContain('mid');
  });

  it('lets a Pod of higher priority take the room meanwhile, and the nominated one waits', () => {
    const { space, ends } = followed(GRACE, 'top comes');
    expect(new Set(ends.map(it => it.runs))).toEqual(new Set(['top']));
    const ways = space.states.map((_, i) =>
      wayTo(space, i)
        .map(it => it.step)
        .join('; '),
    );
    expect(ways).toContain('nominate high to n1, evicting low; low on n1 has ended; make top; top to n1');
    const taken = new Set(space.edges.flatMap(its => its.map(it => it.by.step)));
    expect([...taken]).toEqual(
      expect.arrayContaining(['nominate high to n1 no more', 'nominate top to n1, evicting high']),
    );
  });

  it('deletes at once what has no grace period', () => {
    expect(followed(0, 'top never comes').ends[0]!.way).toEqual(['nominate high to n1, evicting low', 'high to n1']);
  });
});

describe('a policy that no descheduler starts with', () => {
  const policy = (fields: UnknownObject): UnknownObject => ({
    apiVersion: 'descheduler/v1alpha2',
    kind: 'DeschedulerPolicy',
    ...fields,
  });
  const evictor = { name: 'DefaultEvictor', args: { podProtections: { extraEnabled: ['PodsWithPVCs'] } } };
  it.each([
    ['whose profiles are a number', { profiles: 1.5 }],
    ['with an unknown protection', { profiles: [{ name: 'a', pluginConfig: [evictor] }] }],
  ])('%s is told, and evicts nothing', (_, fields) => {
    const world = worldOf([node('n1', 4), node('n2', 4), policy(fields)]);
    const answers = runToEnd(askSettles(world, createScheduler(world), LIMITS));
    expect(answers).toMatchObject([{ holds: undefined, why: 'the descheduler does not start with this policy' }]);
  });
});
