import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../../server/src/base/json';
import type { ArrivalStep } from '../../../server/src/explore/orders/shortestWay';
import { explored, linesOf, node, pod, priorityClass } from './support';

const GROUP_LABEL = 'scheduling.x-k8s.io/pod-group';

function job(name: string, count: number): UnknownObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: {
      parallelism: count,
      completions: count,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } }],
        },
      },
    },
  };
}

/** A Deployment of Pods with 1 CPU. */
function deployment(name: string, replicas: number): UnknownObject {
  const labels = { app: name };
  const containers = [{ name: 'main', image: 'app', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  };
}

const COSCHEDULING: UnknownObject = {
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [
    {
      plugins: {
        multiPoint: { enabled: [{ name: 'Coscheduling' }] },
        queueSort: { enabled: [{ name: 'Coscheduling' }], disabled: [{ name: '*' }] },
      },
    },
  ],
};

const MOST_ALLOCATED: UnknownObject = {
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
      plugins: { score: { disabled: [{ name: 'NodeResourcesBalancedAllocation' }] } },
    },
  ],
};

function gang(name: string, size: number, minMember: number): readonly UnknownObject[] {
  const members = Array.from({ length: size }, (_, i) => pod(`${name}-${i}`, { labels: { [GROUP_LABEL]: name } }));
  const group = {
    apiVersion: 'scheduling.x-k8s.io/v1alpha1',
    kind: 'PodGroup',
    metadata: { name },
    spec: { minMember },
  };
  return [group, ...members];
}

const GROUPS_ON: UnknownObject = {
  apiVersion: 'berth.dev/v1alpha1',
  kind: 'ScenarioOptions',
  featureGates: { GenericWorkload: true },
};

/** A PodGroup of Kubernetes; `cpus`: a Pod for each. */
function wholeGroup(name: string, cpus: readonly number[], minCount: number): readonly UnknownObject[] {
  const members = cpus.map((cpu, i) => pod(`${name}-${i}`, { cpu, spec: { schedulingGroup: { podGroupName: name } } }));
  const group = {
    apiVersion: 'scheduling.k8s.io/v1beta1',
    kind: 'PodGroup',
    metadata: { name },
    spec: { schedulingPolicy: { gang: { minCount } } },
  };
  return [group, ...members];
}

const wayOf = (steps: readonly ArrivalStep[] | undefined) =>
  steps?.map(({ arrives, placed }) => `${arrives} ${placed.map(it => it.node).join()}`.replace('default/', ''));

/** Which gangs are complete in an outcome, over all outcomes. */
const complete = (objects: readonly UnknownObject[]): readonly string[] => {
  const found = explored(objects).outcomes.map(({ placements }) =>
    Object.keys(placements)
      .map(it => it.replace(/^default\/(\w+)-\d+$/, '$1'))
      .sort()
      .join(''),
  );
  return [...new Set(found)].sort();
};

describe('two gangs of three Pods on one node with room for four', () => {
  const nodes = [node('n', 4)];

  it('deadlock in 12 of 20 orders as Jobs; the shortest way is two Pods of each', () => {
    const { deadlock, permutations, renamings } = explored([...nodes, job('a', 3), job('b', 3)]);
    expect(permutations / renamings).toBe(20n);
    expect((deadlock?.orders ?? 0n) / renamings).toBe(12n);
    expect(deadlock?.between).toEqual(['Job a', 'Job b']);
    expect(wayOf(deadlock?.shortest)).toEqual(['a-1 n', 'a-2 n', 'b-1 n', 'b-2 n']);
  });

  it('never deadlock with coscheduling: one of them is placed as a whole, the other waits', () => {
    const objects = [COSCHEDULING, ...nodes, ...gang('a', 3, 3), ...gang('b', 3, 3)];
    expect(explored(objects).deadlock).toBeUndefined();
    expect(complete(objects)).toEqual(['aaa', 'bbb']);
  });

  it('never deadlock as PodGroups of Kubernetes: one of them is placed as a whole, the other waits', () => {
    const objects = [GROUPS_ON, ...nodes, ...wholeGroup('a', [1, 1, 1], 3), ...wholeGroup('b', [1, 1, 1], 3)];
    expect(explored(objects).deadlock).toBeUndefined();
    expect(complete(objects)).toEqual(['aaa', 'bbb']);
  });

  it('never deadlock where there is room for both', () => {
    expect(explored([node('n', 6), job('a', 3), job('b', 3)])).toMatchObject({ alwaysPlaced: true });
  });
});

describe('a gang with coscheduling', () => {
  it('waits as a whole where fewer Pods are made than it needs', () => {
    expect(complete([COSCHEDULING, node('n', 8), ...gang('a', 3, 4)])).toEqual(['']);
  });

  it('gets as many Pods placed as there is room for, once it has what it needs', () => {
    expect(complete([COSCHEDULING, node('n', 3), ...gang('a', 4, 3)])).toEqual(['aaa']);
  });
});

describe('a PodGroup of Kubernetes', () => {
  const on = (nodes: readonly UnknownObject[], cpus: readonly number[], minCount: number) =>
    complete([GROUPS_ON, ...nodes, ...wholeGroup('a', cpus, minCount)]);

  it('waits as a whole where fewer Pods are made than it needs', () => {
    expect(on([node('n', 8)], [1, 1, 1], 4)).toEqual(['']);
  });

  it('gets as many Pods placed as there is room for, once it has what it needs', () => {
    expect(on([node('n', 3)], [1, 1, 1, 1, 1, 1], 3)).toEqual(['aaa']);
  });

  it('waits for ever where its small Pods, which are tried first, take the room of the big one', () => {
    expect(on([node('n1', 4), node('n2', 4)], [1, 1, 4], 3)).toEqual(['', 'aaa']);
  });
});

describe('a big Pod and two small ones', () => {
  const pods = [pod('big', { cpu: 4 }), pod('s1'), pod('s2')];
  const nodes = [node('n1', 4), node('n2', 4)];

  it('strand the big one where the small ones come first and spread, which two arrivals decide', () => {
    const { strandedOrders, shortest, permutations } = explored([...nodes, ...pods]);
    expect([strandedOrders, permutations]).toEqual([2n, 6n]);
    expect(shortest).toHaveLength(2);
  });

  it('are always placed with MostAllocated', () => {
    expect(explored([MOST_ALLOCATED, ...nodes, ...pods])).toMatchObject({ alwaysPlaced: true, strandedOrders: 0n });
  });
});

describe('one slot on each of two nodes, and Pods of three priorities', () => {
  const classes = [priorityClass('low', 1), priorityClass('mid', 5), priorityClass('high', 9)];
  const withClass = (name: string, priorityClassName: string) => pod(name, { spec: { priorityClassName } });
  const pods = [withClass('low1', 'low'), withClass('low2', 'low'), withClass('mid', 'mid'), withClass('high', 'high')];

  it('evict other Pods in other orders, and always run the two of the highest priorities', () => {
    const { outcomes } = explored([...classes, node('n1', 1), node('n2', 1), ...pods]);
    const evicted = new Set(outcomes.map(it => it.evicted.map(id => id.replace('default/', '')).join(' ')));
    expect([...evicted].sort()).toEqual(['', 'low1', 'low1 low2', 'low2']);
    for (const it of outcomes) expect(Object.keys(it.placements)).toEqual(['default/high', 'default/mid']);
  });
});

describe('three Deployments of four on four nodes', () => {
  it('are counted completely: 12!/(4!)³ orders', () => {
    const nodes = Array.from({ length: 4 }, (_, i) => node(`n${i}`, 8));
    const { permutations, renamings, followed, alwaysPlaced, groups } = explored(
      [...nodes, ...['a', 'b', 'c'].map(it => deployment(it, 4))],
      { states: 10_000, outcomes: 100 },
    );
    expect(permutations / renamings).toBe(34_650n);
    expect([followed === permutations, alwaysPlaced, groups.length]).toEqual([true, true, 1]);
  });
});

it('an outcome is the same whether equal Pods are written as Pods or made by a workload', () => {
  const nodes = [node('n1', 1), node('n2', 1)];
  const written = [pod('web-1', { labels: { app: 'web' } }), pod('web-2', { labels: { app: 'web' } })];
  expect(linesOf(explored([...nodes, ...written]))).toEqual(linesOf(explored([...nodes, deployment('web', 2)])));
});
