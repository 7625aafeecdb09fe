import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { loadKube } from '../../../server/src/kube/load';
import { answerOf } from '../../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../../support/packs';

type Gates = Readonly<Record<string, boolean>>;

function answer(object: JsonObject, minor: string, gates: Gates) {
  const kube = loadKube(minor, gates, readPack);
  return answerOf(object, kube.kindOf(String(object.apiVersion), String(object.kind)), kube);
}

const dropped = (object: JsonObject, minor = '1.37', gates: Gates = {}) =>
  answer(object, minor, gates)
    ?.dropped.map(it => it.toString())
    .sort();

const app: JsonObject = { name: 'app', image: 'app' };
const pod = (spec: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [app], ...spec },
});
const claimSpec = { accessModes: ['ReadWriteOnce'], volumeAttributesClassName: 'gold' };

test.each<[JsonObject, readonly string[]]>([
  [{}, []],
  [{ status: { poolCount: 0, pools: [] } }, ['status']],
])('the status of a request for the state of pools is the server\u2019s: %o', (rest, fields) => {
  const request = {
    apiVersion: 'resource.k8s.io/v1alpha3',
    kind: 'ResourcePoolStatusRequest',
    metadata: { name: 'a' },
  };
  expect(dropped({ ...request, spec: { driver: 'a.example.com' }, ...rest })).toEqual(fields);
});

describe('fields whose gate is off', () => {
  const rows: readonly (readonly [string, JsonObject, string, Gates, readonly string[]])[] = [
    ['alpha', pod({ hostUsers: false }), '1.31', {}, ['spec.hostUsers']],
    ['alpha, turned on', pod({ hostUsers: false }), '1.31', { UserNamespacesSupport: true }, []],
    ['stable since', pod({ hostUsers: false }), '1.37', {}, []],
    ['said, but with nothing in it', pod({ schedulingGroup: {} }), '1.37', {}, []],
    [
      'in a template',
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [app], schedulingGroup: { podGroupName: 'a' } } } },
      },
      '1.37',
      {},
      ['spec.template.spec.schedulingGroup'],
    ],
    [
      'of a volume in an attachment, which is stored as it is',
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'a' },
        spec: { attacher: 'a', nodeName: 'n', source: { inlineVolumeSpec: { volumeAttributesClassName: 'gold' } } },
      },
      '1.33',
      {},
      [],
    ],
    [
      'of the first source of a volume only',
      pod({ volumes: [{ name: 'a', secret: { defaultUser: 1 }, configMap: { name: 'a', defaultUser: 1 } }] }),
      '1.37',
      {},
      ['spec.volumes[0].secret.defaultUser'],
    ],
    [
      'of every source of a volume, where they are no users',
      pod({
        volumes: [
          {
            name: 'a',
            secret: { secretName: 'a' },
            projected: {
              defaultUser: 1,
              sources: [{ configMap: { name: 'a' }, podCertificate: { signerName: 'a.io/a' } }],
            },
          },
        ],
      }),
      '1.37',
      { PodCertificateRequest: false },
      ['spec.volumes[0].projected.sources[0].podCertificate'],
    ],
    [
      'of a claim',
      { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' }, spec: claimSpec },
      '1.33',
      {},
      ['spec.volumeAttributesClassName'],
    ],
    [
      'of a claim in a template, which the server keeps for later',
      pod({ volumes: [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec: claimSpec } } }] }),
      '1.33',
      {},
      [],
    ],
    [
      'of a Job in a CronJob, which kept them at first',
      {
        apiVersion: 'batch/v1',
        kind: 'CronJob',
        metadata: { name: 'nightly' },
        spec: { jobTemplate: { spec: { managedBy: 'example.com/queue', template: { spec: { hostUsers: false } } } } },
      },
      '1.31',
      {},
      ['spec.jobTemplate.spec.template.spec.hostUsers'],
    ],
  ];
  test.each(rows)('%s', (_, object, minor, gates, expected) => {
    expect(dropped(object, minor, gates)).toEqual(expected);
  });
});

describe('fields that depend on more than a gate', () => {
  test('an init container stays a sidecar without the gate of restart rules', () => {
    const spec = {
      containers: [{ ...app, restartPolicy: 'Never' }],
      initContainers: [
        { ...app, name: 'sidecar', restartPolicy: 'Always' },
        { ...app, name: 'once', restartPolicy: 'Never' },
      ],
    };
    expect(dropped(pod(spec), '1.34')).toEqual([
      'spec.containers[0].restartPolicy',
      'spec.initContainers[1].restartPolicy',
    ]);
    expect(dropped(pod(spec), '1.31', { SidecarContainers: false })).toEqual([
      'spec.initContainers[0].restartPolicy',
      'spec.initContainers[1].restartPolicy',
    ]);
  });

  test('image volumes are dropped with their mounts', () => {
    const volumes = [
      { name: 'model', image: { reference: 'model' } },
      { name: 'scratch', emptyDir: {} },
    ];
    const mounts = [
      { name: 'model', mountPath: '/a' },
      { name: 'scratch', mountPath: '/b' },
    ];
    const object = pod({ containers: [{ ...app, volumeMounts: mounts }], volumes });
    expect(dropped(object, '1.33')).toEqual(['spec.containers[0].volumeMounts[0]', 'spec.volumes[0]']);
    expect(dropped(object, '1.35')).toEqual([]);
    const alone = pod({ containers: [{ ...app, volumeMounts: mounts.slice(0, 1) }], volumes: volumes.slice(0, 1) });
    expect(dropped(alone, '1.33')).toEqual(['spec.containers[0].volumeMounts', 'spec.volumes']);
    expect(answer(alone, '1.33', {})?.errors).toEqual([]);
  });

  test('an invalid procMount is not checked without its gate', () => {
    const object = pod({ containers: [{ ...app, securityContext: { procMount: 'Nothing' } }] });
    expect(answer(object, '1.31', {})?.errors).toEqual([]);
    expect(answer(object, '1.37', {})?.errors.map(it => it.type)).toEqual(['FieldValueNotSupported']);
  });

  test('a status is dropped if it is not the initial one', () => {
    const guaranteed = { cpu: '1', memory: '1Gi' };
    const started = (qosClass: string, resources: JsonObject) => ({
      ...pod({ containers: [{ ...app, resources }] }),
      status: { phase: 'Pending', qosClass },
    });
    expect(dropped(started('BestEffort', {}))).toEqual([]);
    expect(dropped(started('Burstable', { limits: guaranteed, requests: { cpu: '500m' } }))).toEqual([]);
    expect(dropped(started('Guaranteed', { limits: guaranteed }))).toEqual([]);
    expect(dropped(started('BestEffort', { limits: guaranteed }))).toEqual(['status']);
  });
});

test('a gate that is on only among servers of one minor counts as off', () => {
  expect(loadKube('1.37', {}, readPack).isGateOn('DRAFractionalCapacityRange')).toBe(false);
});

describe('warnings that came later', () => {
  const warnings = (object: JsonObject, minor: string) => answer(object, minor, {})?.warnings;
  const ports = (name: string) => ({ ...app, name, ports: [{ name: 'http', containerPort: name.length }] });
  const samePortName = pod({ containers: [ports('a'), ports('bb')] });
  const overlapping = pod({
    volumes: [
      {
        name: 'a',
        configMap: {
          name: 'a',
          items: [
            { key: 'a', path: 'x' },
            { key: 'b', path: 'x' },
          ],
        },
      },
    ],
  });
  const gitRepo = pod({ volumes: [{ name: 'a', gitRepo: { repository: 'a' } }] });

  test.each([
    ['1.32', samePortName, 0],
    ['1.33', samePortName, 1],
    ['1.31', overlapping, 0],
    ['1.32', overlapping, 1],
  ] as const)('%s', (minor, object, count) => {
    expect(warnings(object, minor)).toHaveLength(count);
  });

  test('the message about gitRepo depends on its gate', () => {
    expect(warnings(gitRepo, '1.32')).toEqual(['spec.volumes[0].gitRepo: deprecated in v1.11']);
    expect(warnings(gitRepo, '1.33')).toEqual([
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
    ]);
  });
});
