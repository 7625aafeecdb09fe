import { describe, expect, it } from 'vitest';
import { runToEnd, type Steps } from '../../server/src/base/steps';
import type { AfterEvictions, RoundOptions } from '../../server/src/descheduler/rounds';
import { type SettleResult, settleSteps } from '../../server/src/descheduler/settle';
import { createRunMemory } from '../../server/src/scheduler/incremental/runCache';
import { evictionLines, MOST_ALLOCATED, node, policy, replicas, settled, withRequests } from './support';

const DUPLICATES = { balance: ['RemoveDuplicates'] };
const SPREAD = { balance: ['RemovePodsViolatingTopologySpreadConstraint'] };

describe('RemoveDuplicates where the other nodes are full', () => {
  const objects = [
    node('n0', { cpu: '1' }),
    node('n1', { cpu: '1' }),
    node('n2', { cpu: '8' }),
    ...replicas('web', { n0: 1, n1: 1, n2: 3 }, withRequests({ cpu: '1' })),
  ];

  it('never settles without nodeFit, since it checks only taints, selectors and affinity of a node', () => {
    const { rounds, ending } = settled(objects, policy(DUPLICATES));
    expect(ending).toEqual({ kind: 'cycle', from: 1, back: 1, states: 2 });
    expect(rounds[0]?.evictions).toMatchObject([{ pod: 'default/web-5', node: 'n2', plugin: 'RemoveDuplicates' }]);
    expect(rounds[0]?.evictions[0]?.reason).toBe('n2 runs 3 Pods of its owner, and 5 over 3 nodes are 2 on each');
    expect(rounds[0]?.landings).toEqual([{ pod: 'default/web-5', node: 'n2' }]);
  });

  it('evicts no Pod with nodeFit', () => {
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
  const spec = withRequests(
    { cpu: '100m' },
    {
      topologySpreadConstraints: [spread('kubernetes.io/hostname'), spread('topology.kubernetes.io/zone')],
      affinity: {
        nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, preference }] },
      },
    },
  );
  // Node affinity has double weight, so that the preference wins.
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

  it('settles at once where the policy does not', () => {
    expect(settled(objects, policy(SPREAD), { scheduler }).ending).toEqual({ kind: 'settles', rounds: 0 });
  });
});

describe('HighNodeUtilization', () => {
  const objects = [
    ...['n0', 'n1', 'n2'].map(it => node(it, { cpu: '10', memory: '10Gi' })),
    ...replicas('big', { n0: 1 }, withRequests({ cpu: '5', memory: '5Gi' })),
    ...replicas('small', { n1: 1 }, withRequests({ cpu: '2', memory: '2Gi' })),
  ];
  const empties = policy(
    { balance: ['HighNodeUtilization'] },
    { HighNodeUtilization: { thresholds: { cpu: 40, memory: 40 } } },
  );

  it('never settles where the scheduler spreads', () => {
    const settling = settled(objects, empties);
    expect(settling.ending).toEqual({ kind: 'cycle', from: 1, back: 1, states: 2 });
    expect(evictionLines(settling)).toEqual(['default/small-1 n1 → default/small-1 n1']);
  });

  it('settles after one round where the scheduler packs', () => {
    const settling = settled(objects, empties, { scheduler: MOST_ALLOCATED });
    expect(settling.ending).toEqual({ kind: 'settles', rounds: 1 });
    expect(evictionLines(settling)).toEqual(['default/small-1 n1 → default/small-1 n0']);
  });
});

describe('LowNodeUtilization', () => {
  const args = { thresholds: { memory: 20 }, targetThresholds: { memory: 70 } };
  const low = policy({ balance: ['LowNodeUtilization'] }, { LowNodeUtilization: args });
  const nodes = [node('n0', { cpu: '8', memory: '8Gi' }), node('n1', { cpu: '8', memory: '8Gi' })];

  it('never settles with a Pod that is above the target on every node', () => {
    const settling = settled([...nodes, ...replicas('big', { n0: 1 }, withRequests({ memory: '6Gi' }))], low);
    expect(settling.ending).toMatchObject({ kind: 'cycle', from: 1 });
    expect(settling.rounds.every(it => it.evictions.length === 1)).toBe(true);
    expect(settling.notes).toEqual([
      'LowNodeUtilization: default/big-1 asks for more memory than 70 % of any node, so that the node that runs it is above the target, whichever it is.',
    ]);
    expect(settling.rounds[0]?.evictions[0]?.reason).toBe('n0 is above the target: memory 75 % of 70 %');
  });

  it('moves no more Pods than necessary', () => {
    const settling = settled([...nodes, ...replicas('small', { n0: 4 }, withRequests({ memory: '2Gi' }))], low);
    expect(settling.ending).toEqual({ kind: 'settles', rounds: 1 });
    expect(settling.rounds[0]?.evictions).toHaveLength(2);
  });
});

describe('a simulation in steps', () => {
  const objects = [
    node('n0', {}),
    node('n1', {}),
    ...replicas('web', { n0: 4 }, withRequests({ cpu: '100m' })),
    ...replicas('api', { n0: 2 }, withRequests({ cpu: '100m' })),
  ];
  const steps = (given: RoundOptions = {}) =>
    settleSteps(objects, policy(DUPLICATES), { ...given, run: { kubernetesVersion: '1.37' }, maxRounds: 9 });

  it('reports the objects that each round leaves to be placed', () => {
    const left: AfterEvictions[] = [];
    const { rounds } = runToEnd(steps({ onRound: it => left.push(it) }));
    expect(left).toHaveLength(rounds.length);
    const gone = rounds[0]?.evictions.map(it => it.pod) ?? [];
    expect(gone).toHaveLength(3);
    const names = left[0]?.objects.map(it => `default/${(it.metadata as { readonly name: string }).name}`);
    expect(gone.filter(it => names?.includes(it))).toEqual([]);
  });

  it('can be cancelled at any step, and says how far it came', () => {
    const turns = [...steps()].length;
    const ends = Array.from({ length: turns }, (_, turn) => {
      let isCancelled = false;
      const running = steps({ isCancelled: () => isCancelled });
      for (let i = 0; i <= turn; i += 1) running.next();
      isCancelled = true;
      const { value } = running.next();
      return (value as SettleResult).ending;
    });
    expect(ends.map(it => it.kind)).toEqual(ends.map(() => 'unknown'));
    expect(ends[0]).toEqual({ kind: 'unknown', rounds: 0, stopped: true });
    const { rounds } = runToEnd(steps());
    expect(ends.at(-1)).toEqual({ kind: 'unknown', rounds: rounds.length, stopped: true });
  });

  it('makes a step between any two Pods', () => {
    let hasLeft = false;
    const running = steps({
      onRound: () => {
        hasLeft = true;
      },
    });
    let firstRound = -1;
    for (; !hasLeft; firstRound += 1) running.next();
    const { rounds } = runToEnd(steps());
    expect(firstRound).toBeGreaterThan(6 + rounds[0]!.landings.length);
  });

  it('comes to the same result when another simulation shares its run cache in between', () => {
    const memory = createRunMemory();
    const run = () => ({ kubernetesVersion: '1.37', memory: { ...memory } });
    const others = [...objects.filter(it => it.kind !== 'Node'), node('n0', { cpu: '2' }), node('n9', { cpu: '1' })];
    const started = [objects, others].map(it => settleSteps(it, policy(DUPLICATES), { run: run(), maxRounds: 9 }));
    const whole = [objects, others].map(it => settled(it, policy(DUPLICATES)));
    expect(alternately(started)).toEqual(whole);
  });

  it('ends when its time is over', () => {
    let turns = 0;
    const { ending } = runToEnd(steps({ isCancelled: () => ++turns > 20 }));
    expect(ending).toMatchObject({ kind: 'unknown', stopped: true });
    expect(turns).toBe(21);
  });
});

/** Runs one step of each in turn until all have ended. */
function alternately<T>(all: readonly Steps<T>[]): readonly (T | undefined)[] {
  const found: (T | undefined)[] = all.map(() => undefined);
  const running = new Set(all.keys());
  while (running.size > 0) {
    for (const i of [...running]) {
      const step = all[i]!.next();
      if (!step.done) continue;
      found[i] = step.value;
      running.delete(i);
    }
  }
  return found;
}
