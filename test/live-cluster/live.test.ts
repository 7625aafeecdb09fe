import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterContent } from '../../server/src/cluster/sources/content';
import { followLive, readLive } from '../../server/src/live/main';
import { run } from '../cli/world';
import { type ControlPlane, startControlPlane } from './controlPlane.mjs';
import { record } from './record';

const bin = process.env.BERTH_CONTROL_PLANE;
if (bin === undefined) throw new Error('npm run test:cluster says where the API server is');

const node = (name: string, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
  status: { capacity: { cpu: '4', memory: '8Gi', pods: '110' }, allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
});

const pod = (name: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations: { note: 'sesame-annotation' } },
  spec: { containers: [{ name: 'main', image: 'main:1', env: [{ name: 'TOKEN', value: 'sesame-env' }] }] },
});

const OBJECTS: readonly (readonly [string, object])[] = [
  ['/api/v1/nodes', node('node-a', { 'topology.kubernetes.io/zone': 'a' })],
  ['/api/v1/nodes', node('node-b', { 'topology.kubernetes.io/zone': 'b' })],
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }],
  ['/api/v1/namespaces/default/secrets', { metadata: { name: 'login' }, stringData: { password: 'sesame-secret' } }],
  ['/api/v1/namespaces/default/configmaps', { metadata: { name: 'settings' }, data: { key: 'sesame-settings' } }],
  ['/api/v1/namespaces/default/pods', pod('web')],
  [
    '/apis/storage.k8s.io/v1/storageclasses',
    {
      metadata: { name: 'fast', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'csi.example.com',
    },
  ],
  ['/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name: 'high' }, value: 1000 }],
];

let cluster: ControlPlane;

beforeAll(async () => {
  cluster = await startControlPlane({ bin });
  for (const [path, object] of OBJECTS) {
    const { status, text } = await cluster.call('POST', path, object);
    if (status !== 201 && status !== 409) throw new Error(`${path}: ${text}`);
  }
});

afterAll(() => cluster?.stop());

const named = ({ objects }: ClusterContent, kind: string): readonly string[] =>
  objects.flatMap(it => (it.kind === kind ? [(it.metadata as { readonly name: string }).name] : []));

describe('a real API server', () => {
  test('is listed: objects of what placement needs, names of what may be secret', async () => {
    const content = await readLive({ kubeconfig: cluster.kubeconfig, plugins: 'refused' });
    expect(content.state).toBe('ready');
    expect(content.kubernetesVersion).toMatch(/^1\.37\.\d+$/);
    expect(named(content, 'Node')).toEqual(['node-a', 'node-b']);
    expect(named(content, 'Pod')).toEqual(['web']);
    expect(named(content, 'StorageClass')).toEqual(['fast']);
    expect(named(content, 'PriorityClass')).toEqual(['high', 'system-cluster-critical', 'system-node-critical']);
    expect(content.names).toContainEqual({ group: '', kind: 'Secret', namespace: 'default', name: 'login' });
    expect(JSON.stringify(content)).not.toContain('sesame');
    expect(content.listings.find(it => it.kind === 'ReferenceGrant')?.state).toBe('unserved');
  });

  test('is followed: what comes, changes and goes is told', async () => {
    const told: ClusterContent[] = [];
    const until = async (isThere: (content: ClusterContent) => boolean): Promise<void> =>
      expect.poll(() => told.some(isThere), { timeout: 20_000 }).toBe(true);
    const session = followLive({ kubeconfig: cluster.kubeconfig, plugins: 'refused' }, it => told.push(it));
    try {
      await until(it => it.state === 'ready');
      await cluster.call('POST', '/api/v1/nodes', node('node-c'));
      await until(it => named(it, 'Node').includes('node-c'));
      const { body } = await cluster.call('GET', '/api/v1/nodes/node-c');
      await cluster.call('PUT', '/api/v1/nodes/node-c', { ...body, spec: { unschedulable: true } });
      await until(it => it.objects.some(object => JSON.stringify(object.spec)?.includes('"unschedulable":true')));
      told.length = 0;
      await cluster.call('DELETE', '/api/v1/nodes/node-c');
      await until(it => !named(it, 'Node').includes('node-c'));
    } finally {
      session.close();
    }
  });

  test('says what it forbids', async () => {
    const content = await readLive({ kubeconfig: cluster.kubeconfig, context: 'viewer', plugins: 'refused' });
    expect(content.objects).toEqual([]);
    expect(content.listings.find(it => it.kind === 'Node')).toEqual({
      group: '',
      kind: 'Node',
      state: 'forbidden',
      reason: expect.stringContaining('User "viewer" cannot list resource "nodes"'),
    });
  });

  test('is written into a snapshot without anything secret, and placed on from there', async () => {
    const live = (): { readLive: typeof readLive } => ({
      readLive: options => readLive({ ...options, kubeconfig: cluster.kubeconfig }),
    });
    const ask = (argv: readonly string[], files = {}) => run(argv, files, '', undefined, undefined, live);
    const { code, written, err } = await ask(['snapshot', '-o', 'cluster.yaml']);
    expect([code, err]).toEqual([0, expect.stringMatching(/^berth: 2 nodes, 1 Pod, /)]);
    const text = written['cluster.yaml']!;
    expect(text).not.toMatch(/sesame|annotations:|managedFields:|\bdata:/);
    expect((await ask(['snapshot'])).out, 'twice the same').toBe(text);

    const files = {
      'cluster.yaml': text,
      'pod.yaml':
        'apiVersion: v1\nkind: Pod\nmetadata: { name: new, namespace: default }\nspec: { priorityClassName: high, nodeSelector: { topology.kubernetes.io/zone: b }, containers: [{ name: c, image: i }] }\n',
    };
    const placed = await ask(['place', '--cluster', 'snapshot:cluster.yaml', 'pod.yaml'], files);
    expect(placed.out).toMatch(/default\/new +node-b/);
    expect((await ask(['place', '--cluster', 'live', 'pod.yaml'], files)).out).toBe(placed.out);
    const forbidden = await ask(['snapshot', '--context', 'viewer']);
    expect(forbidden.err).toContain('these may not be listed: Node, Namespace,');
  });

  test('was asked for lists and watches, and for nothing else', () => {
    const verbs = new Set(cluster.audited('admin').map(it => it.verb));
    expect([...verbs].sort()).toEqual(['get', 'list', 'watch']);
    const gets = cluster.audited('admin').flatMap(it => (it.verb === 'get' ? [it.requestURI] : []));
    expect([...new Set(gets)].sort()).toEqual(['/api', '/apis', '/version']);
  });

  test.runIf(process.env.RECORD === '1')('is written down for the tests without one', () => record(cluster));

  test('is missed when it is gone', async () => {
    const told: ClusterContent[] = [];
    const session = followLive({ kubeconfig: cluster.kubeconfig, plugins: 'refused' }, it => told.push(it));
    try {
      await expect.poll(() => told.at(-1)?.state, { timeout: 20_000 }).toBe('ready');
      await cluster.stop();
      await expect.poll(() => told.at(-1)?.state, { timeout: 20_000 }).toBe('unreachable');
      expect(told.at(-1)?.reason).toMatch(
        /127\.0\.0\.1:\d+ cannot be reached: nobody listens there|the connection was cut/,
      );
    } finally {
      session.close();
    }
  });
});
