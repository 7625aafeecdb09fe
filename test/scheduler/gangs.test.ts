import { describe, expect, test } from 'vitest';
import type { UnknownObject } from '../../server/src/base/json';
import { runScenario } from '../../server/src/scheduler/scenario';
import { isGateOn } from './support';

const node = (cpu: string): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  status: { capacity: { cpu, memory: '16Gi', pods: '110' } },
});

const podGroup = (name: string, spec: unknown, apiVersion = 'scheduling.k8s.io/v1beta1'): UnknownObject => ({
  apiVersion,
  kind: 'PodGroup',
  metadata: { name },
  spec,
});

const pod = (name: string, spec: UnknownObject, metadata: UnknownObject = {}): UnknownObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: {
    containers: [{ name: 'main', image: 'app:1', resources: { requests: { cpu: '1' } } }],
    ...spec,
  },
});

const member = (name: string, group: string, spec: UnknownObject = {}): UnknownObject =>
  pod(name, { ...spec, schedulingGroup: { podGroupName: group } });

const run = (objects: readonly UnknownObject[], featureGates: Record<string, boolean>, kubernetesVersion = '1.37') =>
  runScenario(objects, { kubernetesVersion, isGateOn, featureGates });

const on = { GenericWorkload: true };

describe('groups in the result', () => {
  const high = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name: 'high' }, value: 10 };
  const gang = podGroup('g', { schedulingPolicy: { gang: { minCount: 2 } }, priorityClassName: 'high' });
  const members = ['g-0', 'g-1'].map(it => member(it, 'g', { priorityClassName: 'high' }));
  const victim = pod('low', { nodeName: 'n1' });

  test('each attempt names its group, and the group names its victims', () => {
    const { attempts, groups, evicted } = run([node('2'), high, gang, victim, ...members], on);
    expect(attempts.map(it => [it.pod, it.attempt, it.group, it.status])).toEqual([
      ['default/g-0', 1, 'default/g', 'superseded'],
      ['default/g-1', 1, 'default/g', 'superseded'],
      ['default/g-0', 2, 'default/g', 'unschedulable'],
      ['default/g-1', 2, 'default/g', 'unschedulable'],
      ['default/g-0', 3, 'default/g', 'scheduled'],
      ['default/g-1', 3, 'default/g', 'scheduled'],
    ]);
    expect(groups?.map(it => [it.status, it.victims])).toEqual([
      ['unschedulable', ['default/low']],
      ['scheduled', undefined],
    ]);
    expect(evicted).toEqual(['default/low']);
  });

  test('without the gate each Pod is scheduled alone, and a note says so', () => {
    const { attempts, groups, notes } = run([node('1'), high, gang, ...members], {});
    expect(attempts.map(it => [it.status, it.group])).toEqual([
      ['scheduled', undefined],
      ['unschedulable', undefined],
    ]);
    expect(groups).toBeUndefined();
    expect(notes.map(it => it.message).join()).toContain('GenericWorkload is off');
  });

  test('fields that are not simulated are noted', () => {
    const below = podGroup('g', { schedulingPolicy: { basic: {} }, parentCompositePodGroupName: 'all' });
    const gates = { ...on, TopologyAwareWorkloadScheduling: true, CompositePodGroup: true };
    const notesOn = (version: string): string =>
      run([node('4'), below, member('g-0', 'g')], gates, version)
        .notes.map(it => it.message)
        .join('\n');
    expect(notesOn('1.37')).toContain('CompositePodGroups are not simulated');
    expect(notesOn('1.36')).toContain('as kube-scheduler 1.37 decides them');
    expect(notesOn('1.37')).not.toContain('as kube-scheduler 1.37 decides them');
  });
});

describe('malformed groups', () => {
  const specs: readonly unknown[] = [
    undefined,
    null,
    'gang',
    [],
    { schedulingPolicy: 'gang', minMember: 'three', minResources: 7, queue: {}, priorityClassName: {} },
    { schedulingPolicy: { gang: null }, disruptionMode: 5, schedulingConstraints: { topology: {} }, minMember: -1 },
    { schedulingPolicy: { gang: { minCount: 'two' } }, schedulingConstraints: { topology: [null] }, minMember: 1.5 },
    { minMember: 1, minResources: { cpu: 'much', memory: null }, scheduleTimeoutSeconds: 'soon' },
  ];
  const apiVersions = [
    'scheduling.k8s.io/v1beta1',
    'scheduling.x-k8s.io/v1alpha1',
    'scheduling.volcano.sh/v1beta1',
    'scheduling.incubator.k8s.io/v1alpha1',
  ];
  const configuration = {
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [{ plugins: { multiPoint: { enabled: [{ name: 'Coscheduling' }] } }, pluginConfig: 'none' }],
  };

  test.each(specs.map(it => [JSON.stringify(it), it]))('a PodGroup of spec %s never throws', (_, spec) => {
    const groups = apiVersions.flatMap((it, i) => [
      podGroup(`g${i}`, spec, it),
      { ...podGroup('', spec, it), metadata: null },
    ]);
    const pods = [
      member('native', 'g0'),
      pod('sibling', {}, { labels: { 'scheduling.x-k8s.io/pod-group': 'g1' } }),
      pod('task', { schedulerName: 'volcano' }, { annotations: { 'scheduling.volcano.sh/group-name': 'g2' } }),
      pod('old', { schedulerName: 'kube-batch' }, { annotations: { 'scheduling.k8s.io/group-name': 'g3' } }),
      pod('odd', { schedulingGroup: 'g0', schedulerName: 'volcano' }, { annotations: 3, labels: [] }),
    ];
    const gates = { ...on, TopologyAwareWorkloadScheduling: true };
    const { attempts } = run([node('8'), configuration, ...groups, ...pods] as UnknownObject[], gates);
    expect(attempts.length).toBeGreaterThanOrEqual(4);
  });

  test.each([
    null,
    [],
    { tasks: 'all' },
    { tasks: [null, 3, { replicas: 'two', template: [] }] },
    { tasks: [{ replicas: -1 }] },
  ])('a Job of Volcano of spec %j never throws', spec => {
    const job = { apiVersion: 'batch.volcano.sh/v1alpha1', kind: 'Job', metadata: { name: 'j' }, spec };
    expect(() => run([node('8'), job] as UnknownObject[], on)).not.toThrow();
  });
});
