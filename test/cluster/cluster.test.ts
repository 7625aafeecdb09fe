import { describe, expect, test, vi } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { scenarioFromObjects } from '../../server/src/cluster/scenario';
import { defaultClusterObjects } from '../../server/src/cluster/sources/defaultCluster';
import { runScenario } from '../../server/src/scheduler/scenario';

const ids = (objects: readonly UnknownObject[]): readonly string[] =>
  scenarioFromObjects(objects).pending.map(it => it.id);

const workload = (kind: string, spec: object): UnknownObject => ({
  apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
  kind,
  metadata: { name: 'web' },
  spec: { ...spec, template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web' }] } } },
});

const ownedPod = (name: string, owner: object): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ownerReferences: [owner] },
  spec: { nodeName: 'worker-a-1', containers: [{ name: 'web' }] },
});

describe('the example cluster', () => {
  test('places a Pod that requests a GPU and tolerates its taint on the GPU node only', () => {
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

describe('Helm hooks', () => {
  const hooked = (object: UnknownObject, hook: string, metadata = {}): UnknownObject => ({
    ...object,
    metadata: { ...(object.metadata as object), annotations: { 'helm.sh/hook': hook }, ...metadata },
  });
  const pod: UnknownObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'web' }] },
  };

  test.each([
    [
      'a Pod of `helm test`',
      hooked(pod, 'test'),
      ['Pod web is not placed: it is a Helm hook (test), which no install starts.'],
    ],
    [
      'a Job of several hooks that come later',
      hooked(workload('Job', {}), 'pre-delete, pre-rollback'),
      ['Job web is not placed: it is a Helm hook (pre-delete, pre-rollback), which no install starts.'],
    ],
  ])('%s is left out with a note', (_, object, notes) => {
    const { pending, notes: told } = scenarioFromObjects([object]);
    expect(pending).toEqual([]);
    expect(told.map(it => it.message)).toEqual(notes);
  });

  test.each([
    ['that an install starts', hooked(workload('Job', {}), 'pre-install'), ['default/web-1']],
    ['of which an install starts one', hooked(workload('Job', {}), 'test,post-upgrade'), ['default/web-1']],
    ['that a server has created', hooked(pod, 'test', { uid: '1' }), ['default/web']],
  ])('those %s are placed', (_, object, expected) => {
    expect(ids([object])).toEqual(expected);
  });
});

describe('controllers make the Pods of workloads', () => {
  test.each([
    ['Deployment', { replicas: 2 }, ['default/web-1', 'default/web-2']],
    ['ReplicaSet', {}, ['default/web-1']],
    ['StatefulSet', { replicas: 2, ordinals: { start: 5 } }, ['default/web-5', 'default/web-6']],
    ['Job', { parallelism: 3, completions: 2 }, ['default/web-1', 'default/web-2']],
    ['Job', { parallelism: 3, suspend: true }, []],
  ])('%s %j', (kind, spec, expected) => {
    expect(ids([workload(kind, spec)])).toEqual(expected);
  });

  test('an existing Pod is not made again', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-5d4f', controller: true };
    expect(ids([workload('Deployment', { replicas: 2 }), ownedPod('web-5d4f-x', owner)])).toEqual(['default/web-2']);
    const set = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web', controller: true };
    expect(ids([workload('StatefulSet', { replicas: 2 }), ownedPod('web-0', set)])).toEqual(['default/web-1']);
  });

  test('an autoscaler moves replicas into its bounds, and zero disables it', () => {
    const scaler = (minReplicas: number, maxReplicas: number): UnknownObject => ({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'web' },
      spec: { minReplicas, maxReplicas, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' } },
    });
    const pods = (spec: object, min: number, max: number): number =>
      ids([workload('Deployment', spec), scaler(min, max)]).length;
    expect([pods({}, 3, 5), pods({ replicas: 9 }, 3, 5), pods({ replicas: 0 }, 3, 5)]).toEqual([3, 5, 0]);
  });

  test('a Deployment’s Pods belong to its ReplicaSet, which is made as well', () => {
    const found = scenarioFromObjects([workload('Deployment', { selector: { matchLabels: { app: 'web' } } })]);
    const [pod] = found.pending;
    const [owner] = pod?.source.metadata?.ownerReferences ?? [];
    const hash = pod?.labels['pod-template-hash'];
    expect(owner).toMatchObject({ kind: 'ReplicaSet', name: `web-${hash}`, controller: true });
    expect(found.cluster.objects.get('ReplicaSet')).toMatchObject([
      {
        metadata: { name: owner?.name },
        spec: { selector: { matchLabels: { app: 'web', 'pod-template-hash': hash } } },
      },
    ]);
  });

  test('existing ReplicaSets make their own Pods; a paused Deployment gets no new one', () => {
    const owned = {
      ...workload('ReplicaSet', { replicas: 2 }),
      metadata: {
        name: 'web-old',
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', controller: true }],
      },
    };
    expect(ids([owned, workload('Deployment', { replicas: 3 })])).toEqual([
      'default/web-old-1',
      'default/web-old-2',
      'default/web-1',
    ]);
    expect(ids([workload('Deployment', { replicas: 3, paused: true })])).toEqual([]);
  });

  test('an Indexed Job gets the indexes that are neither done, failed nor running', () => {
    const job = {
      ...workload('Job', { parallelism: 3, completions: 7, completionMode: 'Indexed' }),
      status: { succeeded: 3, completedIndexes: '0,2-3', failedIndexes: '' },
    };
    const running = {
      ...ownedPod('web-1-x', { apiVersion: 'batch/v1', kind: 'Job', name: 'web', controller: true }),
      metadata: {
        name: 'web-1-x',
        annotations: { 'batch.kubernetes.io/job-completion-index': '1' },
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'web', controller: true }],
      },
    };
    const { pending } = scenarioFromObjects([job, running]);
    expect(pending.map(it => it.spec.hostname)).toEqual(['web-4', 'web-5']);
    expect(pending[0]?.labels).toMatchObject({
      'job-name': 'web',
      'batch.kubernetes.io/job-completion-index': '4',
      app: 'web',
    });
  });

  test('a finished Job, or one of another controller, makes no Pods', () => {
    const complete = { status: { conditions: [{ type: 'Complete', status: 'True' }] } };
    expect(ids([{ ...workload('Job', {}), ...complete }])).toEqual([]);
    expect(ids([workload('Job', { managedBy: 'example.com/queue' })])).toEqual([]);
  });

  test('a CronJob’s next run is placed unless it must wait for the previous one', () => {
    const { template } = workload('Job', {}).spec as { readonly template: object };
    const cronJob = (concurrencyPolicy: string): UnknownObject => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'nightly' },
      spec: { concurrencyPolicy, jobTemplate: { spec: { parallelism: 2, template } } },
    });
    const run = {
      ...workload('Job', { suspend: true }),
      metadata: {
        name: 'nightly-1',
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', controller: true }],
      },
    };
    expect(ids([cronJob('Allow'), run])).toEqual(['default/nightly-next-1', 'default/nightly-next-2']);
    expect(ids([cronJob('Forbid'), run])).toEqual([]);
  });

  test('a StatefulSet makes the claims of its templates, with the selector’s labels', () => {
    const set = workload('StatefulSet', {
      serviceName: 'db',
      selector: { matchLabels: { app: 'web' } },
      volumeClaimTemplates: [
        { metadata: { name: 'data', labels: { tier: 'db' } }, spec: { storageClassName: 'fast' } },
      ],
    });
    const { cluster, pending } = scenarioFromObjects([set]);
    expect(cluster.objects.get('PersistentVolumeClaim')).toMatchObject([
      { metadata: { name: 'data-web-0', labels: { tier: 'db', app: 'web' } }, spec: { storageClassName: 'fast' } },
    ]);
    expect(pending[0]?.spec).toMatchObject({
      hostname: 'web-0',
      subdomain: 'db',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } }],
    });
  });

  test('two workloads of one name do not share Pods', () => {
    expect(ids([workload('Deployment', { replicas: 2 }), workload('StatefulSet', { replicas: 2 })])).toEqual([
      'default/web-2',
      'default/web-3',
      'default/web-0',
      'default/web-1',
    ]);
  });

  test('the numbers of many workloads of one name go on, without each Pod trying all before it', () => {
    const many = Array.from({ length: 10 }, () => workload('Deployment', { replicas: 200 }));
    const asked = vi.spyOn(Set.prototype, 'has');
    const made = ids(many);
    const tries = asked.mock.calls.filter(([it]) => /^Pod\/default\/web-\d+$/.test(String(it))).length;
    asked.mockRestore();
    expect(made).toEqual(Array.from({ length: 2_000 }, (_, i) => `default/web-${i + 1}`));
    // Its own number and the one that is free.
    expect(tries).toBeGreaterThanOrEqual(2_000);
    expect(tries).toBeLessThanOrEqual(2 * 2_000 + 10 * 200);
  });

  test('a custom resource named Job makes no Pods', () => {
    expect(ids([{ ...workload('Job', {}), apiVersion: 'batch.volcano.sh/v1alpha1' }])).toEqual([]);
  });

  test('Pods beyond the limit are left out with a note', () => {
    const found = scenarioFromObjects([workload('Deployment', { replicas: 1_000_000 })]);
    expect(found.pending).toHaveLength(10_000);
    expect(found.notes).toEqual([{ message: 'Deployment web lacks 1000000 Pods; only the first 10000 are placed.' }]);
  });

  test('a DaemonSet skips nodes whose taints its Pods do not tolerate', () => {
    const pods = scenarioFromObjects([...defaultClusterObjects(), workload('DaemonSet', {})]).pending;
    expect(pods).toHaveLength(6);
  });

  test('an option disables it', () => {
    const options = { apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', expandWorkloads: false };
    expect(ids([workload('Deployment', { replicas: 2 }), options])).toEqual([]);
  });

  test('a template that names a node binds its Pods, and the scheduler gets none', () => {
    const template = { spec: { nodeName: 'n1', containers: [{ name: 'main' }] } };
    const made = workload('Deployment', { replicas: 1 });
    const { pending, cluster } = scenarioFromObjects([{ ...made, spec: { ...(made.spec as object), template } }]);
    expect([pending.length, cluster.running.map(it => it.nodeName)]).toEqual([0, ['n1']]);
  });

  test('usage is read as quantities, and what is none is reported', () => {
    const read = (usage: unknown) =>
      scenarioFromObjects([{ apiVersion: 'berth.dev/v1alpha1', kind: 'ScenarioOptions', usage }]);
    const { options, notes } = read([{ workload: 'Deployment/web', cpu: [1, '200m'], memory: '1Ki' }]);
    expect(options.usage).toEqual([{ workload: 'Deployment/web', cpu: [1000, 200], memory: [1024] }]);
    expect(notes).toEqual([]);
    for (const wrong of [
      { cpu: 1 },
      { workload: 'Deployment/web', cpu: 'much' },
      { workload: 'Deployment/web', cpu: [] },
      3,
    ]) {
      const { options: without, notes: said } = read([wrong]);
      expect(without.usage).toEqual([]);
      expect(said[0]?.message).toMatch(/^ScenarioOptions: an item of usage /);
    }
  });
});

describe('defaults and admission', () => {
  const pod = (spec: object, more: object = {}): UnknownObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', labels: { app: 'web', rev: '7' } },
    spec: { containers: [{ name: 'main' }], ...spec },
    ...more,
  });
  const admitted = (...objects: readonly UnknownObject[]) => scenarioFromObjects(objects);

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

  test('the default priority class sets priority and policy', () => {
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

  test('a RuntimeClass adds overhead, selector and tolerations', () => {
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

  test('finished Pods are left out, and a missing namespace is added', () => {
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

test('of two objects of one name the first counts, and a note says so', () => {
  const pod = (name: string, image: string): UnknownObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { containers: [{ name: 'main', image }] },
  });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
  const elsewhere = { ...pod('web', 'app:3'), metadata: { name: 'web', namespace: 'team' } };
  const found = scenarioFromObjects([node, pod('web', 'app:1'), elsewhere, pod('web', 'app:2'), node]);
  expect(found.pending.map(it => [it.id, it.spec.containers?.[0]?.image])).toEqual([
    ['default/web', 'app:1'],
    ['team/web', 'app:3'],
  ]);
  expect(found.cluster.nodes).toHaveLength(1);
  expect(found.notes.map(it => it.message)).toEqual([
    'There are several objects Pod default/web; the first counts.',
    'There are several objects Node n1; the first counts.',
  ]);
});
