import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runToEnd } from '../../server/src/base/steps';
import { askDrain } from '../../server/src/explore/cluster/drain';
import { createScheduler } from '../../server/src/explore/cluster/scheduling';
import type { ExploredWorld } from '../../server/src/explore/cluster/world';
import { clusterWorld } from '../../server/src/explore/cluster/world';
import { NO_EQUAL_NODES } from '../../server/src/explore/orders/equalNodes';
import { simulate } from '../../server/src/scheduler/scenario';
import { sizedFor } from '../support/thorough';
import { type Drains, everyDrain } from './naiveDrains';
import { node, RUN } from './orders/support';

const APPS = ['a', 'b'] as const;

const spread = (app: string, topologyKey: string, whenUnsatisfiable: string) => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable, labelSelector: { matchLabels: { app } } }],
});

const RULES: readonly ((app: string) => UnknownObject)[] = [
  () => ({}),
  app => ({
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { labelSelector: { matchLabels: { app } }, topologyKey: 'kubernetes.io/hostname' },
        ],
      },
    },
  }),
  app => spread(app, 'kubernetes.io/hostname', 'DoNotSchedule'),
  app => spread(app, 'zone', 'DoNotSchedule'),
  app => spread(app, 'zone', 'ScheduleAnyway'),
  () => ({ nodeSelector: { zone: 'z1' } }),
];

const BUDGETS: readonly (readonly UnknownObject[])[] = [
  [],
  [],
  [{ minAvailable: 1 }],
  [{ minAvailable: 2 }],
  [{ maxUnavailable: 0 }],
  [{ maxUnavailable: 1 }],
  [{ minAvailable: '50%' }],
  [{ maxUnavailable: '50%' }],
  [{ minAvailable: 1 }, { maxUnavailable: 1 }],
];

const nodes = fc
  .array(fc.tuple(fc.integer({ min: 2, max: 3 }), fc.constantFrom('z1', 'z2')), { minLength: 2, maxLength: 3 })
  .map(all => all.map(([cpu, zone], i) => node(`n${i}`, cpu, { zone })));

const workload = fc.record({
  replicas: fc.integer({ min: 1, max: 2 }),
  cpu: fc.integer({ min: 1, max: 2 }),
  rule: fc.constantFrom(...RULES),
  grace: fc.constantFrom<UnknownObject>({}, { terminationGracePeriodSeconds: 0 }),
  budgets: fc.constantFrom(...BUDGETS),
});

const workloads = fc.array(workload, { minLength: 1, maxLength: 2 }).map(all =>
  all.flatMap(({ replicas, cpu, rule, grace, budgets }, i): readonly UnknownObject[] => {
    const name = APPS[i]!;
    const selector = { matchLabels: { app: name } };
    const resources = { requests: { cpu: String(cpu), memory: '1Gi' } };
    const spec = { containers: [{ name: 'main', image: 'app', resources }], ...rule(name), ...grace };
    const template = { metadata: { labels: { app: name } }, spec };
    return [
      { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata: { name }, spec: { replicas, selector, template } },
      ...budgets.map((it, nth) => ({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: `${name}-${nth}` },
        spec: { ...it, selector },
      })),
    ];
  }),
);

const LIMITS = { states: Number.POSITIVE_INFINITY, timeUsed: () => 0 };

function explored(world: ExploredWorld): Drains {
  const [found] = runToEnd(askDrain(world, createScheduler(world), LIMITS));
  const { holds, states, trouble } = found!;
  return { states, holds: holds === true, steps: trouble?.cycle ? undefined : trouble?.steps.length };
}

describe('the exploration of drains', () => {
  it('visits the states that an enumeration visits, with the same verdict and the same shortest way', () => {
    fc.assert(
      fc.property(nodes, workloads, (...all) => {
        const objects = all.flat();
        const world = runToEnd(clusterWorld(objects, RUN, simulate(objects, RUN)));
        const known = everyDrain(objects);
        expect(explored({ ...world, equalNodes: NO_EQUAL_NODES })).toEqual(known);
        const { states, ...merged } = explored(world);
        expect(merged).toEqual({ holds: known.holds, steps: known.steps });
        expect(states).toBeLessThanOrEqual(known.states);
      }),
      { numRuns: sizedFor({ thorough: 30, quick: 10 }) },
    );
  });
});
