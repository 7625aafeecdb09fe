import { describe, expect, it, vi } from 'vitest';
import type { UnknownObject } from '../../../server/src/base/json';
import { runToEnd } from '../../../server/src/base/steps';
import { walkOrders } from '../../../server/src/explore/orders/walk';
import { explored, linesOf, node, type PodParts, pod, priorityClass, problemOf } from './support';

const CLASSES = [priorityClass('low', 10), priorityClass('mid', 50), priorityClass('high', 100)];

const withPriority = (priorityClassName: string, parts: PodParts = {}): PodParts => ({
  ...parts,
  spec: { ...parts.spec, priorityClassName },
});

const BEGINNING = '2026-01-01T00:00:00Z';

const CASES: readonly {
  readonly title: string;
  readonly objects: readonly UnknownObject[];
  readonly outcomes: readonly string[];
}[] = [
  {
    title: 'without Pods to place there is one empty outcome of one order',
    objects: [node('n1', 1)],
    outcomes: ['1: '],
  },
  {
    title: 'all Pods wait where there is no node',
    objects: [pod('a'), pod('b')],
    outcomes: ['2: ; waits a b'],
  },
  {
    title: 'each of the nodes with the highest total is a branch, and a permutation counts for each of its ends',
    objects: [node('n1', 4), node('n2', 4), pod('a')],
    outcomes: ['1: a=n1', '1: a=n2'],
  },
  {
    title: 'a big Pod waits where smaller ones have come first and spread',
    objects: [node('n1', 4), node('n2', 4), pod('big', { cpu: 4 }), pod('s1'), pod('s2')],
    outcomes: [
      '2: s1=n1 s2=n2; waits big',
      '2: s1=n2 s2=n1; waits big',
      '4: big=n1 s1=n2 s2=n2',
      '4: big=n2 s1=n1 s2=n1',
    ],
  },
  {
    title: 'a Pod with a scheduling gate and a Pod of an unknown scheduler wait, and hold nothing',
    objects: [
      node('n1', 1),
      pod('a'),
      pod('gated', { spec: { schedulingGates: [{ name: 'example.com/wait' }] } }),
      pod('other', { spec: { schedulerName: 'elsewhere' } }),
    ],
    outcomes: ['6: a=n1; waits gated other'],
  },
  {
    title: 'a waiting Pod takes the room that an eviction leaves, before the next Pod arrives',
    objects: [
      ...CLASSES,
      node('n1', 3),
      pod('old', withPriority('low', { cpu: 3, on: 'n1' })),
      pod('urgent', withPriority('high', { cpu: 2 })),
      pod('small', withPriority('low')),
    ],
    outcomes: ['2: small=n1 urgent=n1; evicted old'],
  },
  {
    title: 'waiting Pods are retried by priority, then in the order of their arrival',
    objects: [
      ...CLASSES,
      node('n1', 2),
      pod('old', withPriority('mid', { cpu: 2, on: 'n1' })),
      pod('first', withPriority('low')),
      pod('second', withPriority('low')),
      pod('urgent', withPriority('high')),
    ],
    outcomes: ['3: first=n1 urgent=n1; waits second; evicted old', '3: second=n1 urgent=n1; waits first; evicted old'],
  },
  {
    title: 'a Pod that was placed and evicted is gone for good',
    objects: [...CLASSES, node('n1', 1), pod('low', withPriority('low')), pod('high', withPriority('high'))],
    outcomes: ['1: high=n1; evicted low', '1: high=n1; waits low'],
  },
  {
    title: 'candidates of preemption that no rule tells apart are a branch each',
    objects: [
      ...CLASSES,
      ...['n1', 'n2'].map(it => node(it, 1)),
      pod('left', withPriority('low', { on: 'n1', started: BEGINNING })),
      pod('right', withPriority('low', { on: 'n2', started: BEGINNING })),
      pod('urgent', withPriority('high')),
    ],
    outcomes: ['1: urgent=n1; evicted left', '1: urgent=n2; evicted right'],
  },
  {
    title: 'the start times of victims tell candidates apart: the younger one goes',
    objects: [
      ...CLASSES,
      ...['n1', 'n2'].map(it => node(it, 1)),
      pod('left', withPriority('low', { on: 'n1', started: '2026-05-01T00:00:00Z' })),
      pod('right', withPriority('low', { on: 'n2', started: BEGINNING })),
      pod('urgent', withPriority('high')),
    ],
    outcomes: ['1: urgent=n1; evicted left'],
  },
  {
    title: 'a placed Pod started after each running Pod, whatever start time is written',
    objects: [
      ...CLASSES,
      node('n1', 1, { side: 'left' }),
      node('n2', 1),
      pod('old', withPriority('low', { on: 'n1', started: '2031-01-01T00:00:00Z' })),
      pod('new', withPriority('low')),
      pod('urgent', withPriority('high')),
    ],
    outcomes: ['1: urgent=n2; evicted new', '1: urgent=n2; waits new'],
  },
  {
    title: 'a waiting Pod nominates nothing: another takes the room',
    objects: [
      ...CLASSES,
      node('n1', 2),
      pod('kept', withPriority('high', { on: 'n1' })),
      pod('wide', withPriority('mid', { cpu: 2, status: { nominatedNodeName: 'n1' } })),
      pod('small', withPriority('low')),
    ],
    outcomes: ['2: small=n1; waits wide'],
  },
  {
    title: 'a budget is not counted down by evictions',
    objects: [
      ...CLASSES,
      ...['n1', 'n2'].map(it => node(it, 1)),
      {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web' },
        spec: { minAvailable: 0, selector: { matchLabels: { app: 'web' } } },
        status: { disruptionsAllowed: 1 },
      },
      ...['n1', 'n2'].map(it => pod(`old-${it}`, withPriority('low', { on: it, labels: { app: 'web' } }))),
      pod('u1', withPriority('high', { spec: { nodeSelector: { 'kubernetes.io/hostname': 'n1' } } })),
      pod('u2', withPriority('high', { spec: { nodeSelector: { 'kubernetes.io/hostname': 'n2' } } })),
    ],
    outcomes: ['2: u1=n1 u2=n2; evicted old-n1 old-n2'],
  },
  {
    title: 'a profile without scores may begin at any node',
    objects: [
      {
        apiVersion: 'kubescheduler.config.k8s.io/v1',
        kind: 'KubeSchedulerConfiguration',
        profiles: [{ plugins: { score: { disabled: [{ name: '*' }] }, preScore: { disabled: [{ name: '*' }] } } }],
      },
      node('n1', 4),
      node('n2', 8),
      pod('a'),
    ],
    outcomes: ['1: a=n1', '1: a=n2'],
  },
  {
    title: 'an unbound claim goes where its volume is, and takes it',
    objects: [
      node('n1', 4),
      node('n2', 4),
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'StorageClass',
        metadata: { name: 'local' },
        provisioner: 'kubernetes.io/no-provisioner',
        volumeBindingMode: 'WaitForFirstConsumer',
      },
      {
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'disk' },
        spec: {
          storageClassName: 'local',
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          local: { path: '/disk' },
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n2'] }] },
              ],
            },
          },
        },
      },
      ...['a', 'b'].flatMap(it => [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: it },
          spec: {
            storageClassName: 'local',
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: '1Gi' } },
          },
        },
        pod(it, { spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: it } }] } }),
      ]),
    ],
    outcomes: ['1: a=n2; waits b', '1: b=n2; waits a'],
  },
];

describe('the outcomes of all arrival orders', () => {
  it.each(CASES)('$title', ({ objects, outcomes }) => {
    expect(linesOf(explored(objects))).toEqual(outcomes);
  });

  it('says whether every Pod is placed, and in how many permutations one is stranded', () => {
    const big = explored([node('n1', 4), node('n2', 4), pod('big', { cpu: 4 }), pod('s1'), pod('s2')]);
    expect(big).toMatchObject({ alwaysPlaced: false, strandedOrders: 2n, permutations: 6n, renamings: 2n });
    const evicted = explored([
      ...CLASSES,
      node('n1', 1),
      pod('a', withPriority('low')),
      pod('b', withPriority('high')),
    ]);
    expect(evicted).toMatchObject({ alwaysPlaced: false, strandedOrders: 2n });
    expect(explored([node('n1', 4), pod('a')])).toMatchObject({ alwaysPlaced: true, strandedOrders: 0n, cut: [] });
  });

  it('names one order that leads to each outcome', () => {
    const { outcomes } = explored([node('n1', 2), pod('wide', { cpu: 2 }), pod('s1')]);
    expect(outcomes.map(it => [it.pending.join(), it.witness.join(' ')]).sort()).toEqual([
      ['default/s1', 'default/wide default/s1'],
      ['default/wide', 'default/s1 default/wide'],
    ]);
  });
});

describe('a limit', () => {
  const different = Array.from({ length: 7 }, (_, i) => pod(`p${i}`, { cpu: 1, labels: { app: `p${i}` } }));
  const cluster = ['n1', 'n2', 'n3'].map(it => node(it, 2, { name: it }));

  it('of states leaves orders out and says so; what is told is true', () => {
    const fewer = different.slice(1);
    const all = explored([...cluster, ...fewer]);
    const some = explored([...cluster, ...fewer], { states: 100 });
    expect(all.cut).toEqual([]);
    expect(all.followed).toBe(720n);
    expect(some.followed).toBeLessThan(720n);
    expect(some.cut[0]).toMatch(/^After \d+ states the other orders were not followed to their ends\.$/);
    expect(some.outcomes.length).toBeGreaterThan(0);
    const known = new Map(all.outcomes.map(it => [JSON.stringify([it.placements, it.pending]), it.orders]));
    for (const it of some.outcomes) {
      expect(known.get(JSON.stringify([it.placements, it.pending]))).toBeGreaterThanOrEqual(it.orders ?? 0n);
    }
  });

  it('of time ends the search soon, with an order followed to its end', () => {
    const { outcomes, cut } = explored([...cluster, ...different], { timeUsed: () => 2 });
    expect(cut.length).toBeGreaterThan(0);
    expect(outcomes.length).toBeGreaterThan(0);
  });

  it('of outcomes leaves some out and says how many there are', () => {
    const { outcomes, cut } = explored([...cluster, ...different.slice(1)], { outcomes: 5 });
    expect(outcomes).toHaveLength(5);
    expect(cut).toEqual([
      expect.stringMatching(/^(Of \d+ outcomes 5 are listed|There are more outcomes than these 5)\.$/),
    ]);
  });

  it('that telling equal Pods apart exceeds lists outcomes once for all their names', () => {
    const replicas = Array.from({ length: 9 }, (_, i) => pod(`web-${i}`, { labels: { app: 'web' } }));
    const found = explored([...cluster, ...replicas, pod('big', { cpu: 2 })], { states: 800 });
    expect(found.cut).toEqual(['Outcomes that differ in the names of equals alone are listed once.']);
    expect(found.strandedOrders).toBe(found.permutations);
  });

  it('follows as many of thousands of ties as there is memory for, and says so', () => {
    const many = Array.from({ length: 2_500 }, (_, i) => node(`n${i}`, 4, { rack: `r${i}` }));
    const { outcomes, cut } = explored([...many, pod('a')]);
    expect(outcomes).toHaveLength(2_000);
    expect(cut).toContain('Some ties were not followed in all ways.');
  });

  it('keeps as many beginnings of the orders of many different Pods as there is memory for', () => {
    const problem = problemOf([
      node('n1', 1_500),
      ...Array.from({ length: 600 }, (_, i) => pod(`p${i}`, { labels: { app: `a${i}` } })),
    ]);
    const copies = vi.spyOn(Array.prototype, 'with');
    const walk = walkOrders(
      problem,
      { identity: 'kinds', counts: 'none', beyondLimits: 'stop' },
      { states: 20_000, timeUsed: () => 0 },
    );
    expect(runToEnd(walk)).toBeUndefined();
    const ofKinds = copies.mock.contexts.filter(
      it => (it as readonly unknown[]).length === problem.kinds.length,
    ).length;
    copies.mockRestore();
    expect(problem.kinds).toHaveLength(600);
    expect(ofKinds * problem.kinds.length).toBeLessThan(6_000_000);
  });

  it('that counting exceeds keeps the verdict, without counts', () => {
    const equal = ['n1', 'n2', 'n3'].map(it => node(it, 2));
    const { outcomes, cut, strandedOrders, alwaysPlaced, followed } = explored([...equal, ...different], {
      states: 3_000,
    });
    expect(cut).toEqual([
      'The orders of each outcome were not counted.',
      'Outcomes that differ in the names of equals alone are listed once.',
    ]);
    expect([strandedOrders, alwaysPlaced, followed, outcomes.length]).toEqual([undefined, false, 5040n, 105]);
  });
});
