import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { lazyByText } from '../../server/src/base/lazy';
import type * as Scheduling from '../../server/src/scheduler/cycle/schedulePod';
import type * as NodeRanking from '../../server/src/scheduler/framework/nodeRanking';
import type * as Plugin from '../../server/src/scheduler/framework/plugin';
import type * as Tracking from '../../server/src/scheduler/framework/tracking';
import { createRunMemory, type RunMemory } from '../../server/src/scheduler/incremental/runCache';
import { runScenario } from '../../server/src/scheduler/scenario';
import { sizedFor } from '../support/thorough';
import { isGateOn, verdictTable } from './support';

const { mode, decisions } = await vi.hoisted(async () => {
  const { inPlaceOf } = await import('../support/inPlaceOf');
  const mode = { ranks: true, tracks: true, shares: true, repeats: true };
  const decisions = { count: 0 };
  inPlaceOf('scheduler/framework/nodeRanking', (real: typeof NodeRanking) => ({
    rankNodes: (...args) => (mode.ranks ? real.rankNodes(...args) : undefined),
  }));
  inPlaceOf('scheduler/framework/tracking', (real: typeof Tracking) => ({
    rankByTracking: (...args) => (mode.tracks ? real.rankByTracking(...args) : undefined),
    readsClassAlone: (...args) => mode.repeats && real.readsClassAlone(...args),
  }));
  inPlaceOf('scheduler/cycle/schedulePod', (real: typeof Scheduling) => ({
    schedulePod: (...args) => {
      decisions.count += 1;
      return real.schedulePod(...args);
    },
  }));
  inPlaceOf('scheduler/framework/plugin', (real: typeof Plugin) => ({
    definePlugin: plugin => {
      const { shares: _, ...others } = plugin;
      return real.definePlugin(mode.shares ? plugin : others);
    },
  }));
  return { mode, decisions };
});

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';

const node = fc
  .record({
    cpu: fc.constantFrom('2', '4', '8'),
    pods: fc.constantFrom('2', '9'),
    more: fc.constantFrom({}, { 'ephemeral-storage': '4Gi' }, { 'ephemeral-storage': '9Gi', 'example.com/gpu': '2' }),
    zone: fc.constantFrom('a', 'b', undefined),
    disk: fc.constantFrom('ssd', 'hdd'),
    taint: fc.constantFrom(undefined, 'NoSchedule', 'PreferNoSchedule'),
    image: fc.constantFrom('app-0', 'app-1'),
  })
  .map(
    ({ cpu, pods, more, zone, disk, taint, image }) =>
      (name: string): UnknownObject => ({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels: { [HOST]: name, disk, ...(zone !== undefined && { [ZONE]: zone }) } },
        spec: taint === undefined ? {} : { taints: [{ key: 'dedicated', effect: taint }] },
        status: {
          allocatable: { cpu, memory: '8Gi', pods, ...more },
          images: [{ names: [image], sizeBytes: 800_000_000 }],
        },
      }),
  );

const selector = (app: string): UnknownObject => ({ labelSelector: { matchLabels: { app } } });
const spread = (topologyKey: string, whenUnsatisfiable: string, app: string): UnknownObject => ({
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable, ...selector(app) }],
});
const antiAffinity = (how: 'podAffinity' | 'podAntiAffinity', topologyKey: string, app: string): UnknownObject => ({
  affinity: {
    [how]: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 50, podAffinityTerm: { topologyKey, ...selector(app) } },
      ],
    },
  },
});
const strictlyApart = (app: string): UnknownObject => ({
  affinity: {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: HOST, ...selector(app) }] },
  },
});
const preferring = (disk: string): UnknownObject => ({
  affinity: {
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 10, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: [disk] }] } },
      ],
    },
  },
});

const app = fc.constantFrom('app-0', 'app-1', 'app-2');
const key = fc.constantFrom(ZONE, HOST);
const shape: fc.Arbitrary<UnknownObject> = fc.oneof(
  fc.constantFrom<UnknownObject>({}, { tolerations: [{ operator: 'Exists' }] }, { nodeSelector: { disk: 'ssd' } }),
  fc.tuple(key, fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'), app).map(it => spread(...it)),
  fc
    .tuple(fc.constantFrom('podAffinity' as const, 'podAntiAffinity' as const), key, app)
    .map(it => antiAffinity(...it)),
  app.map(strictlyApart),
  fc.constantFrom('ssd', 'hdd').map(preferring),
);
const asked = fc.constantFrom<UnknownObject>(
  ...[{ cpu: '300m' }, { cpu: '900m' }, { cpu: '1500m' }, { cpu: '300m', 'ephemeral-storage': '1Gi' }],
  { memory: '3Gi' },
  { cpu: '300m', 'example.com/gpu': '1' },
);
const workload = fc.tuple(shape, asked, fc.nat(9), fc.constantFrom('high', undefined)).map(
  ([spec, asks, replicas, priorityClassName]) =>
    (name: string): UnknownObject => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'team' },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: {
            ...spec,
            ...(priorityClassName && { priorityClassName }),
            containers: [{ name: 'main', image: name, resources: { requests: { memory: '200Mi', ...asks } } }],
          },
        },
      },
    }),
);

const scenario = fc
  .tuple(fc.array(node, { minLength: 2, maxLength: 12 }), fc.array(workload, { minLength: 2, maxLength: 5 }))
  .map(([nodes, workloads]): readonly UnknownObject[] => [
    { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 10 },
    ...nodes.map((make, i) => make(`n${i}`)),
    ...workloads.map((make, i) => make(`app-${i}`)),
  ]);

const run = (objects: readonly UnknownObject[], wanted: Partial<typeof mode>, memory?: RunMemory) => {
  Object.assign(mode, { ranks: true, tracks: true, shares: true, repeats: true }, wanted);
  return runScenario(objects, { kubernetesVersion: '1.37', isGateOn, ...(memory && { memory }) });
};

/** Takes the place of the object with the same kind and name, or comes last. */
const put = (objects: readonly UnknownObject[], added: UnknownObject): readonly UnknownObject[] => {
  const idOf = ({ kind, metadata }: UnknownObject): string => JSON.stringify([kind, (metadata as UnknownObject).name]);
  const at = objects.findIndex(it => idOf(it) === idOf(added));
  return at < 0 ? [...objects, added] : objects.with(at, added);
};
const service = (name: string, labels: UnknownObject): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, namespace: 'team' },
  spec: { selector: labels, ports: [{ port: 80 }] },
});
/** Default constraints spread it only where a Service selects it: it has no controller. */
const barePod = (name: string, cpu = '100m'): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'team', labels: { app: 'app-0' } },
  spec: { containers: [{ name: 'main', image: 'bare', resources: { requests: { cpu } } }] },
});
const edit: fc.Arbitrary<UnknownObject> = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(workload, app).map(([make, name]) => make(name)) },
  app.map(it => service('web', { app: it })),
  fc.constant(service('web', {})),
);

describe('Pods of workloads, for which only changed nodes are evaluated', () => {
  const holds = (check: (objects: readonly UnknownObject[]) => void): void => {
    const property = fc.property(scenario, objects => {
      check(objects);
    });
    fc.assert(property, { numRuns: sizedFor({ thorough: 60, quick: 15 }), seed: 5 });
  };

  /** The verdicts with all that spares work, once for all properties, which get the same objects. */
  const rankedOf = lazyByText(text => verdictTable(run(JSON.parse(text) as readonly UnknownObject[], {})));
  const ranked = (objects: readonly UnknownObject[]): string => rankedOf(JSON.stringify(objects));

  it('go where they go when all nodes are evaluated', () => {
    holds(objects => expect(ranked(objects)).toBe(verdictTable(run(objects, { tracks: false, ranks: false }))));
  });

  it('go where they go when no plugin tracks the last placements', () => {
    holds(objects => expect(ranked(objects)).toBe(verdictTable(run(objects, { tracks: false }))));
  });

  it('go to the same nodes with plugins that do not share answers', () => {
    holds(objects => expect(ranked(objects)).toBe(verdictTable(run(objects, { shares: false }))));
  });

  it('are refused as they are when each of them is tried', () => {
    holds(objects => expect(ranked(objects)).toBe(verdictTable(run(objects, { tracks: false, repeats: false }))));
  });

  it('go where they go in a first run after edits of workloads and Services', () => {
    const property = fc.property(scenario, fc.array(edit, { minLength: 1, maxLength: 6 }), (written, edits) => {
      const memory = createRunMemory();
      let objects: readonly UnknownObject[] = [...written, ...['one', 'two', 'three'].map(it => barePod(it))];
      let last = run(objects, {}, memory);
      for (const it of edits) {
        const before = objects;
        objects = put(objects, it);
        const now = run(objects, {}, memory);
        // The verdicts of the last run are computed when the next one has changed the caches.
        expect(verdictTable(last)).toBe(verdictTable(run(before, { tracks: false, ranks: false })));
        last = now;
      }
      expect(verdictTable(last)).toBe(verdictTable(run(objects, { tracks: false, ranks: false })));
    });
    fc.assert(property, { numRuns: sizedFor({ thorough: 25, quick: 6 }), seed: 5 });
  });

  it('go to the first node with the highest total of their verdicts', () => {
    holds(objects => {
      for (const { node, nodes, tiedNodes, fits } of run(objects, {}).attempts.filter(it => it.fits)) {
        const totals = (nodes ?? []).flatMap(it =>
          it.verdict === 'feasible' ? [[it.node, it.total ?? 0] as const] : [],
        );
        const top = Math.max(...totals.map(([, total]) => total));
        expect(tiedNodes).toEqual(totals.filter(([, total]) => total === top).map(([name]) => name));
        expect(node).toBe(tiedNodes?.[0]);
        expect(fits?.feasible).toBe(totals.length);
      }
    });
  });
});

describe('Pods that are written alike', () => {
  it('are tried once as long as nothing changes, and each is told why it finds no node', () => {
    const nodes = ['a', 'b'].map(
      (name): UnknownObject => ({ kind: 'Node', metadata: { name }, status: { allocatable: { cpu: '1', pods: '9' } } }),
    );
    const pods = Array.from({ length: 20 }, (_, i) => barePod(`large-${i}`, '2'));
    const before = decisions.count;
    const { attempts } = run([...nodes, ...pods, barePod('small'), barePod('large-20', '2')], {});
    // The small Pod changes a node.
    expect(decisions.count - before).toBe(3);
    const stuck = attempts.filter(it => it.status === 'unschedulable');
    expect(stuck.map(it => it.pod)).toEqual(Array.from({ length: 21 }, (_, i) => `team/large-${i}`));
    expect(new Set(stuck.map(it => it.message))).toEqual(
      new Set([expect.stringContaining('0/2 nodes are available: 2 Insufficient cpu.')]),
    );
  });

  it('are tried again when a Pod that was nominated gives its node back', () => {
    const node = { kind: 'Node', metadata: { name: 'a' }, status: { allocatable: { cpu: '1', pods: '9' } } };
    const nominated = barePod('nominated', '1');
    const pods = [
      barePod('before', '1'),
      {
        ...nominated,
        spec: { ...(nominated.spec as UnknownObject), nodeSelector: { kind: 'other' } },
        status: { nominatedNodeName: 'a' },
      },
      barePod('after', '1'),
    ];
    const { attempts } = run([node, ...pods], {});
    expect(attempts.map(it => [it.pod, it.status])).toEqual([
      ['team/before', 'unschedulable'],
      ['team/nominated', 'unschedulable'],
      ['team/after', 'scheduled'],
    ]);
  });
});
