import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import type { DeschedulerPolicy } from '../../server/src/descheduler/policy';
import { node, policy, replicas, settled, withRequests } from './support';

const NOW = Date.parse('2026-03-02T00:00:00Z');
const HOST = 'kubernetes.io/hostname';
const nodes = [node('n0 a', { cpu: '4' }), node('n1 b', { cpu: '4' })];

/** The Pods that the first run evicts. */
const firstEvictions = (objects: readonly UnknownObject[], of: DeschedulerPolicy): readonly string[] =>
  settled(objects, of, { now: NOW }).rounds[0]?.evictions.map(it => it.pod) ?? [];

/** The objects with one Pod changed, by name. */
function withPod(objects: readonly UnknownObject[], name: string, more: UnknownObject, meta: UnknownObject = {}) {
  return objects.map(it => {
    const metadata = it.metadata as { readonly name?: string };
    return it.kind === 'Pod' && metadata.name === name ? { ...it, ...more, metadata: { ...metadata, ...meta } } : it;
  });
}

const budget = (minAvailable: number): UnknownObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web', namespace: 'default' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
});

describe('RemovePodsViolatingNodeTaints', () => {
  const tainted = (effect: string): UnknownObject => ({
    ...nodes[0],
    spec: { taints: [{ key: 'gpu', value: 'a', effect }] },
  });
  const objects = (effect: string) => [
    tainted(effect),
    nodes[1]!,
    ...replicas('web', { n0: 2, n1: 1 }, withRequests({ cpu: '1' })),
  ];
  const taints = (args: UnknownObject = {}, limits: UnknownObject = {}) =>
    policy({ deschedule: ['RemovePodsViolatingNodeTaints'] }, { RemovePodsViolatingNodeTaints: args }, limits);

  it.each([
    ['NoSchedule', {}, ['default/web-1', 'default/web-2']],
    ['PreferNoSchedule', {}, []],
    ['PreferNoSchedule', { includePreferNoSchedule: true }, ['default/web-1', 'default/web-2']],
    ['NoSchedule', { excludedTaints: ['gpu=a'] }, []],
    ['NoSchedule', { includedTaints: ['other'] }, []],
    ['NoSchedule', { namespaces: { exclude: ['default'] } }, []],
  ])('with %s and %o', (effect, args, pods) => {
    expect(firstEvictions(objects(effect), taints(args))).toEqual(pods);
  });

  it.each([
    [{ maxNoOfPodsToEvictPerNode: 1 }, 'maxNoOfPodsToEvictPerNode is 1'],
    [{ maxNoOfPodsToEvictPerNamespace: 1 }, 'maxNoOfPodsToEvictPerNamespace is 1'],
    [{ maxNoOfPodsToEvictTotal: 1 }, 'maxNoOfPodsToEvictTotal is 1'],
  ])('stops at %o', (limits, because) => {
    const [first] = settled(objects('NoSchedule'), taints({}, limits)).rounds;
    const kept = first?.refusals.map(it => [it.pod, it.because]);
    expect(first?.evictions.map(it => it.pod)).toEqual(['default/web-1']);
    expect(kept).toEqual([['default/web-2', because]]);
  });

  it('respects a budget, and says so', () => {
    const [first] = settled([...objects('NoSchedule'), budget(2)], taints()).rounds;
    expect(first?.evictions.map(it => it.pod)).toEqual(['default/web-1']);
    expect(first?.refusals).toMatchObject([
      { pod: 'default/web-2', because: 'PodDisruptionBudget web allows no disruption now' },
    ]);
  });

  it('does nothing with a single node', () => {
    const { ending, notes } = settled(
      [tainted('NoSchedule'), ...replicas('web', { n0: 1 }, withRequests({ cpu: '1' }))],
      taints(),
    );
    expect(ending).toEqual({ kind: 'settles', rounds: 0 });
    expect(notes).toEqual(['The descheduler does nothing with 1 ready node.']);
  });
});

describe('DefaultEvictor', () => {
  const tainted = { ...nodes[0], spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] } };
  const web = (spec: UnknownObject = {}) => [
    tainted,
    nodes[1]!,
    ...replicas('web', { n0: 1, n1: 1 }, withRequests({ cpu: '1' }, spec)),
  ];
  const by = (args: UnknownObject) =>
    policy(
      { deschedule: ['RemovePodsViolatingNodeTaints'] },
      { DefaultEvictor: args, RemovePodsViolatingNodeTaints: {} },
    );
  const local = { volumes: [{ name: 'tmp', emptyDir: {} }] };

  it.each<[string, UnknownObject, UnknownObject, number]>([
    ['local storage', local, {}, 0],
    ['local storage that is given up', local, { podProtections: { defaultDisabled: ['PodsWithLocalStorage'] } }, 1],
    ['local storage in the old spelling', local, { evictLocalStoragePods: true }, 1],
    ['a system-critical priority', { priority: 2_000_000_000 }, {}, 0],
    ['a priority at the threshold', { priority: 100 }, { priorityThreshold: { value: 100 } }, 0],
    ['a priority below the threshold', { priority: 99 }, { priorityThreshold: { value: 100 } }, 1],
    ['fewer replicas than wanted', {}, { minReplicas: 3 }, 0],
    ['as many replicas as wanted', {}, { minReplicas: 2 }, 1],
    ['no budget, which is wanted', {}, { podProtections: { extraEnabled: ['PodsWithoutPDB'] } }, 0],
    ['labels that are not selected', {}, { labelSelector: { matchLabels: { app: 'db' } } }, 0],
    ['a request that fits no other node', { nodeSelector: { [HOST]: 'n0' } }, { nodeFit: true }, 0],
    ['an age that nobody knows', {}, { minPodAge: '1h' }, 0],
  ])('judges a Pod with %s', (_, spec, args, count) => {
    expect(firstEvictions(web(spec), by(args))).toHaveLength(count);
  });

  it('gives annotations precedence', () => {
    const asks = { annotations: { 'descheduler.alpha.kubernetes.io/evict': 'true' } };
    expect(firstEvictions(withPod(web(local), 'web-1', {}, asks), by({}))).toEqual(['default/web-1']);
    const declines = { annotations: { 'descheduler.alpha.kubernetes.io/prefer-no-eviction': 'true' } };
    expect(firstEvictions(withPod(web(), 'web-1', {}, declines), by({ noEvictionPolicy: 'Mandatory' }))).toEqual([]);
    expect(firstEvictions(withPod(web(), 'web-1', {}, declines), by({}))).toEqual(['default/web-1']);
  });
});

describe('affinity', () => {
  const anti = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: HOST, labelSelector: { matchLabels: { app: 'web' } } },
        ],
      },
    },
  };
  const prefers = (name: string) => ({
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 5, preference: { matchExpressions: [{ key: HOST, operator: 'In', values: [name] }] } },
        ],
      },
    },
  });
  const requires = (name: string) => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: HOST, operator: 'In', values: [name] }] }],
        },
      },
    },
  });

  it('evicts only one of two Pods with anti-affinity', () => {
    const objects = [...nodes, ...replicas('web', { n0: 2 }, withRequests({ cpu: '1' }, anti))];
    const of = policy(
      { deschedule: ['RemovePodsViolatingInterPodAntiAffinity'] },
      { RemovePodsViolatingInterPodAntiAffinity: {} },
    );
    const { rounds, ending } = settled(objects, of);
    expect(rounds[0]?.evictions).toMatchObject([
      { pod: 'default/web-1', reason: 'its anti-affinity forbids default/web-2 near it' },
    ]);
    expect(rounds[0]?.landings).toMatchObject([{ node: 'n1' }]);
    expect(ending).toEqual({ kind: 'settles', rounds: 1 });
  });

  it.each([
    ['requiredDuringSchedulingIgnoredDuringExecution', requires('n1'), 1],
    ['requiredDuringSchedulingIgnoredDuringExecution', requires('n0'), 0],
    ['requiredDuringSchedulingIgnoredDuringExecution', requires('n9'), 0],
    ['preferredDuringSchedulingIgnoredDuringExecution', prefers('n1'), 1],
    ['preferredDuringSchedulingIgnoredDuringExecution', prefers('n0'), 0],
  ])('evicts by %s only where another node is better', (type, spec, count) => {
    const of = policy(
      { deschedule: ['RemovePodsViolatingNodeAffinity'] },
      { RemovePodsViolatingNodeAffinity: { nodeAffinityType: [type] } },
    );
    expect(
      firstEvictions([...nodes, ...replicas('web', { n0: 1 }, withRequests({ cpu: '1' }, spec))], of),
    ).toHaveLength(count);
  });
});

describe('hard spread constraints', () => {
  const spread = {
    topologySpreadConstraints: [
      {
        topologyKey: 'topology.kubernetes.io/zone',
        maxSkew: 1,
        whenUnsatisfiable: 'DoNotSchedule',
        labelSelector: { matchLabels: { app: 'web' } },
      },
    ],
  };
  const of = policy(
    { balance: ['RemovePodsViolatingTopologySpreadConstraint'] },
    { RemovePodsViolatingTopologySpreadConstraint: {} },
  );

  it('moves the fewest Pods that restore the skew', () => {
    const { rounds, ending } = settled(
      [...nodes, ...replicas('web', { n0: 4 }, withRequests({ cpu: '500m' }, spread))],
      of,
    );
    expect(rounds[0]?.evictions).toHaveLength(2);
    expect(rounds[0]?.landings.map(it => it.node)).toEqual(['n1', 'n1']);
    expect(ending).toEqual({ kind: 'settles', rounds: 1 });
  });

  it('keeps Pods that fit nowhere else', () => {
    const full = [nodes[0]!, node('n1 b', { cpu: '100m' })];
    expect(firstEvictions([...full, ...replicas('web', { n0: 4 }, withRequests({ cpu: '500m' }, spread))], of)).toEqual(
      [],
    );
  });
});

describe('age and status', () => {
  const web = [...nodes, ...replicas('web', { n0: 3 }, withRequests({ cpu: '1' }))];
  const created = (hours: number) => ({ creationTimestamp: new Date(NOW - hours * 3600e3).toISOString() });

  it('evicts Pods beyond their lifetime, the oldest first, and notes unknown ages', () => {
    const of = policy({ deschedule: ['PodLifeTime'] }, { PodLifeTime: { maxPodLifeTimeSeconds: 3600 } });
    const objects = withPod(withPod(web, 'web-1', {}, created(2)), 'web-3', {}, created(5));
    const { rounds, notes, ending } = settled(objects, of, { now: NOW });
    expect(rounds[0]?.evictions.map(it => it.pod)).toEqual(['default/web-3', 'default/web-1']);
    expect(rounds[0]?.evictions[0]?.reason).toBe('it is 18000 s old, and maxPodLifeTimeSeconds is 3600');
    expect(notes[0]).toBe('PodLifeTime: 1 Pods without a creationTimestamp count as new, as nobody knows their age.');
    expect(ending).toEqual({ kind: 'settles', rounds: 1 });
  });

  it('evicts Pods that failed for a listed reason', () => {
    const failed = { status: { phase: 'Failed', reason: 'NodeAffinity' } };
    const of = (reasons: readonly string[]) =>
      policy({ deschedule: ['RemoveFailedPods'] }, { RemoveFailedPods: { reasons, minPodLifetimeSeconds: 60 } });
    const objects = withPod(web, 'web-2', failed, created(1));
    expect(firstEvictions(objects, of(['NodeAffinity']))).toEqual(['default/web-2']);
    expect(firstEvictions(objects, of(['Evicted']))).toEqual([]);
    expect(firstEvictions(withPod(web, 'web-2', failed), of(['NodeAffinity']))).toEqual([]);
  });

  it('evicts Pods with too many restarts, the most first', () => {
    const restarted = (restartCount: number) => ({
      status: { phase: 'Running', containerStatuses: [{ name: 'app', restartCount }] },
    });
    const of = policy(
      { deschedule: ['RemovePodsHavingTooManyRestarts'] },
      { RemovePodsHavingTooManyRestarts: { podRestartThreshold: 5 } },
    );
    const objects = withPod(withPod(withPod(web, 'web-1', restarted(5)), 'web-2', restarted(9)), 'web-3', restarted(4));
    expect(firstEvictions(objects, of)).toEqual(['default/web-2', 'default/web-1']);
  });
});
