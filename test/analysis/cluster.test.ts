import { beforeAll, describe, expect, test } from 'vitest';
import type { AnalysisHost } from '../../server/src/analysis/analysis';
import { defaultSettings } from '../../server/src/analysis/configuration/settings';
import { createAnalysisHost } from '../../server/src/analysis/host';
import { type ClusterContent, loadingContent, unreachable } from '../../server/src/cluster/sources/content';
import { WANTED_KINDS } from '../../server/src/cluster/sources/kinds';
import { readCluster } from '../../server/src/live/reflector';
import { fakeWorld } from '../live/fakeWorld';
import { readPack } from '../support/packs';
import { throwBug } from '../support/throwBug';

const URI = 'file:///ws/web.yaml';
const KEY = 'live:prod';

let recorded: ClusterContent;

beforeAll(async () => {
  recorded = await readCluster(WANTED_KINDS, fakeWorld(), new AbortController().signal);
});

const deployment = (spec = ''): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web }]
${spec}`;

function hostOf(text: string, content?: ClusterContent, files: Readonly<Record<string, string>> = {}): AnalysisHost {
  const host = createAnalysisHost({
    readPack,
    onBug: throwBug,
  });
  host.apply({
    settings: { ...defaultSettings, cluster: KEY },
    folders: [{ uri: 'file:///ws' }, { uri: '' }],
    files: Object.entries({ ...files, [URI]: text }).map(([uri, it]) => ({ uri, text: it })),
  });
  if (content) host.apply({ clusters: [{ key: KEY, content }] });
  return host;
}

const analysisOf = (...args: Parameters<typeof hostOf>) => hostOf(...args).analysis();

describe('the request for a cluster', () => {
  test('is listed once, with a file relative to the folder of berth.yaml', () => {
    const { clusterRequests: clusterWishes } = analysisOf(deployment(), undefined, {
      'file:///ws/berth.yaml': `
cluster: snapshot:clusters/prod.yaml
environments:
  staging: { paths: [staging], cluster: "live:staging" }
  testing: { paths: [testing], cluster: "live:staging" }
  local: { paths: [local], cluster: default }
`,
      'file:///ws/staging/a.yaml': deployment(),
    });
    expect(clusterWishes).toEqual([
      {
        key: 'live:staging',
        source: { from: 'live', context: 'staging' },
        origin: 'configuration',
        folder: 'file:///ws',
      },
      {
        key: 'snapshot:file:///ws/clusters/prod.yaml',
        source: { from: 'snapshot', file: 'file:///ws/clusters/prod.yaml' },
        origin: 'configuration',
        folder: 'file:///ws',
      },
      { key: KEY, source: { from: 'live', context: 'prod' }, origin: 'settings' },
    ]);
  });

  test('does not exist for the embedded cluster', () => {
    const host = hostOf(deployment());
    host.apply({ settings: defaultSettings });
    expect(host.analysis().clusterRequests).toEqual([]);
  });
});

describe('an external cluster', () => {
  test('has Pods placed on its nodes', () => {
    const { preview, status } = analysisOf(deployment(), recorded);
    const model = preview({ uri: URI, offset: 0 });
    expect(model.cluster).toEqual({ kind: 'source', label: 'live:prod, 2 nodes' });
    expect(model.nodes.map(it => it.name)).toEqual(['node-a', 'node-b']);
    expect(
      model.pods
        .filter(it => it.state === 'placed')
        .map(it => it.node)
        .sort(),
    ).toEqual(['node-a', 'node-b']);
    expect(status.cluster).toBe('live:prod, 2 nodes');
  });

  test('shows where the Pods of a running workload would be placed', () => {
    const ofWorkload = (workload: string) => (letter: string) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: `${workload}-5d4f-${letter}`,
        namespace: 'default',
        labels: { app: workload },
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${workload}-5d4f`, controller: true }],
      },
      spec: { nodeName: 'node-a', containers: [{ name: 'web', image: 'web' }] },
      status: { phase: 'Running' },
    });
    const running = [...['a', 'b'].map(ofWorkload('web')), ...['a', 'b'].map(ofWorkload('other'))];
    const { preview, codeLenses } = analysisOf(deployment(), {
      ...recorded,
      objects: [...recorded.objects, ...running],
    });
    const { pods } = preview({ uri: URI, offset: 0 });
    expect(pods.map(it => `${it.name} ${it.state}`).sort()).toEqual([
      'other-5d4f-a running',
      'other-5d4f-b running',
      'web-1 placed',
      'web-2 placed',
    ]);
    expect(codeLenses(URI)).toHaveLength(1);
  });

  test('offers its names, labels and nodes', () => {
    const at = (text: string): readonly string[] => {
      const caret = text.indexOf('|');
      return analysisOf(text.replace('|', ''), recorded)
        .completion(URI, caret)
        .items.map(it => it.label);
    };
    expect(at(deployment('      priorityClassName: |'))).toContain('high');
    expect(at(deployment('      nodeSelector: { topology.kubernetes.io/zone: | }'))).toEqual(
      expect.arrayContaining(['a', 'b']),
    );
    expect(at(deployment('      volumes: [{ name: v, secret: { secretName: | } }]'))).toContain('login');
  });

  test('shows its facts about a name on hover', () => {
    const text = deployment('      priorityClassName: high');
    const hover = analysisOf(text, recorded).hover(URI, text.indexOf('high') + 1);
    expect(hover?.markdown).toContain('**PriorityClass high** is in the cluster (live:prod): priority 1000.');
    const missing = text.replace('high', 'hihg');
    const other = analysisOf(missing, recorded).hover(URI, missing.indexOf('hihg') + 1);
    expect(other?.markdown).toContain('PriorityClass hihg is not in the cluster (live:prod).');
  });

  test('makes a missing object an error only while it is reachable', () => {
    const host = hostOf(deployment('      priorityClassName: hihg'), recorded);
    const severities = (): readonly string[] =>
      host
        .analysis()
        .diagnostics(URI)
        .map(it => `${it.code} ${it.severity}`);
    expect(severities()).toContain('references/priority-class-missing error');
    host.apply({ clusters: [{ key: KEY, content: { ...recorded, state: 'unreachable', reason: 'it is off' } }] });
    expect(severities()).toContain('references/priority-class-missing info');
  });

  test.each([
    ['is loading', loadingContent, 'live:prod, loading', ['…']],
    ['was never reached', unreachable('nobody listens there'), 'live:prod, unreachable', []],
  ])('places nothing while it %s, and says so', (_, content, label, lenses) => {
    const { preview, codeLenses, diagnostics } = analysisOf(deployment(), content);
    expect(preview({ uri: URI, offset: 0 })).toMatchObject({ cluster: { label }, pods: [] });
    expect(codeLenses(URI).map(it => it.title)).toEqual(lenses);
    expect(diagnostics(URI)).toEqual([]);
  });
});

describe('the view of clusters', () => {
  test('shows nodes with their use, classes and what could not be listed', () => {
    const content: ClusterContent = {
      ...recorded,
      objects: [
        ...recorded.objects,
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'db', namespace: 'shop' },
          spec: {
            nodeName: 'node-a',
            containers: [{ name: 'db', image: 'db', resources: { requests: { cpu: '1500m', memory: '1Gi' } } }],
          },
          status: { phase: 'Running' },
        },
        {
          apiVersion: 'storage.k8s.io/v1',
          kind: 'CSIStorageCapacity',
          metadata: { name: 'c', namespace: 'kube-system' },
          storageClassName: 'fast',
          capacity: '10Gi',
          nodeTopology: { matchLabels: { 'topology.kubernetes.io/zone': 'a' } },
        },
      ],
      listings: [{ group: '', kind: 'Secret', state: 'forbidden', reason: 'no' }],
    };
    const [view, ...others] = analysisOf(deployment(), content).clusterView();
    expect(others).toEqual([]);
    expect(view).toMatchObject({ source: 'live:prod', state: 'ready', kubernetesVersion: '1.37.1', environments: [] });
    expect(view?.lacking).toEqual([{ kind: 'Secret', state: 'forbidden', reason: 'no' }]);
    expect(view?.nodes.map(it => it.name)).toEqual(['node-a', 'node-b']);
    expect(view?.nodes[0]).toMatchObject({
      isReady: true,
      isCordoned: false,
      use: [
        { resource: 'cpu', requested: 1500, allocatable: 4000 },
        { resource: 'memory', requested: 1024 ** 3, allocatable: 8 * 1024 ** 3 },
        { resource: 'pods', requested: 1, allocatable: 110 },
      ],
      pods: [{ namespace: 'shop', name: 'db', cpuMilli: 1500 }],
    });
    expect(view?.storageClasses).toEqual([
      {
        name: 'fast',
        provisioner: 'csi.example.com',
        bindingMode: 'Immediate',
        isDefault: true,
        capacities: [{ where: 'topology.kubernetes.io/zone=a', bytes: 10 * 1024 ** 3 }],
      },
    ]);
    expect(view?.priorityClasses.map(it => it.name)).toEqual([
      'system-node-critical',
      'system-cluster-critical',
      'high',
    ]);
  });

  test('shows the embedded cluster, and the nodes of the workspace where there are some', () => {
    const host = hostOf(deployment());
    host.apply({ settings: defaultSettings });
    expect(
      host
        .analysis()
        .clusterView()[0]
        ?.nodes.map(it => it.name),
    ).toContain('gpu-a-1');
    host.apply({
      files: [
        {
          uri: 'file:///ws/nodes.yaml',
          text: 'apiVersion: v1\nkind: Node\nmetadata: { name: own }\nstatus: { allocatable: { cpu: "1" } }\n',
        },
      ],
    });
    expect(host.analysis().clusterView()[0]).toMatchObject({ source: 'workspace', nodes: [{ name: 'own' }] });
  });
});
