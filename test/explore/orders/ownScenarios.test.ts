import { describe, expect, it } from 'vitest';
import type { UnknownObject } from '../../../server/src/base/json';
import { ordersOfEnds } from './naive';
import { endText, explored, linesOf, node, type PodParts, pod, priorityClass } from './support';

const CLASSES = [
  priorityClass('low', 10),
  priorityClass('high', 100),
  { ...priorityClass('polite', 100), preemptionPolicy: 'Never' },
];

const of = (priorityClassName: string, rest: UnknownObject = {}): PodParts => ({
  spec: { priorityClassName, ...rest },
});

const labelled = (app: string, spec: UnknownObject = {}, cpu = 1): PodParts => ({ cpu, labels: { app }, spec });

const to = (app: string, topologyKey: string) => ({ labelSelector: { matchLabels: { app } }, topologyKey });

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const near = (app: string, topologyKey = 'zone') => ({
  affinity: { podAffinity: { [REQUIRED]: [to(app, topologyKey)] } },
});

const apart = (app: string, topologyKey = 'kubernetes.io/hostname') => ({
  affinity: { podAntiAffinity: { [REQUIRED]: [to(app, topologyKey)] } },
});

const zoneOf = (operator: string, ...values: readonly string[]) => ({
  matchExpressions: [{ key: 'zone', operator, ...(values.length > 0 && { values }) }],
});

const spread = (app: string, rest: UnknownObject = {}) => ({
  topologySpreadConstraints: [{ maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...to(app, 'zone'), ...rest }],
});

const tainted = (name: string, cpu: number, effect: string): UnknownObject => ({
  ...node(name, cpu),
  spec: { taints: [{ key: 'dedicated', value: 'x', effect }] },
});

const port = (hostPort: number): UnknownObject => ({
  containers: [
    { name: 'main', image: 'app', ports: [{ containerPort: 80, hostPort }], resources: { requests: { cpu: '1' } } },
  ],
});

const using = (claimName: string): UnknownObject => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});

function claim(name: string, accessMode: string, on: string): readonly UnknownObject[] {
  const nodeSelectorTerms = [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [on] }] }];
  const both = { accessModes: [accessMode], storageClassName: 'local' };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `volume-${name}`, annotations: { 'pv.kubernetes.io/bound-by-controller': 'yes' } },
      spec: {
        ...both,
        capacity: { storage: '1Gi' },
        claimRef: { kind: 'PersistentVolumeClaim', namespace: 'default', name, uid: name },
        nodeAffinity: { required: { nodeSelectorTerms } },
        local: { path: '/data' },
      },
      status: { phase: 'Bound' },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, uid: name, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { ...both, resources: { requests: { storage: '1Gi' } }, volumeName: `volume-${name}` },
      status: { phase: 'Bound', accessModes: [accessMode], capacity: { storage: '1Gi' } },
    },
  ];
}

function budget(name: string, app: string, disruptionsAllowed: number): UnknownObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { minAvailable: 1, selector: { matchLabels: { app } } },
    status: { disruptionsAllowed },
  };
}

const ownedBy = (kind: string, name: string, it: UnknownObject): UnknownObject => ({
  ...it,
  metadata: {
    ...(it.metadata as UnknownObject),
    ownerReferences: [{ apiVersion: 'batch/v1', kind, name, uid: name, controller: true }],
  },
});

const fitBy = (scoringStrategy: UnknownObject): UnknownObject => ({
  apiVersion: 'kubescheduler.config.k8s.io/v1',
  kind: 'KubeSchedulerConfiguration',
  profiles: [{ pluginConfig: [{ name: 'NodeResourcesFit', args: { scoringStrategy } }] }],
});

const CPU = [{ name: 'cpu', weight: 1 }];
const SCENARIOS: Readonly<Record<string, readonly UnknownObject[]>> = {
  'three priorities and two slots': [
    ...[node('n1', 1), node('n2', 1)],
    ...[pod('low1', of('low')), pod('low2', of('low')), pod('high', of('high')), pod('none')],
  ],
  'a Pod that preempts nobody': [node('n1', 2), pod('low', of('low')), pod('a', of('polite')), pod('b', of('high'))],
  'victims that a budget protects, and others': [
    ...[node('n1', 1), node('n2', 1), budget('kept', 'kept', 0)],
    pod('r1', { on: 'n1', labels: { app: 'kept' }, spec: { priorityClassName: 'low' } }),
    pod('r2', { on: 'n2', labels: { app: 'free' }, spec: { priorityClassName: 'low' } }),
    ...[pod('h1', of('high')), pod('h2', of('high'))],
  ],
  'victims that started at different times': [
    ...[node('n1', 2), node('n2', 2)],
    pod('old', { on: 'n1', cpu: 2, started: '2026-01-01T00:00:00Z', spec: { priorityClassName: 'low' } }),
    pod('young', { on: 'n2', cpu: 2, started: '2026-02-01T00:00:00Z', spec: { priorityClassName: 'low' } }),
    ...[pod('high', of('high')), pod('low', of('low')), pod('none')],
  ],
  'Pods that stay apart, one more than nodes': [
    ...[node('n1', 4), node('n2', 4)],
    ...['a', 'b', 'c'].map(it => pod(it, labelled('x', apart('x')))),
    pod('other'),
  ],
  'a Pod that keeps others off its zone': [
    ...[node('n1', 2, { zone: 'z1' }), node('n2', 2, { zone: 'z2' })],
    ...[pod('alone', labelled('x', apart('y', 'zone'))), pod('y1', labelled('y')), pod('y2', labelled('y'))],
  ],
  'a follower, and the Pod that it wants to be near': [
    ...[node('n1', 2, { zone: 'z1' }), node('n2', 1, { zone: 'z2' })],
    ...[pod('follower', labelled('f', near('leader'))), pod('leader', labelled('leader')), pod('big', { cpu: 2 })],
  ],
  'a group whose first Pod may go anywhere': [
    ...[node('n1', 2, { zone: 'z1' }), node('n2', 2, { zone: 'z2' })],
    ...['a', 'b', 'c'].map(it => pod(it, labelled('x', near('x')))),
  ],
  'preferred zones that pull apart': [
    ...[node('n1', 2, { zone: 'z1' }), node('n2', 2, { zone: 'z2' })],
    ...['z1', 'z2', 'z1'].map((zone, i) =>
      pod(`p${i}`, {
        cpu: i === 2 ? 2 : 1,
        spec: { affinity: { nodeAffinity: { [PREFERRED]: [{ weight: 100, preference: zoneOf('In', zone) }] } } },
      }),
    ),
  ],
  'zones that are required or refused': [
    ...[node('n1', 1, { zone: 'z1' }), node('n2', 1, { zone: 'z2' }), node('n3', 1)],
    ...[zoneOf('In', 'z1', 'z2'), zoneOf('NotIn', 'z1'), zoneOf('DoesNotExist')].map((term, i) =>
      pod(`p${i}`, { spec: { affinity: { nodeAffinity: { [REQUIRED]: { nodeSelectorTerms: [term] } } } } }),
    ),
  ],
  'a hard spread over zones of different size': [
    ...[node('n1', 3, { zone: 'z1' }), node('n2', 1, { zone: 'z2' })],
    ...['a', 'b', 'c'].map(it => pod(it, labelled('x', spread('x')))),
    pod('other', labelled('y')),
  ],
  'a spread that wants more zones than there are': [
    ...[node('n1', 3, { zone: 'z1' }), node('n2', 3, { zone: 'z2' })],
    ...['a', 'b', 'c'].map(it => pod(it, labelled('x', spread('x', { minDomains: 3 })))),
  ],
  'a soft spread that is given up for room': [
    ...[node('n1', 2, { zone: 'z1' }), node('n2', 1, { zone: 'z2' })],
    ...['a', 'b'].map(it => pod(it, labelled('x', spread('x', { whenUnsatisfiable: 'ScheduleAnyway' })))),
    pod('big', { cpu: 2 }),
  ],
  'taints that some tolerate': [
    ...[tainted('n1', 2, 'NoSchedule'), tainted('n2', 1, 'PreferNoSchedule'), node('n3', 1)],
    pod('tolerant', { cpu: 1, spec: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } }),
    ...[pod('a'), pod('b'), pod('c')],
  ],
  'ports of the host': [
    ...[node('n1', 3), node('n2', 1)],
    ...[pod('a', { spec: port(80) }), pod('b', { spec: port(80) }), pod('c', { spec: port(81) }), pod('d')],
  ],
  'local volumes, and Pods that take their nodes': [
    ...[node('n1', 1), node('n2', 1), ...claim('data', 'ReadWriteOnce', 'n1')],
    ...[pod('db', { spec: using('data') }), pod('a'), pod('b')],
  ],
  'a claim for one Pod at a time': [
    ...[node('n1', 3), node('n2', 3), ...claim('alone', 'ReadWriteOncePod', 'n1')],
    ...[pod('a', { spec: using('alone') }), pod('b', { spec: using('alone') }), pod('c')],
  ],
  'a claim for one Pod at a time that preemption takes': [
    ...[node('n1', 3), node('n2', 3), ...claim('alone', 'ReadWriteOncePod', 'n1')],
    ...[pod('a', of('low', using('alone'))), pod('b', of('high', using('alone'))), pod('c')],
  ],
  'Pods that a gate holds': [
    node('n1', 2),
    ...[pod('held', { spec: { schedulingGates: [{ name: 'example.com/wait' }] } }), pod('a'), pod('b', { cpu: 2 })],
  ],
  'nodes that are filled one after the other': [
    ...[node('n1', 3), node('n2', 3), fitBy({ type: 'MostAllocated', resources: CPU })],
    ...[pod('big', { cpu: 3 }), pod('a'), pod('b', { cpu: 2 }), pod('c')],
  ],
  'nodes that are filled up to a half': [
    ...[node('n1', 4), node('n2', 4)],
    fitBy({
      type: 'RequestedToCapacityRatio',
      resources: CPU,
      requestedToCapacityRatio: {
        shape: [0, 50, 100].map(utilization => ({ utilization, score: utilization === 50 ? 10 : 0 })),
      },
    }),
    ...[pod('big', { cpu: 3 }), pod('a'), pod('b', { cpu: 2 }), pod('c')],
  ],
  'a Pod that its status nominates to a node': [
    ...[node('n1', 1), node('n2', 1)],
    ...[pod('nominated', { status: { nominatedNodeName: 'n2' } }), pod('a'), pod('b')],
  ],
  'Jobs of two Pods that need three slots for both': [
    ...[node('n1', 1), node('n2', 2)],
    ...['x', 'y'].flatMap(it => [1, 2].map(nth => ownedBy('Job', it, pod(`${it}${nth}`, { labels: { job: it } })))),
  ],
  'a quota with room for all': [
    ...[node('n1', 1), node('n2', 1)],
    { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'few' }, spec: { hard: { pods: '3' } } },
    ...[pod('a'), pod('b'), pod('c')],
  ],
};

describe('an enumeration of all permutations finds the same outcomes, as often', () => {
  it.each(Object.entries(SCENARIOS))('%s', (_, objects) => {
    const found = explored([...CLASSES, ...objects]);
    const known = ordersOfEnds([...CLASSES, ...objects]);
    expect(linesOf(found)).toEqual([...known].map(([end, orders]) => `${orders.length}: ${end}`).sort());
    for (const it of found.outcomes) expect(known.get(endText(it))).toContain(it.witness.join());
  });

  it('is of use: most of them may end in several ways', () => {
    const several = Object.values(SCENARIOS).filter(it => explored([...CLASSES, ...it]).outcomes.length > 1);
    expect(several.length).toBeGreaterThan(Object.keys(SCENARIOS).length / 2);
  });
});
