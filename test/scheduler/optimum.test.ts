import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { configurationFor } from '../../server/src/analysis/placement/strategies';
import type { UnknownObject } from '../../server/src/base/json';
import { scheduleOne } from '../../server/src/scheduler/cycle/scheduleAll';
import { nodeInfo } from '../../server/src/scheduler/framework/nodeInfo';
import { placedPod } from '../../server/src/scheduler/framework/schedulingState';
import { loadSolver } from '../../server/src/scheduler/optimum/highs';
import {
  nodesAfter,
  type Optimum,
  objectiveOf,
  optimumOf,
  type Solve,
} from '../../server/src/scheduler/optimum/optimum';
import { type Simulation, simulate } from '../../server/src/scheduler/scenario';
import { sizedFor } from '../support/thorough';

const solve = await loadSolver();
const EXACT = { seconds: 20, relativeGap: 0 };

const node = (name: string, cpu: number, zone: string): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone } },
  status: { allocatable: { cpu: String(cpu), memory: '64Gi', pods: '8' } },
});

const pod = (name: string, cpu: number, spec: UnknownObject = {}, app = name): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels: { app } },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: String(cpu) } } }], ...spec },
});

const selected = (app: string): UnknownObject => ({ labelSelector: { matchLabels: { app } } });
const antiAffinity = (app: string): UnknownObject => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ ...selected(app), topologyKey: 'kubernetes.io/hostname' }],
    },
  },
});
const spread = (app: string, topologyKey: string): UnknownObject => ({
  topologySpreadConstraints: [{ ...selected(app), topologyKey, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
});

const simulations = (objects: readonly UnknownObject[], featureGates = {}): [Simulation, ...Simulation[]] => {
  const by = (strategy: 'default' | 'pack' | 'spread'): Simulation =>
    simulate(objects, {
      kubernetesVersion: '1.37',
      featureGates,
      schedulerConfiguration: configurationFor(strategy, undefined)!,
    });
  return [by('default'), by('pack'), by('spread')];
};

/** Pods of the optimum that the simulator's own filters refuse in every order. */
function refused([{ scenario, profiles }]: readonly [Simulation, ...Simulation[]], { nodeOf }: Optimum): string[] {
  let { cluster } = scenario;
  let left = scenario.pending.filter(it => nodeOf.has(it.id));
  for (let before = -1; left.length !== before; ) {
    before = left.length;
    for (const it of left) {
      const wanted = cluster.nodes.findIndex(other => other.name === nodeOf.get(it.id));
      const { nodes = [] } = scheduleOne(it, cluster, { ...profiles.get(it.schedulerName)!, postFilter: [] });
      if (nodes.find(other => other.node === nodeOf.get(it.id))?.verdict !== 'feasible') continue;
      const info = nodeInfo(cluster.nodes[wanted]!, [], wanted);
      cluster = { ...cluster, running: [...cluster.running, placedPod(it, info, 0, scenario.options)] };
      left = left.filter(other => other !== it);
    }
  }
  return left.map(it => it.id);
}

const nodesArbitrary = fc.array(fc.record({ cpu: fc.integer({ min: 2, max: 6 }), zone: fc.constantFrom('a', 'b') }), {
  minLength: 2,
  maxLength: 5,
});
const workloads = fc.array(
  fc.record({
    cpu: fc.integer({ min: 1, max: 4 }),
    count: fc.integer({ min: 1, max: 4 }),
    kind: fc.constantFrom('plain', 'apart', 'zones', 'hosts', 'zone a'),
    priority: fc.constantFrom(0, 0, 10),
  }),
  { minLength: 1, maxLength: 4 },
);

const SPECS: Readonly<Record<string, (app: string) => UnknownObject>> = {
  plain: () => ({}),
  apart: antiAffinity,
  zones: app => spread(app, 'topology.kubernetes.io/zone'),
  hosts: app => spread(app, 'kubernetes.io/hostname'),
  'zone a': () => ({ nodeSelector: { 'topology.kubernetes.io/zone': 'a' } }),
};

const scenarios = fc
  .record({ nodes: nodesArbitrary, workloads, running: fc.integer({ min: 0, max: 2 }) })
  .map(it => [
    ...it.nodes.map(({ cpu, zone }, i) => node(`n${i}`, cpu, zone)),
    ...it.workloads.flatMap(({ kind, count, cpu, priority }, i) =>
      Array.from({ length: count }, (_, k) =>
        pod(`w${i}-${k}`, cpu, { ...SPECS[kind]!(`w${i}`), priority, preemptionPolicy: 'Never' }, `w${i}`),
      ),
    ),
    ...Array.from({ length: it.running }, (_, k) => pod(`r${k}`, 1, { nodeName: 'n0' }, 'w0')),
  ]);

describe('the optimum', () => {
  it('is proven, never worse than a simulation, and passes the simulator’s filters', () => {
    fc.assert(
      fc.property(scenarios, objects => {
        const all = simulations(objects);
        const optimum = optimumOf(all, solve, EXACT);
        const objective = objectiveOf(all[0]);
        const { value } = optimum.valuation;
        expect(objective.of(optimum.nodeOf).value).toBe(value);
        for (const it of all) expect(value).toBeLessThanOrEqual(objective.of(nodesAfter(it)).value);
        // If the formulation excluded the simulation, the proof would be `outside`.
        expect(optimum.proof).toBe('optimal');
        expect(refused(all, optimum)).toEqual([]);
      }),
      { numRuns: sizedFor({ thorough: 40, quick: 6 }), seed: 7 },
    );
  }, 60_000);

  const smallFirst = (spec: UnknownObject): UnknownObject[] => [
    node('n1', 4, 'a'),
    node('n2', 4, 'a'),
    pod('small-1', 1, spec, 'gang'),
    pod('small-2', 1, spec, 'gang'),
    pod('big', 4, spec, 'gang'),
  ];

  it('places a gang that kube-scheduler cannot place', () => {
    const gang = { spec: { schedulingPolicy: { gang: { minCount: 3 } } } };
    const group = { apiVersion: 'scheduling.k8s.io/v1beta1', kind: 'PodGroup', metadata: { name: 'g' }, ...gang };
    const objects = [...smallFirst({ schedulingGroup: { podGroupName: 'g' } }), group];
    const [first] = simulations(objects, { GenericWorkload: true });
    expect(first.result.placements).toEqual({});
    const { valuation, proof, nodeOf } = optimumOf([first], solve, EXACT);
    expect({ ...valuation, proof }).toEqual({ value: 2, unplaced: 0, nodesUsed: 2, proof: 'optimal' });
    expect(nodeOf.get('default/small-1')).toBe(nodeOf.get('default/small-2'));
    // With room for two of three, no Pod of the gang runs.
    const without = objects.filter(it => (it.metadata as UnknownObject).name !== 'n2');
    const [crowded] = simulations(without, { GenericWorkload: true });
    expect(optimumOf([crowded], solve, EXACT).valuation).toEqual({ value: 6, unplaced: 3, nodesUsed: 0 });
  });

  it('repeats, and places more than the default where small Pods come first', () => {
    const all = simulations(smallFirst({}));
    expect(all[0].result.placements['default/big']).toBeUndefined();
    const [one, other] = [optimumOf([all[0]], solve), optimumOf([all[0]], solve)];
    expect(one.valuation).toEqual({ value: 2, unplaced: 0, nodesUsed: 2 });
    expect([...other.nodeOf]).toEqual([...one.nodeOf]);
  });

  it('prefers one Pod of a higher priority to several of a lower one', () => {
    const low = ['a', 'b', 'c'].map(it => pod(it, 1, { priority: 1 }));
    const high = pod('z', 3, { priority: 5, preemptionPolicy: 'Never' });
    const [first] = simulations([node('n1', 3, 'a'), ...low, high]);
    expect([...optimumOf([first], solve, EXACT).nodeOf]).toEqual([['default/z', 'n1']]);
  });

  it('leaves Pods outside the formulation where the simulation placed them, and says why', () => {
    const claim = { volumes: [{ name: 'v', ephemeral: {} }] };
    const near = {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { ...selected('web'), topologyKey: 'topology.kubernetes.io/zone' },
          ],
        },
      },
    };
    const objects = [node('n1', 4, 'a'), node('n2', 4, 'b'), pod('web', 1), pod('db', 1, claim), pod('cache', 1, near)];
    const all = simulations(objects);
    const { kept, nodeOf } = optimumOf([all[0]], solve);
    expect(Object.fromEntries(kept)).toEqual({
      volumes: 1,
      'inter-Pod affinity': 1,
      'inter-Pod affinity among different Pods': 1,
    });
    expect([...nodeOf].sort()).toEqual([...nodesAfter(all[0])].sort());
  });

  it('returns the best simulation where the solver finds nothing in time, and says that nothing is proven', () => {
    const nothing: Solve = () => ({ end: 'failed', value: () => 0 });
    const all = simulations(smallFirst({}));
    const { valuation, proof, gap } = optimumOf(all, nothing);
    expect({ value: valuation.value, proof, gap }).toEqual({ value: 2, proof: 'stopped', gap: undefined });
  });

  it('starts from the best simulation, with Pods on equal nodes together on the first of them', () => {
    const all = simulations([...['n1', 'n2', 'n3'].map(it => node(it, 4, 'a')), pod('web', 1), pod('db', 1)]);
    const [, packed] = all;
    const { placements } = packed!.result;
    expect(placements['default/web']).toBe(placements['default/db']);
    const elsewhere = { ...packed!.result, placements: { 'default/web': 'n3', 'default/db': 'n3' } };
    const atOnce: Solve = (text, _, start) => solve(text, { seconds: 0, relativeGap: 0 }, start);
    const seen: ReadonlyMap<string, number>[] = [];
    const recording: Solve = (text, limits, start) => {
      seen.push(start);
      return atOnce(text, limits, start);
    };
    const { nodeOf } = optimumOf([{ ...packed!, result: elsewhere }], recording);
    expect([...nodeOf.values()]).toEqual(['n1', 'n1']);
    expect([...seen[0]!].filter(([name, value]) => name.startsWith('y') && value === 1)).toEqual([['y_0', 1]]);
  });

  it('keeps Pods apart by hostname where two nodes have the same', () => {
    const sameHostname = node('n2', 4, 'a');
    const labels = { 'kubernetes.io/hostname': 'n1' };
    const objects = [node('n1', 4, 'a'), { ...sameHostname, metadata: { name: 'n2', labels } }];
    const pods = ['a', 'b'].map(it => pod(it, 1, antiAffinity('web'), 'web'));
    const all = simulations([...objects, ...pods]);
    const { valuation, kept } = optimumOf(all, solve);
    expect(valuation.unplaced).toBe(1);
    expect(Object.fromEntries(kept)).toEqual({ 'inter-Pod anti-affinity beyond the node': 2 });
  });

  it('reports the proven bound when the time is over', () => {
    const all = simulations(smallFirst({}));
    const stopped: Solve = () => ({ end: 'stopped', bound: 0.5, value: () => 0 });
    const { proof, gap, valuation } = optimumOf([all[0]], stopped);
    expect({ proof, gap, value: valuation.value }).toEqual({ proof: 'stopped', gap: 0.8, value: 5 });
  });

  it('is not looked for among more pairs of Pods and nodes than the solver takes', () => {
    const nodes = Array.from({ length: 1_000 }, (_, i) => node(`n${i}`, 8, 'a'));
    const pods = Array.from({ length: 301 }, (_, i) => pod(`p${i}`, 1));
    const simulation = simulate([...nodes, ...pods], { kubernetesVersion: '1.37', featureGates: {} });
    const { nodeOf, proof, gap, kept } = optimumOf([simulation], () => expect.unreachable('the solver is not asked'));
    expect(nodeOf).toEqual(nodesAfter(simulation));
    expect([proof, gap, [...kept]]).toEqual(['stopped', undefined, [['a problem too large for the solver', 301]]]);
  });
});
