import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { contentOfFile } from '../../../server/src/analysis/clusters/sources';
import { clusterIndex } from '../../../server/src/cluster/sources/clusterIndex';
import { type ClusterContent, EMPTY_CONTENT } from '../../../server/src/cluster/sources/content';
import { redacted } from '../../../server/src/cluster/sources/redact';
import { snapshotDocuments } from '../../../server/src/cluster/sources/snapshot';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'shop',
    managedFields: [{ manager: 'kubectl', fieldsV1: { 'f:sesame': {} } }],
    annotations: { token: 'sesame-annotation' },
  },
  spec: {
    nodeName: 'n1',
    initContainers: [{ name: 'i', image: 'i', args: ['--password=sesame-arg'] }],
    containers: [
      {
        name: 'web',
        image: 'web:1',
        command: ['sh', '-c', 'echo sesame-command'],
        env: [
          { name: 'TOKEN', value: 'sesame-env' },
          { name: 'FROM', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
        ],
        livenessProbe: { httpGet: { path: '/', httpHeaders: [{ name: 'a', value: 'sesame-probe' }] } },
        resources: { requests: { cpu: '1' } },
      },
    ],
  },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', message: 'sesame-message' }] },
};
const storageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: {
    name: 'fast',
    annotations: { 'storageclass.kubernetes.io/is-default-class': 'true', note: 'sesame-note' },
  },
  provisioner: 'csi.example.com',
};
const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's', namespace: 'shop' }, data: { k: 'sesame' } };
const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'shop' },
  spec: {
    replicas: 2,
    template: {
      metadata: { annotations: { token: 'sesame-template' } },
      spec: { containers: [{ name: 'web', env: [{ name: 'A', value: 'sesame-deployment' }] }] },
    },
  },
};

const content: ClusterContent = {
  ...EMPTY_CONTENT,
  kubernetesVersion: '1.37',
  objects: [storageClass, secret, pod, deployment],
  names: [
    { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'settings' },
    { group: '', kind: 'ConfigMap', namespace: 'shop', name: 'a' },
  ],
  listings: [
    { group: '', kind: 'Pod', state: 'listed' },
    { group: '', kind: 'ConfigMap', state: 'listed', namespaces: ['shop'] },
    { group: 'storage.k8s.io', kind: 'StorageClass', state: 'listed' },
    { group: '', kind: 'Secret', state: 'forbidden', reason: 'no' },
  ],
};

const written = (annotations: 'none' | 'all' = 'none'): string =>
  snapshotDocuments(content, annotations)
    .map(it => stringify(it, { aliasDuplicateObjects: false }))
    .join('---\n');

describe('a snapshot', () => {
  test('contains no secrets and no annotations', () => {
    const text = written();
    expect(text).not.toContain('sesame');
    expect(text).not.toMatch(/annotations:|managedFields:|\bdata:/);
    expect(text).toContain('name: TOKEN');
    expect(text).toContain('cpu: "1"');
  });

  test('contains annotations on request, but no values and data', () => {
    const text = written('all');
    expect(text).toContain('sesame-annotation');
    expect(text.match(/sesame-\w+/g)).toEqual(
      expect.not.arrayContaining(['sesame-env', 'sesame-arg', 'sesame-command', 'sesame-probe', 'sesame-deployment']),
    );
    expect(text).not.toMatch(/\bdata:|fieldsV1:/);
  });

  test('is the same text for any order of the server’s answers', () => {
    const turned = snapshotDocuments(
      { ...content, objects: [...content.objects].reverse(), names: [...content.names].reverse() },
      'none',
    );
    expect(turned).toEqual(snapshotDocuments(content, 'none'));
  });

  test('can be read with the default class, the names and the listed kinds', () => {
    const read = contentOfFile('snapshot', written(), '1.37');
    expect(read.kubernetesVersion).toBe('1.37');
    const index = clusterIndex(read);
    expect(index.objectsOf('storage.k8s.io', 'StorageClass')[0]?.metadata).toEqual({
      name: 'fast',
      annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' },
    });
    expect(index.has('', 'ConfigMap', 'shop', 'settings')).toBe(true);
    expect(index.has('', 'ConfigMap', 'other', 'settings')).toBe(false);
    expect(index.namesOf('', 'ConfigMap', 'shop')).toEqual(['a', 'settings']);
    expect(index.isListed('', 'ConfigMap', 'shop')).toBe(true);
    expect(index.isListed('', 'ConfigMap', 'other'), 'only one namespace was listed').toBe(false);
    expect(index.isListed('storage.k8s.io', 'StorageClass', undefined)).toBe(true);
    expect(index.isListed('', 'Secret', 'shop'), 'it was forbidden').toBe(false);
    expect(index.isListed('scheduling.k8s.io', 'PriorityClass', undefined), 'nobody asked').toBe(false);
  });
});

describe('the output of kubectl', () => {
  const list = (kind: string, ...items: readonly object[]): string =>
    stringify({ apiVersion: 'v1', kind, items, metadata: { resourceVersion: '' } });

  test('lists its kinds, and namespaced ones in its namespaces', () => {
    const index = clusterIndex(contentOfFile('snapshot', list('List', pod, storageClass), '1.37'));
    expect(index.isListed('storage.k8s.io', 'StorageClass', undefined)).toBe(true);
    expect(index.isListed('', 'Pod', 'shop')).toBe(true);
    expect(index.isListed('', 'Pod', 'other')).toBe(false);
    expect(index.isListed('', 'Node', undefined)).toBe(false);
  });

  test('may omit the kind of items of a list', () => {
    const { kind: _, apiVersion: __, ...item } = storageClass;
    const text = stringify({ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClassList', items: [item] });
    expect(
      clusterIndex(contentOfFile('snapshot', text, '1.37')).has('storage.k8s.io', 'StorageClass', undefined, 'fast'),
    ).toBe(true);
  });

  test('lists no kind when it is one manifest', () => {
    const index = clusterIndex(contentOfFile('snapshot', stringify(storageClass), '1.37'));
    expect(index.has('storage.k8s.io', 'StorageClass', undefined, 'fast')).toBe(true);
    expect(index.isListed('storage.k8s.io', 'StorageClass', undefined)).toBe(false);
  });

  test.each(['metadata: []', 'metadata: 7', 'metadata: { name: 7, namespace: [] }', 'metadata:', 'spec: []'])(
    'may hold any nonsense: %s',
    text => {
      const content = contentOfFile('snapshot', `apiVersion: v1\nkind: Pod\n${text}\n`, '1.37');
      expect(clusterIndex(content).has('', 'Pod', 'default', 'web')).toBe(false);
    },
  );

  test.each([
    ['kind: ClusterSnapshot\napiVersion: berth.dev/v1alpha1\nkinds: 7\n', 'the snapshot cannot be read'],
    ['a: [', 'the file cannot be read'],
  ])('%j is refused: %s', (text, why) => {
    expect(contentOfFile('snapshot', text, '1.37')).toMatchObject({
      state: 'unreachable',
      reason: expect.stringContaining(why),
    });
  });
});

test('of what kubectl applied last, a live cluster gives no more than the version', () => {
  const key = 'kubectl.kubernetes.io/last-applied-configuration';
  const annotated = (text: string) => ({ ...storageClass, metadata: { name: 'fast', annotations: { [key]: text } } });
  const kept = (text: string) => redacted(annotated(text), 'decisive').metadata;
  const applied = { apiVersion: 'storage.k8s.io/v1beta1', kind: 'StorageClass', parameters: { token: 'sesame' } };
  expect(kept(JSON.stringify(applied))).toEqual({
    name: 'fast',
    annotations: { [key]: '{"apiVersion":"storage.k8s.io/v1beta1","kind":"StorageClass"}' },
  });
  expect(kept('{"apiVersion": sesame')).toEqual({ name: 'fast' });
});

test('of managed fields, a live cluster gives who wrote which version, beside Kubernetes itself', () => {
  const by = (manager: string, more: object = {}) => ({ manager, operation: 'Update', apiVersion: 'v1', ...more });
  const managedFields = [
    by('helm', { fieldsV1: { 'f:data': { 'f:sesame': {} } } }),
    by('kube-controller-manager'),
    by('helm', { subresource: 'status' }),
  ];
  const object = { ...storageClass, metadata: { name: 'fast', managedFields } };
  expect(redacted(object, 'decisive').metadata).toEqual({ name: 'fast', managedFields: [by('helm')] });
  expect(redacted(object, 'none').metadata).toEqual({ name: 'fast' });
});
