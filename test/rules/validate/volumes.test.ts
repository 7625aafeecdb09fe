import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/src/base/json';
import { loadKube } from '../../../server/src/kube/load';
import { answerOf } from '../../../server/src/rules/apiserver/validate/engine';
import { readPack } from '../../support/packs';

type Minor = '1.36' | '1.37';

/** The errors as `path: text`, in alphabetical order. */
function errorsOf(object: JsonObject, minor: Minor = '1.37', gates: Readonly<Record<string, boolean>> = {}) {
  const kube = loadKube(minor, gates, readPack);
  const kind = kube.kindOf(String(object.apiVersion), String(object.kind));
  const errors = answerOf(object, kind, kube)?.errors ?? [];
  return errors.map(it => `${it.at}: ${it.detail || it.type}`).sort();
}

const containers = [{ name: 'app', image: 'app' }];

function podWith(volumes: readonly JsonObject[], name = 'web'): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers, volumes } };
}

function templateWith(volumes: readonly JsonObject[]): JsonObject {
  const template = { spec: { containers, volumes } };
  return { apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'web' }, template };
}

function persistentVolume(source: JsonObject, metadata: JsonObject = { name: 'disk' }): JsonObject {
  const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata, spec };
}

const portal = { targetPortal: '10.0.0.1:3260', lun: 0 };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const ephemeral = (spec: JsonObject, metadata: JsonObject = {}) => ({
  ephemeral: { volumeClaimTemplate: { metadata, spec } },
});

const sources: readonly (readonly [string, JsonObject, readonly string[]])[] = [
  ['nothing is an emptyDir', {}, []],
  [
    'emptyDir',
    { emptyDir: { sizeLimit: '-1' } },
    ['emptyDir.sizeLimit: SizeLimit field must be a valid resource quantity'],
  ],
  [
    'gitRepo',
    { gitRepo: { directory: '/x' } },
    ['gitRepo.directory: must be a relative path', 'gitRepo.repository: FieldValueRequired'],
  ],
  ['two sources', { downwardAPI: {}, emptyDir: {} }, ['downwarAPI: may not specify more than 1 volume type']],
  [
    'iscsi of no known format',
    { iscsi: { ...portal, iqn: 'abc' } },
    ['iscsi.iqn: must be valid format starting with iqn, eui, or naa'],
  ],
  ['iscsi with an iqn inside', { iscsi: { ...portal, iqn: 'iqn:iqn.2015-02.com.example:disk' } }, []],
  [
    'iscsi with a long portal',
    { iscsi: { targetPortal: 'p'.repeat(63), iqn: 'iqn.2015-02.a:b', initiatorName: 'iqn.2015-02.a:b' } },
    [
      'name: Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    ],
  ],
  ['a secret needs no namespace', { cinder: { volumeID: 'a', secretRef: { name: 'b' } } }, []],
  ['azureDisk is shared by default', { azureDisk: { diskName: 'a', diskURI: 'https://a' } }, []],
  [
    'downwardAPI tells of its items as a whole',
    { downwardAPI: { items: [{ path: '..a' }] } },
    ["downwardAPI.path: must not start with '..'", 'downwardAPI: one of fieldRef and resourceFieldRef is required'],
  ],
  [
    'a conflict of projected paths',
    {
      projected: {
        sources: [
          { secret: { name: 'a', items: [{ key: 'k', path: 'x' }] } },
          { podCertificate: { signerName: 'example.com/own', keyType: 'ED25519', keyPath: 'x' } },
        ],
      },
    },
    ['projected: conflicting duplicate paths'],
  ],
  [
    'a signer that allows a day',
    {
      projected: {
        sources: [
          {
            podCertificate: {
              signerName: 'kubernetes.io/own',
              keyType: 'ED25519',
              maxExpirationSeconds: 86401,
              keyPath: 'x',
            },
          },
        ],
      },
    },
    ['projected.sources[0].podCertificate.maxExpirationSeconds: if provided, maxExpirationSeconds must be <= 86400'],
  ],
  [
    'a bundle by name and signer',
    { projected: { sources: [{ clusterTrustBundle: { name: 'a', signerName: 'b.c/d', path: 'x' } }] } },
    ['projected.sources[0].clusterTrustBundle: only one of name and signerName may be used'],
  ],
  [
    'a claim template',
    ephemeral({ accessModes: [], resources: {} }, { name: 'mine', labels: { app: 'web' } }),
    [
      'ephemeral.volumeClaimTemplate.metadata.name: cannot be set',
      'ephemeral.volumeClaimTemplate.spec.accessModes: at least 1 access mode is required',
      'ephemeral.volumeClaimTemplate.spec.resources[storage]: FieldValueRequired',
    ],
  ],
  [
    'a Secret of a CSI driver',
    { csi: { driver: 'example.com', nodePublishSecretRef: {} } },
    ['csi.nodePublishSecretRef.name: FieldValueRequired'],
  ],
];

describe('the volumes of a Pod', () => {
  test.each(sources)('%s', (_, source, errors) => {
    const expected = errors.map(it => `spec.volumes[0].${it}`).sort();
    expect(errorsOf(podWith([{ name: 'data', ...source }]))).toEqual(expected);
  });

  test('the claim of an ephemeral volume may not be used by another volume', () => {
    const named = { name: 'other', persistentVolumeClaim: { claimName: 'web-data' } };
    expect(errorsOf(podWith([{ name: 'data', ...ephemeral(claim) }, named]))).toEqual([
      'spec.volumes[1].persistentVolumeClaim.claimName: must not reference a PVC that gets created for an ephemeral volume',
    ]);
  });

  test('the name of a claim must not be too long', () => {
    const errors = errorsOf(podWith([{ name: 'data', ...ephemeral(claim) }], 'w'.repeat(250)));
    expect(errors).toEqual([expect.stringMatching(/^spec\.volumes\[0\]\.name: PVC name "w+-data": must be no more/)]);
  });

  test('an image in a template may be empty before 1.37', () => {
    const open = templateWith([{ name: 'data', image: {} }]);
    expect(errorsOf(open, '1.36')).toEqual([]);
    expect(errorsOf(open, '1.37')).toEqual(['template.spec.volumes[0].image.reference: FieldValueRequired']);
  });

  test('equal messages are reported once since 1.37', () => {
    const secret = { secret: { name: 'a', items: [{ key: 'k', path: 'x' }] } };
    const thrice = podWith([{ name: 'data', projected: { sources: [secret, secret, secret] } }]);
    expect(errorsOf(thrice, '1.36')).toHaveLength(2);
    expect(errorsOf(thrice, '1.37')).toHaveLength(1);
  });

  test('users, modes and mount options are checked if their gates are on', () => {
    const volumes = [
      { name: 'data', secret: { secretName: 'a', defaultUser: -1, items: [{ key: 'k', path: 'p', user: 2 ** 31 }] } },
      { name: 'scratch', emptyDir: { mode: 0o2000 } },
      { name: 'tools', image: { reference: 'tools' } },
    ];
    const volumeMounts = [{ name: 'tools', mountPath: '/tools', bindMountOptions: ['noexec', 'noexec'] }];
    const pod = {
      ...podWith([]),
      spec: { containers: [{ name: 'app', image: 'app', volumeMounts }], volumes },
    };
    const gates = { AtomicWriteVolumeUserFields: true, EmptyDirVolumeMode: true, VolumeBindMountOptions: true };
    expect(errorsOf(pod)).toEqual([]);
    expect(errorsOf(pod, '1.37', gates)).toEqual([
      'spec.containers[0].volumeMounts[0].bindMountOptions: bindMountOptions may not be used with image volumes',
      'spec.containers[0].volumeMounts[0].bindMountOptions[1]: FieldValueDuplicate',
      'spec.volumes[0].secret.defaultUser: must be between 0 and 2147483647, inclusive',
      'spec.volumes[0].secret.items[0].user: must be between 0 and 2147483647, inclusive',
      'spec.volumes[1].emptyDir.mode: must be a number between 0 and 01777 (octal), both inclusive',
    ]);
  });
});

describe('mounts and devices of a container', () => {
  const volumes = [
    { name: 'scratch', emptyDir: {} },
    { name: 'disk', persistentVolumeClaim: { claimName: 'disk' } },
  ];
  const withContainer = (fields: JsonObject): JsonObject => ({
    ...podWith([]),
    spec: { containers: [{ name: 'app', image: 'app', ...fields }], volumes },
  });

  test('a name or a path is mounted or a device, not both', () => {
    const volumeMounts = [{ name: 'disk', mountPath: '/data' }];
    const volumeDevices = [{ name: 'disk', devicePath: '/data' }];
    expect(errorsOf(withContainer({ volumeMounts, volumeDevices }))).toEqual([
      'spec.containers[0].volumeDevices[0].devicePath: must not already exist as a path in volumeMounts',
      'spec.containers[0].volumeDevices[0].name: must not already exist in volumeMounts',
      'spec.containers[0].volumeMounts[0].mountPath: must not already exist as a path in volumeDevices',
      'spec.containers[0].volumeMounts[0].name: must not already exist in volumeDevices',
    ]);
  });

  test('a device is a claim', () => {
    expect(errorsOf(withContainer({ volumeDevices: [{ name: 'scratch', devicePath: '/dev/../a' }] }))).toEqual([
      "spec.containers[0].volumeDevices[0].devicePath: can not contain backsteps ('..')",
      'spec.containers[0].volumeDevices[0].name: can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
    ]);
  });

  test('bidirectional propagation needs a privileged container', () => {
    const volumeMounts = [{ name: 'scratch', mountPath: '/a', mountPropagation: 'Bidirectional' }];
    expect(errorsOf(withContainer({ volumeMounts }))).toHaveLength(1);
    expect(errorsOf(withContainer({ volumeMounts, securityContext: { privileged: true } }))).toEqual([]);
  });
});

describe('a PersistentVolume', () => {
  test('needs the namespace of its Secret', () => {
    expect(errorsOf(persistentVolume({ cinder: { volumeID: 'a', secretRef: { name: 'b' } } }))).toEqual([
      'spec.cinder.secretRef.namespace: FieldValueRequired',
    ]);
  });

  test('has its own messages about an iscsi name and portal', () => {
    const iscsi = { targetPortal: 'p'.repeat(63), iqn: 'abc', initiatorName: 'iqn.2015-02.a:b', secretRef: {} };
    expect(errorsOf(persistentVolume({ iscsi }))).toEqual([
      'spec.iscsi.iqn: must be valid format',
      'spec.iscsi.secretRef.name: FieldValueRequired',
      expect.stringMatching(/^spec\.iscsi\.targetportal: Total length of /),
    ]);
  });

  test('accepts a flexVolume beside another source', () => {
    const nfs = { server: 'a', path: '/b' };
    expect(errorsOf(persistentVolume({ nfs, flexVolume: { driver: 'a/b' } }))).toEqual([]);
    expect(errorsOf(persistentVolume({ nfs, fc: { wwids: ['a'] } }))).toEqual([
      'spec.fc: may not specify more than 1 volume type',
    ]);
  });

  test('may have mount options by annotation only if its source supports them', () => {
    const metadata = { name: 'disk', annotations: { 'volume.beta.kubernetes.io/mount-options': 'ro' } };
    expect(errorsOf(persistentVolume({ nfs: { server: 'a', path: '/b' } }, metadata))).toEqual([]);
    expect(errorsOf(persistentVolume({ csi: { driver: 'a.b', volumeHandle: 'c' } }, metadata))).toEqual([
      expect.stringContaining('may not specify mount options for this volume type'),
    ]);
  });
});

describe('a VolumeAttachment', () => {
  const attachment = (attacher: string): JsonObject => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'one' },
    spec: { attacher, nodeName: 'node', source: { persistentVolumeName: 'disk' } },
  });

  test('reports an attacher in capitals with the message of the minor', () => {
    expect(errorsOf(attachment('Example.COM'))).toEqual([]);
    expect(errorsOf(attachment('a_b'))).toEqual([expect.stringContaining('an RFC 1123 subdomain')]);
    expect(errorsOf(attachment('a_b'), '1.36')).toEqual([expect.stringContaining('a lowercase RFC 1123 subdomain')]);
  });

  test('checks an inline volume with its defaults', () => {
    const inlineVolumeSpec = {
      accessModes: ['ReadWriteOnce'],
      csi: { driver: 'a.b', volumeHandle: 'c' },
      azureDisk: { diskName: 'a', diskURI: 'ftp://a' },
    };
    const inline = { ...attachment('a.b'), spec: { attacher: 'a.b', nodeName: 'n', source: { inlineVolumeSpec } } };
    expect(errorsOf(inline)).toEqual([
      'spec.source.inlineVolumeSpec.azureDisk.diskURI: supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      'spec.source.inlineVolumeSpec.csi: may not specify more than 1 volume type',
    ]);
  });
});

describe('a StorageClass', () => {
  test('reports each empty or repeated topology', () => {
    const object = {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast' },
      provisioner: 'example.com/fast',
      allowedTopologies: [{}, {}],
    };
    expect(errorsOf(object, '1.37')).toHaveLength(2);
    expect(errorsOf(object, '1.36')).toHaveLength(5);
  });
});
