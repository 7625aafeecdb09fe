import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../../server/src/base/json';
import { runToEnd } from '../../../server/src/base/steps';
import { type End, groupOf } from '../../../server/src/explore/orders/ends';
import { endsOfOrders } from '../../../server/src/explore/orders/outcomes';
import { walkOrders } from '../../../server/src/explore/orders/walk';
import { sizedFor } from '../../support/thorough';
import { ordersOfEnds } from './naive';
import { endText, explored, linesOf, NO_LIMITS, node, pod, priorityClass, problemOf } from './support';

const CLASSES = [
  ...[priorityClass('low', 10), priorityClass('mid', 50), priorityClass('high', 100)],
  { ...priorityClass('polite', 100), preemptionPolicy: 'Never' },
];

const priority = fc.constantFrom('low', 'mid', 'high', 'polite');

const antiAffinity = (labels: Record<string, string>) => ({
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { labelSelector: { matchLabels: labels }, topologyKey: 'kubernetes.io/hostname' },
    ],
  },
});

const affinity = (labels: Record<string, string>) => ({
  podAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: { matchLabels: labels }, topologyKey: 'zone' }],
  },
});

const spread = (labels: Record<string, string>, whenUnsatisfiable: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable, labelSelector: { matchLabels: labels } },
  ],
});

const rules = fc.constantFrom<UnknownObject>(
  {},
  {},
  {},
  { affinity: antiAffinity({ app: 'a' }) },
  { affinity: affinity({ app: 'b' }) },
  spread({ app: 'a' }, 'DoNotSchedule'),
  spread({ app: 'b' }, 'ScheduleAnyway'),
  { nodeSelector: { zone: 'z1' } },
  { schedulingGates: [{ name: 'example.com/wait' }] },
);

const parts = fc.record({
  cpu: fc.integer({ min: 1, max: 3 }),
  app: fc.constantFrom('a', 'b'),
  priorityClassName: priority,
  rules,
});

const arriving = fc.array(fc.tuple(parts, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 3 }).map(all =>
  all
    .flatMap(([it, copies]) => Array.from({ length: copies }, () => it))
    .slice(0, 4)
    .map(({ cpu, app, priorityClassName, rules: spec }, i) =>
      pod(`p${i}`, { cpu, labels: { app }, spec: { priorityClassName, ...spec } }),
    ),
);

const running = fc
  .array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 2 }),
      app: fc.constantFrom('a', 'b'),
      priorityClassName: priority,
      on: fc.constantFrom('n0', 'n1'),
      started: fc.constantFrom(undefined, '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'),
    }),
    { maxLength: 3 },
  )
  .map(all =>
    all.map(({ cpu, app, priorityClassName, on, started }, i) =>
      pod(`r${i}`, {
        cpu,
        on,
        labels: { app },
        spec: { priorityClassName },
        ...(started !== undefined && { started }),
      }),
    ),
  );

const nodes = fc
  .array(fc.tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom('z1', 'z2')), { minLength: 2, maxLength: 3 })
  .map(all => all.map(([cpu, zone], i) => node(`n${i}`, cpu, { zone })));

const budget = fc.constantFrom<readonly UnknownObject[]>(
  [],
  [0, 1].map(disruptionsAllowed => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: `b${disruptionsAllowed}` },
    spec: { minAvailable: 1, selector: { matchLabels: { app: disruptionsAllowed === 0 ? 'a' : 'b' } } },
    status: { disruptionsAllowed },
  })),
);

const strategy = fc.constantFrom<readonly UnknownObject[]>(
  [],
  [
    {
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      profiles: [
        {
          pluginConfig: [
            {
              name: 'NodeResourcesFit',
              args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } },
            },
          ],
        },
      ],
    },
  ],
);

describe('the exploration of arrival orders', () => {
  it('finds what an enumeration of all permutations finds, with the same counts', () => {
    fc.assert(
      fc.property(nodes, running, arriving, budget, strategy, (...all) => {
        const objects = [...CLASSES, ...all.flat()];
        const found = explored(objects);
        const known = ordersOfEnds(objects);
        expect(linesOf(found)).toEqual([...known].map(([end, orders]) => `${orders.length}: ${end}`).sort());
        for (const it of found.outcomes) expect(known.get(endText(it))).toContain(it.witness.join());
      }),
      { numRuns: sizedFor({ thorough: 40, quick: 10 }) },
    );
  });

  it('finds the same groups of ends, as often, when equal Pods are not told apart', () => {
    fc.assert(
      fc.property(nodes, running, arriving, budget, strategy, (...all) => {
        const problem = problemOf([...CLASSES, ...all.flat()]);
        const found = (['names', 'kinds'] as const).map(identity => {
          const mode = { identity, counts: 'orders', beyondLimits: 'stop' } as const;
          const walk = runToEnd(walkOrders(problem, mode, NO_LIMITS));
          const isStranding = ({ fates }: End): boolean => fates.some(it => it < 0);
          const ends = endsOfOrders(walk?.ends ?? [], problem, [isStranding], Number.POSITIVE_INFINITY);
          const groups = ends.groups.map(it => `${it.orders}: ${groupOf(it.end, problem)}`).sort();
          return { groups, stranded: ends.badOrders };
        });
        expect(found[1]).toEqual(found[0]);
      }),
      { numRuns: sizedFor({ thorough: 100, quick: 30 }) },
    );
  });
});
