import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { type ClusterChange, withChanges } from '../../server/src/cluster/changes';
import { simulate } from '../../server/src/scheduler/scenario';

const node = (name: string, zone: string): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': zone } },
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10' } },
});

const pod = (name: string, nodeName: string, owner?: { kind: string; name: string }): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: { app: 'web' },
    ...(owner && { ownerReferences: [{ apiVersion: 'apps/v1', controller: true, uid: 'u', ...owner }] }),
  },
  spec: { nodeName, containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1' } } }] },
  status: { phase: 'Running' },
});

const deployment = (replicas: number): UnknownObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'web:1', resources: { requests: { cpu: '1' } } }] },
    },
  },
});

const NODES = [node('a1', 'a'), node('a2', 'a'), node('b1', 'b')];

/** Where Pods are after some changes: Pod → node, `-` for a pending one. */
function placedAfter(objects: readonly UnknownObject[], ...changes: readonly ClusterChange[]) {
  const { objects: after, lost, problems } = withChanges([...NODES, ...objects], changes);
  const { scenario, result } = simulate(after, { kubernetesVersion: '1.37' });
  const running = scenario.cluster.running.map(it => [it.id, it.nodeName] as const);
  const pending = scenario.pending.map(it => [it.id, result.placements[it.id] ?? '-'] as const);
  return { pods: Object.fromEntries([...running, ...pending]), lost, problems };
}

describe('changes of a cluster', () => {
  const bare = pod('bare', 'a1');
  const owned = pod('web-1', 'a1', { kind: 'ReplicaSet', name: 'web-5d9' });
  const agent = pod('agent', 'a1', { kind: 'DaemonSet', name: 'agent' });

  it('a failed node loses the Pods without a controller', () => {
    expect(placedAfter([bare, owned, agent], { do: 'nodeDown', node: 'a1' })).toEqual({
      pods: { 'default/web-1': 'a2' },
      lost: ['default/bare'],
      problems: [],
    });
  });

  it('a drained node keeps the Pods of DaemonSets', () => {
    expect(placedAfter([owned, agent], { do: 'drain', node: 'a1' })).toEqual({
      pods: { 'default/agent': 'a1', 'default/web-1': 'a2' },
      lost: [],
      problems: [],
    });
  });

  it('a failed zone leaves the other one', () => {
    expect(placedAfter([owned], { do: 'zoneDown', zone: 'a' }).pods).toEqual({ 'default/web-1': 'b1' });
  });

  it('a cordoned node keeps its Pods and accepts no more', () => {
    const rest = [pod('web-2', '', { kind: 'ReplicaSet', name: 'web-5d9' })];
    const cordons = ['a2', 'b1', 'a1'].map((it): ClusterChange => ({ do: 'cordon', node: it }));
    expect(placedAfter([owned, ...rest], ...cordons).pods).toEqual({ 'default/web-1': 'a1', 'default/web-2': '-' });
  });

  it('a workload makes lost Pods again, and as many as it is scaled to', () => {
    const rest = [deployment(2), owned];
    expect(Object.keys(placedAfter(rest, { do: 'nodeDown', node: 'a1' }).pods)).toHaveLength(2);
    const web = { kind: 'Deployment', name: 'web' };
    expect(Object.keys(placedAfter(rest, { do: 'scale', object: web, replicas: 4 }).pods)).toHaveLength(4);
    expect(Object.keys(placedAfter(rest, { do: 'scaleBy', factor: 3 }).pods)).toHaveLength(6);
    expect(Object.keys(placedAfter([deployment(2)], { do: 'remove', object: web }).pods)).toEqual([]);
    expect(Object.keys(placedAfter(rest, { do: 'apply', objects: [deployment(5)] }).pods)).toHaveLength(5);
  });

  it('an unknown object is reported, and the other changes are made', () => {
    const changes: readonly ClusterChange[] = [
      { do: 'nodeDown', node: 'c1' },
      { do: 'zoneDown', zone: 'c' },
      { do: 'drain', node: 'c1' },
      { do: 'remove', object: { kind: 'Job', name: 'batch' } },
      { do: 'nodeDown', node: 'a1' },
    ];
    expect(placedAfter([owned], ...changes)).toEqual({
      pods: { 'default/web-1': 'a2' },
      lost: [],
      problems: [
        'there is no Node "c1"',
        'no Node is in the zone "c"',
        'there is no Node "c1"',
        'there is no Job "batch"',
      ],
    });
  });

  it('does not modify the given objects', () => {
    const objects = [...NODES, owned, deployment(2)];
    const before = structuredClone(objects);
    withChanges(objects, [
      { do: 'drain', node: 'a1' },
      { do: 'scaleBy', factor: 2 },
    ]);
    expect(objects).toEqual(before);
  });
});
