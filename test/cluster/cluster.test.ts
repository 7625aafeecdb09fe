import { describe, expect, test } from 'vitest';
import { defaultClusterObjects } from '../../server/src/cluster/defaultCluster';
import { scenarioFromObjects } from '../../server/src/cluster/fromObjects';
import type { JsonObject } from '../../server/src/cluster/model';
import { runScenario } from '../../server/src/scheduler/scenario';

const ids = (objects: readonly JsonObject[]): readonly string[] =>
  scenarioFromObjects(objects).pending.map(it => it.id);

const workload = (kind: string, spec: object): JsonObject => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: { ...spec, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } } },
});

const ownedPod = (name: string, owner: object): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ownerReferences: [owner] },
  spec: { nodeName: 'worker-a-1', containers: [{ name: 'web' }] },
});

describe('the default cluster', () => {
  test('takes a Pod that asks for a GPU and tolerates its taint on the GPU node alone', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'train' },
      spec: {
        containers: [{ name: 'main', resources: { limits: { 'nvidia.com/gpu': 1 } } }],
        tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists' }],
      },
    };
    const result = runScenario([...defaultClusterObjects(), pod], { kubernetesVersion: '1.37' });
    expect(result.placements).toEqual({ 'default/train': 'gpu-a-1' });
    expect(result.notes).toEqual([]);
  });
});

describe('workloads become the Pods of their controllers', () => {
  test.each([
    ['Deployment', { replicas: 2 }, ['default/web-1', 'default/web-2']],
    ['ReplicaSet', {}, ['default/web-1']],
    ['StatefulSet', { replicas: 2, ordinals: { start: 5 } }, ['default/web-5', 'default/web-6']],
    ['Job', { parallelism: 3, completions: 2 }, ['default/web-1', 'default/web-2']],
    ['Job', { parallelism: 3, suspend: true }, []],
  ])('%s %j', (kind, spec, expected) => {
    expect(ids([workload(kind, spec)])).toEqual(expected);
  });

  test('a Pod that is already there is not made again', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4f', controller: true };
    expect(ids([workload('Deployment', { replicas: 2 }), ownedPod('web-5d4f-x', owner)])).toEqual(['default/web-2']);
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', controller: true };
    expect(ids([workload('StatefulSet', { replicas: 2 }), ownedPod('web-0', set)])).toEqual(['default/web-1']);
  });

  test('a DaemonSet leaves out nodes whose taints its Pods do not tolerate', () => {
    const pods = scenarioFromObjects([...defaultClusterObjects(), workload('DaemonSet', {})]).pending;
    expect(pods).toHaveLength(6);
  });

  test('an option turns it off', () => {
    const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false };
    expect(ids([workload('Deployment', { replicas: 2 }), options])).toEqual([]);
  });
});

describe('what a cluster does to objects first', () => {
  const pod = (spec: object, more: object = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { app: 'web', rev: '7' } },
    spec: { containers: [{ name: 'main' }], ...spec },
    ...more,
  });
  const admitted = (...objects: readonly JsonObject[]) => scenarioFromObjects(objects);

  test('limits become requests, and allocatable falls back to capacity', () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n' },
      status: { capacity: { cpu: '2', pods: 3 } },
    };
    const found = admitted(node, pod({ containers: [{ name: 'main', resources: { limits: { cpu: '500m' } } }] }));
    expect(found.pending[0]?.requests.milliCpu).toBe(500);
    expect(found.cluster.nodes[0]).toMatchObject({ maxPods: 3, allocatable: { milliCpu: 2000 } });
  });

  test('the default priority class counts, and its policy', () => {
    const standard = {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'standard' },
      value: 7,
      globalDefault: true,
      preemptionPolicy: 'Never',
    };
    expect(admitted(standard, pod({})).pending[0]).toMatchObject({ priority: 7, spec: { preemptionPolicy: 'Never' } });
  });

  test('a RuntimeClass brings overhead, selector and tolerations', () => {
    const runtime = {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'vm' },
      overhead: { podFixed: { cpu: '250m' } },
      scheduling: { nodeSelector: { vm: 'yes' }, tolerations: [{ key: 'vm', operator: 'Exists' }] },
    };
    const [found] = admitted(runtime, pod({ runtimeClassName: 'vm' })).pending;
    expect(found?.requests.milliCpu).toBe(250);
    expect(found?.spec.nodeSelector).toEqual({ vm: 'yes' });
    expect(found?.spec.tolerations).toContainEqual({ key: 'vm', operator: 'Exists' });
    expect(admitted(pod({ runtimeClassName: 'gone' })).rejected[0]?.message).toContain('RuntimeClass "gone" not found');
  });

  test('finished Pods do not exist, and a missing namespace is made', () => {
    const found = admitted(pod({ nodeName: 'n' }, { status: { phase: 'Succeeded' } }), {
      ...pod({}),
      metadata: { name: 'q', namespace: 'prod' },
    });
    expect(found.cluster.running).toEqual([]);
    expect(found.cluster.namespaces.get('prod')).toEqual({ 'kubernetes.io/metadata.name': 'prod' });
  });

  test('matchLabelKeys become part of the selector', () => {
    const selector = { matchLabels: { app: 'web' } };
    const constraint = { maxSkew: 1, topologyKey: 'zone', labelSelector: selector, matchLabelKeys: ['rev', 'none'] };
    const [found] = admitted(pod({ topologySpreadConstraints: [constraint] })).pending;
    expect(found?.spec.topologySpreadConstraints?.[0]?.labelSelector).toEqual({
      matchLabels: { app: 'web' },
      matchExpressions: [{ key: 'rev', operator: 'In', values: ['7'] }],
    });
  });
});
