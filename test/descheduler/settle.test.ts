import { describe, expect, it } from 'vitest';
import { asking, MOST_ALLOCATED, moves, node, policy, replicas, settled } from './support';

const DUPLICATES = { balance: ['RemoveDuplicates'] };
const SPREAD = { balance: ['RemovePodsViolatingTopologySpreadConstraint'] };

describe('RemoveDuplicates where the other nodes are full', () => {
  const objects = [
    node('n0', { cpu: '1' }),
    node('n1', { cpu: '1' }),
    node('n2', { cpu: '8' }),
    ...replicas('web', { n0: 1, n1: 1, n2: 3 }, asking({ cpu: '1' })),
  ];

  it('evicts for ever without nodeFit, as taints, selectors and affinity are all that it asks of a node', () => {
    const { rounds, ending } = settled(objects, policy(DUPLICATES));
    expect(ending).toEqual({ kind: 'cycle', from: 1, back: 1, states: 2 });
    expect(rounds[0]?.evictions).toMatchObject([{ pod: 'default/web-5', node: 'n2', plugin: 'RemoveDuplicates' }]);
    expect(rounds[0]?.evictions[0]?.reason).toBe('n2 runs 3 Pods of its owner, and 5 over 3 nodes are 2 on each');
    expect(rounds[0]?.landings).toEqual([{ pod: 'default/web-5', node: 'n2' }]);
  });

  it('evicts nobody with nodeFit', () => {
    const { ending } = settled(objects, policy(DUPLICATES, { DefaultEvictor: { nodeFit: true } }));
    expect(ending).toEqual({ kind: 'settles', rounds: 0 });
  });
});

describe('soft spread constraints against a preferred node', () => {
  const spread = (topologyKey: string) => ({
    topologyKey,
    maxSkew: 1,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: { app: 'web' } },
  });
  const preference = {
    matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n0'] }],
  };
  const spec = asking(
    { cpu: '100m' },
    {
      topologySpreadConstraints: [spread('kubernetes.io/hostname'), spread('topology.kubernetes.io/zone')],
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
      },
    },
  );
  // Scores of node affinity count twice as much as before, so that the preference wins.
  const scheduler = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'NodeAffinity', weight: 10 }] } } }],
  };
  const objects = [node('n0 a', { cpu: '8' }), node('n1 b', { cpu: '8' }), ...replicas('web', { n0: 4 }, spec)];

  it('never settles where the policy names ScheduleAnyway', () => {
    const args = { RemovePodsViolatingTopologySpreadConstraint: { constraints: ['DoNotSchedule', 'ScheduleAnyway'] } };
    const { rounds, ending } = settled(objects, policy(SPREAD, args), { scheduler });
    expect(ending).toMatchObject({ kind: 'cycle', from: 1 });
    expect(rounds[0]?.landings.map(it => it.node)).toEqual(rounds[0]?.evictions.map(() => 'n0'));
  });

  it('evicts nobody where it does not', () => {
    expect(settled(objects, policy(SPREAD), { scheduler }).ending).toEqual({ kind: 'settles', rounds: 0 });
  });
});

describe('HighNodeUtilization', () => {
  const objects = [
    ...['n0', 'n1', 'n2'].map(it => node(it, { cpu: '10', memory: '10Gi' })),
    ...replicas('big', { n0: 1 }, asking({ cpu: '5', memory: '5Gi' })),
    ...replicas('small', { n1: 1 }, asking({ cpu: '2', memory: '2Gi' })),
  ];
  const empties = policy(
    { balance: ['HighNodeUtilization'] },
    { HighNodeUtilization: { thresholds: { cpu: 40, memory: 40 } } },
  );

  it('never empties a node where the scheduler spreads', () => {
    const settling = settled(objects, empties);
    expect(settling.ending).toEqual({ kind: 'cycle', from: 1, back: 1, states: 2 });
    expect(moves(settling)).toEqual(['default/small-1 n1 → default/small-1 n1']);
  });

  it('is done after one move where the scheduler packs', () => {
    const settling = settled(objects, empties, { scheduler: MOST_ALLOCATED });
    expect(settling.ending).toEqual({ kind: 'settles', rounds: 1 });
    expect(moves(settling)).toEqual(['default/small-1 n1 → default/small-1 n0']);
  });
});

describe('LowNodeUtilization', () => {
  const args = { thresholds: { memory: 20 }, targetThresholds: { memory: 70 } };
  const low = policy({ balance: ['LowNodeUtilization'] }, { LowNodeUtilization: args });
  const nodes = [node('n0', { cpu: '8', memory: '8Gi' }), node('n1', { cpu: '8', memory: '8Gi' })];

  it('never settles with a Pod that is above the target on every node', () => {
    const settling = settled([...nodes, ...replicas('big', { n0: 1 }, asking({ memory: '6Gi' }))], low);
    expect(settling.ending).toMatchObject({ kind: 'cycle', from: 1 });
    expect(settling.rounds.every(it => it.evictions.length === 1)).toBe(true);
    expect(settling.notes).toEqual([
      'LowNodeUtilization: default/big-1 asks for more memory than 70 % of any node, so that the node that runs it is above the target, whichever it is.',
    ]);
    expect(settling.rounds[0]?.evictions[0]?.reason).toBe('n0 is above the target: memory 75 % of 70 %');
  });

  it('moves no more than it takes', () => {
    const settling = settled([...nodes, ...replicas('small', { n0: 4 }, asking({ memory: '2Gi' }))], low);
    expect(settling.ending).toEqual({ kind: 'settles', rounds: 1 });
    expect(settling.rounds[0]?.evictions).toHaveLength(2);
  });
});
