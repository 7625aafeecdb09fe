import { describe, expect, test } from 'vitest';
import type { JsonObject, UnknownObject } from '../../server/src/base/json';
import { scenarioFromObjects } from '../../server/src/cluster/scenario';
import { loadKube } from '../../server/src/kube/load';
import { invalidityOf } from '../../server/src/rules/apiserver/invalidity';
import { readPack } from '../support/packs';

const pod = (name: string, spec: object, more: object = {}): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'main' }], ...spec },
  ...more,
});

const withResources = (requests: object, limits?: object): object => ({
  containers: [{ name: 'main', resources: { requests, ...(limits && { limits }) } }],
});

const limitRange = (...limits: readonly object[]): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'bounds' },
  spec: { limits },
});

const quota = (hard: object, more: object = {}): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'budget' },
  spec: { hard, ...more },
});

const refusals = (...objects: readonly UnknownObject[]): readonly string[] =>
  scenarioFromObjects(objects).rejected.map(it => it.message);

describe('LimitRanger', () => {
  test('Pods are compared with 20 LimitRanges that differ, and the placement says so', () => {
    const max = (cpu: number): UnknownObject => limitRange({ type: 'Container', max: { cpu: `${cpu}` } });
    const ranges = Array.from({ length: 22 }, (_, i) => max(99 - i));
    const asked = (cpu: number): UnknownObject => pod(`cpu${cpu}`, withResources({ cpu }, { cpu }));
    const found = scenarioFromObjects([...ranges, max(99), asked(81), asked(79)]);
    expect(found.rejected.map(it => it.id)).toEqual(['default/cpu81']);
    expect(found.notes.map(it => it.message)).toEqual([
      'Pods of the namespace default are compared with 20 of its LimitRanges, and not with 2 more.',
    ]);
  });

  test('fills requests from the default request, else the default limit, else the minimum', () => {
    const range = limitRange({
      type: 'Container',
      default: { cpu: '1', memory: '1Gi' },
      defaultRequest: { cpu: '300m' },
      min: { 'ephemeral-storage': '1Gi' },
    });
    const [found] = scenarioFromObjects([range, pod('p', {})]).pending;
    expect(found?.requests).toMatchObject({ milliCpu: 300, memory: 2 ** 30, ephemeralStorage: 2 ** 30 });
  });

  test.each([
    [
      { min: { cpu: '200m' } },
      withResources({ cpu: '100m' }),
      'minimum cpu usage per Container is 200m, but request is 100m',
    ],
    [
      { max: { cpu: '1' } },
      withResources({ cpu: '1500m' }, { cpu: '1500m' }),
      'maximum cpu usage per Container is 1, but limit is 1500m',
    ],
    [
      { maxLimitRequestRatio: { memory: '2' } },
      withResources({ memory: '64Mi' }, { memory: '513Mi' }),
      'memory max limit to request ratio per Container is 2, but provided ratio is 8.015625',
    ],
    [
      { maxLimitRequestRatio: { memory: '2' } },
      withResources({ memory: '64Mi' }, { memory: '512.5Mi' }),
      // Go's %f rounds halves to even.
      'memory max limit to request ratio per Container is 2, but provided ratio is 8.007812',
    ],
    [
      { min: { cpu: '2' }, maxLimitRequestRatio: { memory: '2' } },
      withResources({ cpu: '1' }),
      '[minimum cpu usage per Container is 2, but request is 1, memory max limit to request ratio per Container is 2, but no request is specified or request is 0]',
    ],
  ])('%j refuses %j', (item, spec, why) => {
    expect(refusals(limitRange({ type: 'Container', ...item }), pod('p', spec))).toEqual([
      `pods "p" is forbidden: ${why}`,
    ]);
  });

  describe('leaves it to validation to refuse what its defaults make of a Pod', () => {
    const kube = loadKube('1.37', {}, readPack);
    const validated = (range: UnknownObject, spec: object): readonly string[] =>
      scenarioFromObjects([range, pod('p', spec)], {
        invalidityOf: (requested, made) => invalidityOf(requested as JsonObject, made as JsonObject, kube)?.text,
      }).rejected.map(it => it.message);
    const of = (container: object, more: object = {}): object => ({
      containers: [{ name: 'main', image: 'i', ...container }],
      ...more,
    });
    const cpu = limitRange({ type: 'Container', default: { cpu: '500m' } });
    const tooHigh = (at: string, request: string) =>
      `spec.${at}.resources.requests: Invalid value: "${request}": must be less than or equal to cpu limit of 500m`;
    const requests = (amount: string) => ({ resources: { requests: { cpu: amount } } });
    const init = [{ name: 'init', image: 'i', ...requests('600m') }];

    test.each<[string, UnknownObject, object, string | undefined]>([
      ['a request above the limit', cpu, of(requests('2')), tooHigh('containers[0]', '2')],
      [
        'an init container, too',
        cpu,
        of(requests('2'), { initContainers: init }),
        `[${tooHigh('containers[0]', '2')}, ${tooHigh('initContainers[0]', '600m')}]`,
      ],
      ['a request of the limit', cpu, of(requests('500m')), undefined],
      // What the Pod says itself is told by the rules of its own fields.
      [
        'a Pod that is not valid as written',
        cpu,
        of({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
        undefined,
      ],
      [
        'resources of the Pod below those of its containers',
        cpu,
        of({}, { resources: { limits: { cpu: '200m' }, requests: { cpu: '50m' } } }),
        '[spec.resources.requests[cpu]: Invalid value: "50m": must be greater than or equal to aggregate container requests of 500m, spec.resources.containers[0][cpu].limits: Invalid value: "500m": must be less than or equal to pod limits of 200m]',
      ],
    ])('%s', (_, range, spec, text) => {
      expect(validated(range, spec)).toEqual(text === undefined ? [] : [`Pod "p" is invalid: ${text}`]);
    });
  });

  test('limits a Pod by the sum of its containers and sidecars', () => {
    const range = limitRange({ type: 'Pod', max: { cpu: '1' } });
    const side = { name: 'side', restartPolicy: 'Always', resources: { limits: { cpu: '600m' } } };
    expect(refusals(range, pod('p', { ...withResources({}, { cpu: '600m' }), initContainers: [side] }))).toEqual([
      'pods "p" is forbidden: maximum cpu usage per Pod is 1, but limit is 1200m',
    ]);
  });

  test('ignores Pods that were admitted before', () => {
    const range = limitRange({ type: 'Container', max: { cpu: '1' } });
    const running = pod('runs', { ...withResources({ cpu: '2' }), nodeName: 'n' });
    expect(refusals(range, running, pod('waits', { ...withResources({ cpu: '2' }), priority: 0 }))).toEqual([]);
  });

  test('refuses a claim that is too large, which then does not exist', () => {
    const range = limitRange({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } });
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { resources: { requests: { storage: '2Gi' } } },
    };
    const found = scenarioFromObjects([range, claim]);
    expect(found.cluster.storage.claims.size).toBe(0);
    expect(found.notes).toEqual([
      {
        message:
          'persistentvolumeclaims "data" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi, so there is no such claim.',
      },
    ]);
  });
});

describe('ResourceQuota', () => {
  test('counts running Pods, then admits Pods one after another', () => {
    const running = pod('runs', { ...withResources({ cpu: '1' }), nodeName: 'n' });
    const found = refusals(
      quota({ 'requests.cpu': '2' }),
      pod('a', withResources({ cpu: '600m' })),
      pod('b', withResources({ cpu: '600m' })),
      pod('c', withResources({ cpu: '400m' })),
      running,
    );
    expect(found).toEqual([
      'pods "b" is forbidden: exceeded quota: budget, requested: requests.cpu=600m, used: requests.cpu=1600m, limited: requests.cpu=2',
    ]);
  });

  test('a quota of cpu or memory requires a value from each container', () => {
    const containers = [{ name: 'web' }, { name: 'side', resources: { requests: { cpu: '1' } } }];
    expect(refusals(quota({ cpu: '4', 'limits.memory': '1Gi' }), pod('p', { containers }))).toEqual([
      'pods "p" is forbidden: failed quota: budget: must specify cpu for: web; limits.memory for: side,web',
    ]);
  });

  test.each([
    [{ scopes: ['BestEffort'] }, withResources({ cpu: '1' }), []],
    [{ scopes: ['NotBestEffort'] }, withResources({ cpu: '1' }), ['p']],
    [{ scopes: ['Terminating'] }, {}, []],
    [{ scopes: ['Terminating'] }, { activeDeadlineSeconds: 5 }, ['p']],
    [{ scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }] } }, {}, ['p']],
    [
      { scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['x'] }] } },
      { priorityClassName: 'system-node-critical' },
      [],
    ],
  ])('scope %j takes %j: %j', (scope, spec, expected) => {
    const found = scenarioFromObjects([quota({ pods: '0' }, scope), pod('p', spec)]);
    expect(found.rejected.map(it => it.source.metadata?.name)).toEqual(expected);
  });

  test.each([
    ['of the quotas that it exceeds, the first one by name', { z: '1', c: '1', b: '2', a: '9' }, 'c', 1],
    ['not a quota that allows less and is not reached', { b: '0', a: '0' }, 'a', 0],
    ['a quota that allows no less than another', { b: '1', a: '1' }, 'a', 1],
  ])('a refusal names %s', (_, pods, name, used) => {
    const quotas = Object.entries(pods).map(([name, it]) => ({ ...quota({ pods: it }), metadata: { name } }));
    const [first] = refusals(...quotas, ...['p', 'q', 'r'].map(it => pod(it, {}))).slice(used === 0 ? 0 : -1);
    expect(first).toContain(`exceeded quota: ${name}, requested: pods=1, used: pods=${used}, limited:`);
  });

  test('quotas of 50 scopes are looked at, and the placement says so', () => {
    const quotas = Array.from({ length: 52 }, (_, i) => {
      const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [`c${i}`] }] };
      return { ...quota({ pods: '0' }, { scopeSelector }), metadata: { name: `q${10 + i}` } };
    });
    const classes = [0, 49, 50].map(i => ({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: `c${i}` },
      value: 1,
    }));
    const pods = [0, 49, 50].map(i => pod(`p${i}`, { priorityClassName: `c${i}` }));
    const found = scenarioFromObjects([...quotas, ...classes, ...pods]);
    expect(found.rejected.map(it => it.id)).toEqual(['default/p0', 'default/p49']);
    expect(found.notes.map(it => it.message)).toEqual([
      'The quotas of the namespace default have more than 50 scopes that differ: 2 quotas are left out.',
    ]);
  });

  test('quotas of other scopes and with counts of their own count apart', () => {
    const named = (name: string, pods: string, more: object, used?: string): UnknownObject => ({
      ...quota({ pods }, more),
      metadata: { name },
      ...(used !== undefined && { status: { used: { pods: used } } }),
    });
    const found = refusals(
      named('d', '4', {}, '2'),
      named('c', '3', {}),
      named('b', '2', { scopes: ['NotTerminating'] }),
      named('a', '1', { scopes: ['Terminating'] }),
      ...['p', 'q', 'r'].map(it => pod(it, {})),
      ...['s', 't'].map(it => pod(it, { activeDeadlineSeconds: 9 })),
    );
    expect(found.map(it => it.replace(' is forbidden: exceeded quota:', ''))).toEqual([
      'pods "r" b, requested: pods=1, used: pods=2, limited: pods=2',
      'pods "s" d, requested: pods=1, used: pods=4, limited: pods=4',
      'pods "t" d, requested: pods=1, used: pods=4, limited: pods=4',
    ]);
  });

  test('the quota’s own count is used where it is higher', () => {
    const own = { ...quota({ pods: '3' }), status: { hard: { pods: '3' }, used: { pods: '3' } } };
    expect(refusals(own, pod('p', {}))).toEqual([
      'pods "p" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=3, limited: pods=3',
    ]);
  });

  test('of a workload one Pod reports the controller’s refusal', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'many' },
      spec: { parallelism: 5, template: { spec: { containers: [{ name: 'main' }] } } },
    };
    const found = scenarioFromObjects([quota({ pods: '2' }), job]);
    expect(found.pending).toHaveLength(2);
    expect(found.rejected.map(it => it.message)).toEqual([
      'Error creating: pods "many-3" is forbidden: exceeded quota: budget, requested: pods=1, used: pods=2, limited: pods=2',
    ]);
    expect(found.notes).toEqual([{ message: 'Job many: 2 more of its Pods are not made either.' }]);
  });
});

describe('other plugins', () => {
  const runtime = (more: object): UnknownObject => ({
    apiVersion: 'node.k8s.io/v1',
    kind: 'RuntimeClass',
    metadata: { name: 'vm' },
    ...more,
  });

  test.each([
    [{ overhead: { cpu: '1' } }, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'],
    [
      { runtimeClassName: 'vm', overhead: { cpu: '1' } },
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    ],
    [
      { runtimeClassName: 'vm', nodeSelector: { vm: 'no' } },
      'conflict: runtimeClass.scheduling.nodeSelector[vm] = yes; pod.spec.nodeSelector[vm] = no',
    ],
  ])('a RuntimeClass contradicts %j', (spec, why) => {
    const vm = runtime({ overhead: { podFixed: { cpu: '250m' } }, scheduling: { nodeSelector: { vm: 'yes' } } });
    expect(refusals(vm, pod('p', spec))).toEqual([`pods "p" is forbidden: ${why}`]);
  });

  test('of two tolerations only the one that covers the other is kept', () => {
    const vm = runtime({ scheduling: { tolerations: [{ key: 'vm', operator: 'Exists' }] } });
    const tolerations = [{ key: 'vm', operator: 'Exists', effect: 'NoSchedule' }];
    const [found] = scenarioFromObjects([vm, pod('p', { runtimeClassName: 'vm', tolerations })]).pending;
    expect(found?.spec.tolerations?.filter(it => it.key === 'vm')).toEqual([{ key: 'vm', operator: 'Exists' }]);
  });

  test('a workload’s template must not set the priority value itself', () => {
    const job = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'once' },
      spec: { template: { spec: { priority: 5, containers: [{ name: 'main' }] } } },
    };
    expect(refusals(job)).toEqual([
      'Error creating: pods "once-1" is forbidden: the integer value of priority (5) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    ]);
  });

  const namespace = (annotations: object): UnknownObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', annotations },
  });
  const options = (more: object): UnknownObject => ({
    apiVersion: 'berth.dev/v1alpha1',
    kind: 'ScenarioOptions',
    ...more,
  });

  test('PodTolerationRestriction adds the namespace’s tolerations', () => {
    const annotated = namespace({
      'scheduler.alpha.kubernetes.io/defaultTolerations': '[{"key":"team","operator":"Exists"}]',
    });
    const keys = (...more: readonly UnknownObject[]): readonly (string | undefined)[] =>
      (scenarioFromObjects([annotated, pod('p', {}), ...more]).pending[0]?.spec.tolerations ?? []).map(it => it.key);
    expect(keys()).not.toContain('team');
    expect(keys(options({ enableAdmissionPlugins: ['PodTolerationRestriction'] }))).toContain('team');
  });

  test('PodTolerationRestriction refuses tolerations that the namespace does not allow', () => {
    const annotated = namespace({
      'scheduler.alpha.kubernetes.io/tolerationsWhitelist': '[{"key":"team","operator":"Exists"}]',
    });
    expect(
      refusals(annotated, pod('p', {}), options({ enableAdmissionPlugins: ['PodTolerationRestriction'] })),
    ).toEqual([
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    ]);
  });

  const on = (plugin: string): UnknownObject => options({ enableAdmissionPlugins: [plugin] });

  test('ExtendedResourceToleration tolerates the taint of a requested device', () => {
    const gpuPod = pod('p', withResources({}, { 'example.com/gpu': '1' }));
    const gpu = { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
    expect(scenarioFromObjects([gpuPod]).pending[0]?.spec.tolerations).not.toContainEqual(gpu);
    const found = scenarioFromObjects([gpuPod, on('ExtendedResourceToleration')]);
    expect(found.pending[0]?.spec.tolerations).toContainEqual(gpu);
  });

  test('PodNodeSelector adds the namespace’s node selector and refuses a conflict', () => {
    const annotated = namespace({ 'scheduler.alpha.kubernetes.io/node-selector': 'disk=ssd, zone = a' });
    const found = scenarioFromObjects([
      annotated,
      pod('p', { nodeSelector: { arch: 'arm' } }),
      pod('q', { nodeSelector: { zone: 'b' } }),
      on('PodNodeSelector'),
    ]);
    expect(found.pending[0]?.spec.nodeSelector).toEqual({ disk: 'ssd', zone: 'a', arch: 'arm' });
    expect(found.rejected.map(it => it.message)).toEqual([
      'pods "q" is forbidden: pod node label selector conflicts with its namespace node label selector',
    ]);
  });

  test('LimitPodHardAntiAffinityTopology refuses required anti-affinity over zones', () => {
    const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: {} };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    expect(refusals(pod('p', { affinity }), on('LimitPodHardAntiAffinityTopology'))).toEqual([
      'pods "p" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey topology.kubernetes.io/zone but only key kubernetes.io/hostname is allowed',
    ]);
  });

  test('a plugin can be disabled, and an unknown name is reported', () => {
    const disabled = options({ disableAdmissionPlugins: ['ResourceQuota', 'PodSecurity'], retry: 'sometimes' });
    const found = scenarioFromObjects([quota({ pods: '0' }), pod('p', {}), disabled]);
    expect(found.rejected).toEqual([]);
    expect(found.notes.map(it => it.message)).toEqual([
      'ScenarioOptions: retry is none of immediate, end, none; immediate counts.',
      expect.stringContaining('disableAdmissionPlugins names "PodSecurity", which is not simulated.'),
    ]);
  });
});
