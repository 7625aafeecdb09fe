import { describe, expect, test } from 'vitest';
import { run } from './world';

interface Reported {
  readonly change: string;
  readonly urgency: string;
  readonly since: string;
  readonly until?: string;
  readonly code: string;
  readonly message: string;
  readonly path: string;
  readonly fieldPath?: string;
  readonly pods?: readonly { readonly pod: string; readonly after: object }[];
}

const upgrade = async (text: string, ...flags: string[]): Promise<readonly Reported[]> => {
  const { out } = await run(['upgrade', 'a.yaml', '--format', 'json', ...flags], { 'a.yaml': text });
  return (JSON.parse(out) as { readonly changes: readonly Reported[] }).changes;
};

const short = ({ change, urgency, since, until, code }: Reported): string =>
  [change, urgency, since, ...(until === undefined ? [] : [`until ${until}`]), code].join(' ');

const flowSchema = `apiVersion: flowcontrol.apiserver.k8s.io/v1beta3
kind: FlowSchema
metadata: { name: batch }
spec:
  priorityLevelConfiguration: { name: batch }
  matchingPrecedence: 900
`;
const pod = (spec: string) => `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: web, image: 'registry.example.com/web:1.0' }]
${spec}`;
const endpoints = 'apiVersion: v1\nkind: Endpoints\nmetadata: { name: web }\n';
const statefulSet = `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: web }
spec:
  serviceName: web
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: 'registry.example.com/web:1.0' }]
`;

describe('berth upgrade', () => {
  test.each([
    ['an API version that goes', flowSchema, ['not-served apply 1.32 decode/unknown-kind']],
    [
      'a field that is known late and dropped at first',
      pod('  hostnameOverride: web.example.com\n'),
      ['dropped silent 1.34 until 1.35 dropped/field', 'ended tidy 1.34 decode/unknown-field'],
    ],
    ['a deprecation', endpoints, ['deprecated tidy 1.33 warning/deprecated-api']],
    ['a default that comes', statefulSet, ['default silent 1.37 upgrade/default']],
    ['nothing', pod(''), []],
  ])('tells of %s', async (_, text, wanted) => {
    const changes = await upgrade(text, '--from', '1.31', '--to', '1.37');
    expect(changes.map(short)).toEqual(wanted);
  });

  test('tells of gates that are gone or locked, in configurations and among those that are chosen', async () => {
    const kind =
      'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nfeatureGates: { AppArmor: true, NodeSwap: false }\n';
    const changes = await upgrade(kind, '--from', '1.31', '--feature-gates', 'AppArmor=true');
    expect(changes.map(it => [short(it), it.path, it.fieldPath])).toEqual([
      ['gate run 1.33 upgrade/gate', 'a.yaml', 'featureGates.AppArmor'],
      ['gate run 1.34 upgrade/gate', 'a.yaml', 'featureGates.NodeSwap'],
      ['gate run 1.33 upgrade/gate', 'settings', 'featureGates.AppArmor'],
    ]);
  });

  test.each([
    [
      'apiServer.extraArgs.feature-gates',
      'apiVersion: kubeadm.k8s.io/v1beta3\nkind: ClusterConfiguration\napiServer: { extraArgs: { feature-gates: "NodeSwap=false,AppArmor=true" } }\n',
    ],
    [
      'scheduler.extraArgs[0].value',
      'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\nscheduler: { extraArgs: [{ name: feature-gates, value: "NodeSwap=false,AppArmor=true" }] }\n',
    ],
    [
      'kubeadmConfigPatches[0]',
      'apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\nkubeadmConfigPatches:\n- |\n  kind: JoinConfiguration\n  nodeRegistration: { kubeletExtraArgs: { feature-gates: "NodeSwap=false,AppArmor=true" } }\n',
    ],
  ])('tells of gates in flags that kubeadm hands to components: %s', async (fieldPath, text) => {
    const changes = await upgrade(text, '--from', '1.31');
    expect(changes.map(it => [short(it), it.fieldPath])).toEqual([
      ['gate run 1.34 upgrade/gate', fieldPath],
      ['gate run 1.33 upgrade/gate', fieldPath],
    ]);
  });

  test('tells what an object is refused for that was accepted', async () => {
    const workload = 'apiVersion: scheduling.k8s.io/v1alpha2\nkind: Workload\nmetadata: { name: a }\n';
    const [change] = await upgrade(workload, '--from', '1.36', '--to', '1.37');
    expect(change).toMatchObject({ change: 'not-served', since: '1.37' });
    expect(change?.message).toContain('use scheduling.k8s.io/v1beta1 Workload');
  });

  test('goes up to the newest minor where nothing else is said, from the version of berth.yaml', async () => {
    const files = { 'berth.yaml': 'kubernetesVersion: "1.36"\n', 'a.yaml': flowSchema };
    const { out } = await run(['upgrade', '--format', 'json'], files);
    expect(JSON.parse(out)).toMatchObject({ from: '1.36', to: '1.37', versions: ['1.36', '1.37'], changes: [] });
  });

  test('speaks of the categories that are asked for', async () => {
    const changes = await upgrade(`${flowSchema}---\n${endpoints}`, '--from', '1.31', '--only', 'warning');
    expect(changes.map(short)).toEqual(['deprecated tidy 1.33 warning/deprecated-api']);
  });

  test('tells of known issues that are left behind and met', async () => {
    const terms = ['web', 'api'].map(
      app => `        - { topologyKey: kubernetes.io/hostname, labelSelector: { matchLabels: { app: ${app} } } }\n`,
    );
    const affinity = `  affinity:\n    podAntiAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n${terms.join('')}`;
    const left = await upgrade(pod(affinity), '--from', '1.36.1', '--to', '1.37');
    expect(left.map(short)).toEqual(['mended tidy 1.37 known-issue/anti-affinity-multi-term-queue-hint']);
    const met = await upgrade(pod(affinity), '--from', '1.31', '--to', '1.36');
    expect(met.map(it => `${it.change} ${it.since} ${it.code}`)).toEqual([
      'known-issue 1.32 known-issue/anti-affinity-multi-term-queue-hint',
    ]);
  });

  const job = `apiVersion: batch/v1
kind: Job
metadata: { name: "web-<node>" }
spec:
  template:
    metadata: { labels: { app: web } }
    spec:
      restartPolicy: Never
      nodeSelector: { kubernetes.io/hostname: "<node>" }
      containers: [{ name: web, image: 'registry.example.com/web:1.0' }]
`;

  test.each([
    // Before 1.37, labels that are made of the name are told twice.
    ['a mistake that some minors tell twice', job],
    // The path of the value has the name of an embedded struct in some minors.
    [
      'a mistake that some minors place otherwise',
      pod('  volumes: [{ name: a, fc: { lun: text, targetWWNs: [a] } }]\n'),
    ],
  ])('tells no change of %s', async (_, text) => {
    const changes = await upgrade(text, '--from', '1.31', '--to', '1.37');
    expect(changes.filter(it => it.code.startsWith('apiserver/') || it.code.startsWith('decode/'))).toEqual([]);
  });

  test('takes patch releases', async () => {
    const { out } = await run(
      ['upgrade', 'a.yaml', '--from', 'v1.34.2-gke.1200', '--to', '1.36.1', '--format', 'json'],
      {
        'a.yaml': endpoints,
      },
    );
    expect(JSON.parse(out)).toMatchObject({ versions: ['1.34.2', '1.35', '1.36.1'] });
  });

  test('takes texts that an editor has not saved, and tells what fixes write', async () => {
    const unsaved = JSON.stringify({ '/home/ada/shop/a.yaml': flowSchema, '/home/ada/other.yaml': endpoints });
    const argv = ['upgrade', '.', '--from', '1.31', '--format', 'json', '--unsaved'];
    const { out } = await run(argv, { 'a.yaml': pod('') }, unsaved);
    const { changes } = JSON.parse(out) as { readonly changes: readonly { readonly fixes: readonly unknown[] }[] };
    const range = { start: { line: 0, character: 12 }, end: { line: 0, character: 48 } };
    const edits = [{ path: 'a.yaml', range, newText: 'flowcontrol.apiserver.k8s.io/v1' }];
    expect(changes.map(it => it.fixes[0])).toEqual([
      { title: 'Change apiVersion to flowcontrol.apiserver.k8s.io/v1', safety: 'safe', edits },
    ]);
  });

  test.each(['', '[]', '{"a.yaml": '])('refuses %j as texts of an editor', async input => {
    const { code, err } = await run(['upgrade', 'a.yaml', '--unsaved'], { 'a.yaml': endpoints }, input);
    expect(code).toBe(2);
    expect(err).toContain('standard input is no JSON object of paths and texts.');
  });

  test.each([
    ['not later', ['--from', '1.37', '--to', '1.36'], 'Kubernetes 1.36 is not later than 1.37'],
    ['the same', ['--from', '1.36', '--to', '1.36'], 'is not later than'],
    ['not known', ['--from', '1.12'], 'Kubernetes "1.12" is not known to Berth'],
    ['no version', ['--to', 'x'], 'Kubernetes "x" is not known to Berth'],
    ['no format', ['--format', 'x'], '--format "x" is not one of: text, json, markdown, sarif.'],
  ])('bad arguments: %s', async (_, flags, sentence) => {
    const { code, err } = await run(['upgrade', 'a.yaml', ...flags], { 'a.yaml': endpoints });
    expect(code).toBe(2);
    expect(err).toContain(sentence);
  });

  test('keeps the contract for bad input', async () => {
    const { out } = await run(['upgrade', 'a.yaml', '--to', '1.12', '--format', 'json'], { 'a.yaml': endpoints });
    expect(JSON.parse(out)).toMatchObject({ contract: 1, changes: [], error: expect.stringContaining('1.12') });
  });

  test.each([
    ['not-served', flowSchema, [], 1],
    ['deprecated', endpoints, [], 0],
    ['deprecated, where warnings count', endpoints, ['--fail-on', 'warning'], 1],
    ['not-served, where nothing counts', flowSchema, ['--fail-on', 'never'], 0],
    ['only things that end', pod('  hostnameOverride: a\n'), ['--to', '1.36', '--fail-on', 'error'], 0],
  ])('exit code for %s', async (_, text, flags, wanted) => {
    const { code } = await run(['upgrade', 'a.yaml', '--from', '1.31', ...flags], { 'a.yaml': text });
    expect(code).toBe(wanted);
  });

  test('writes text, Markdown and SARIF', async () => {
    const files = { 'a.yaml': `${flowSchema}---\n${endpoints}` };
    const inText = await run(['upgrade', 'a.yaml', '--from', '1.31'], files);
    expect(inText.out).toContain('Breaks at apply\n  a.yaml:1:13 FlowSchema batch decode/unknown-kind, since 1.32\n');
    expect(inText.out).toContain('help Change apiVersion to flowcontrol.apiserver.k8s.io/v1\n');
    expect(inText.out).toMatch(/1 apply, 1 tidy \(\d+ ms\)\n$/);
    const markdown = await run(['upgrade', 'a.yaml', '--from', '1.31', '--format', 'markdown'], files);
    expect(markdown.out).toContain('# Upgrade of Kubernetes from 1.31 to 1.37\n');
    expect(markdown.out).toContain(
      '## Can be tidied\n\n- a.yaml:8 Endpoints web, since 1.33: v1 Endpoints is deprecated',
    );
    const sarif = await run(['upgrade', 'a.yaml', '--from', '1.31', '--format', 'sarif'], files);
    const [first] = (JSON.parse(sarif.out) as { runs: { results: { ruleId: string; message: { text: string } }[] }[] })
      .runs[0]!.results;
    expect(first?.ruleId).toBe('decode/unknown-kind');
    expect(first?.message.text).toMatch(/\(since 1\.32\)$/);
  });
});

describe('objects that are refused before and after', () => {
  const ingress = 'apiVersion: networking.k8s.io/v1beta1\nkind: Ingress\nmetadata: { name: web }\nspec: {}\n';
  test.each([
    [ingress, 1, /^1 object is refused before and after: `berth check` says why$/m],
    [endpoints, 0, /^1 file, 1 document, /m],
  ])('are counted: %j', async (text, stillRefused, words) => {
    const files = { 'a.yaml': text };
    const { out } = await run(['upgrade', '--from', '1.36', '--format', 'json', 'a.yaml'], files);
    expect(JSON.parse(out).summary).toMatchObject({ stillRefused });
    expect((await run(['upgrade', '--from', '1.36', 'a.yaml'], files)).out).toMatch(words);
  });
});

describe('berth upgrade with nodes', () => {
  const node = (name: string, cpu: number) => `apiVersion: v1
kind: Node
metadata: { name: ${name}, labels: { kubernetes.io/hostname: ${name} } }
status: { capacity: { cpu: "${cpu}", pods: "10" }, allocatable: { cpu: "${cpu}", pods: "10" } }
---
`;
  const web = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
        - name: web
          image: registry.example.com/web:1.0
          resources: { requests: { cpu: "1" } }
`;

  test('says nothing of Pods that stay where they are', async () => {
    const changes = await upgrade(`${node('n1', 2)}${node('n2', 2)}${web}`, '--from', '1.31', '--to', '1.37');
    expect(changes.filter(it => it.change === 'placement')).toEqual([]);
  });

  test('tells of Pods that stop fitting, with the plugin', async () => {
    const pods = web
      .replace('replicas: 2', 'replicas: 3')
      .replace(/ {10}resources: .*\n/, '      resources: { requests: { cpu: "1" } }\n');
    // Resources of whole Pods are dropped before 1.34, so that all three fit on one CPU.
    const changes = await upgrade(`${node('n1', 1)}${pods}`, '--from', '1.33', '--to', '1.37');
    const placed = changes.filter(it => it.change === 'placement');
    expect(placed.map(short)).toEqual(['placement run 1.34 upgrade/placement']);
    expect(placed[0]?.pods).toHaveLength(2);
    expect(placed[0]?.message).toContain('no longer fits on any node (NodeResourcesFit); before, it was on n1');
  });

  test.each([
    ['2', 'which NodeResourcesFit rejects', 'NodeResourcesFit'],
    ['900m', 'which NodeResourcesBalancedAllocation scores higher', 'NodeResourcesBalancedAllocation'],
  ])('tells of Pods of %s CPUs that land elsewhere, %s', async (cpu, words, plugin) => {
    const running = `apiVersion: v1
kind: Pod
metadata: { name: running }
spec:
  nodeName: n2
  containers: [{ name: web, image: 'registry.example.com/web:1.0', resources: { requests: { cpu: "2" } } }]
---
`;
    const nodes = `${node('n1', 1)}${node('n2', 8)}`.replaceAll('pods:', 'memory: 8Gi, pods:');
    const pods = web
      .replace('replicas: 2', 'replicas: 1')
      .replace(/ {10}resources: .*\n/, `      resources: { requests: { cpu: "${cpu}" } }\n`);
    const changes = await upgrade(`${nodes}${running}${pods}`, '--from', '1.33', '--to', '1.37');
    const [moved, ...others] = changes.filter(it => it.change === 'placement');
    expect(moved?.message).toContain(words);
    expect(moved?.pods?.map(it => it.after)).toEqual([{ node: 'n2', plugins: [plugin] }]);
    expect(others).toEqual([]);
  });

  test('tells of objects of the cluster that a manager wrote in a version that goes', async () => {
    const managers = [
      { manager: 'helm', operation: 'Update', apiVersion: 'storage.k8s.io/v1beta1' },
      { manager: 'fleet', operation: 'Apply', apiVersion: 'storage.k8s.io/v1' },
    ];
    const snapshot = JSON.stringify({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'VolumeAttributesClass',
      metadata: { name: 'old', managedFields: managers },
      driverName: 'csi.example.com',
    });
    const flags = ['--cluster', 'snapshot:cluster/snapshot.yaml', '--from', '1.34', '--format', 'json'];
    const { out } = await run(['upgrade', 'a.yaml', ...flags], {
      'cluster/snapshot.yaml': snapshot,
      'a.yaml': pod(''),
    });
    const { changes } = JSON.parse(out) as { readonly changes: readonly Reported[] };
    const [told, ...others] = changes.filter(it => it.code === 'upgrade/applied-version');
    expect(told?.message).toContain('old was last written by helm as storage.k8s.io/v1beta1');
    expect(others).toEqual([]);
  });

  test('tells of objects of the cluster that were applied in a version that goes', async () => {
    const applied = (name: string, version: string): string =>
      JSON.stringify({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttributesClass',
        metadata: {
          name,
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
              apiVersion: `storage.k8s.io/${version}`,
              kind: 'VolumeAttributesClass',
              metadata: { name },
            }),
          },
        },
        driverName: 'csi.example.com',
      });
    const files = {
      'cluster/snapshot.yaml': [applied('old', 'v1beta1'), applied('new', 'v1')].join('\n---\n'),
      'a.yaml': pod(''),
    };
    const flags = ['--cluster', 'snapshot:cluster/snapshot.yaml', '--from', '1.34', '--format', 'json'];
    const { out } = await run(['upgrade', 'a.yaml', ...flags], files);
    const { changes } = JSON.parse(out) as { readonly changes: readonly Reported[] };
    const ofCluster = changes.filter(it => it.code === 'upgrade/applied-version');
    expect(ofCluster.map(short)).toEqual(['not-served apply 1.37 upgrade/applied-version']);
    expect(ofCluster[0]?.message).toContain('old was last applied as storage.k8s.io/v1beta1');
    expect(ofCluster[0]?.message).toContain('use storage.k8s.io/v1 VolumeAttributesClass');
  });

  test('tells where a file says in which version it was applied', async () => {
    const text = `apiVersion: storage.k8s.io/v1
kind: VolumeAttributesClass
metadata:
  name: old
  annotations:
    kubectl.kubernetes.io/last-applied-configuration: |
      {"apiVersion":"storage.k8s.io/v1beta1","kind":"VolumeAttributesClass","metadata":{"name":"old"}}
  managedFields:
    - { manager: kube-controller-manager, operation: Update, apiVersion: storage.k8s.io/v1beta1 }
    - { manager: kubectl-client-side-apply, operation: Update, apiVersion: storage.k8s.io/v1beta1 }
driverName: csi.example.com
parameters: { iops: "1" }
`;
    const changes = await upgrade(text, '--from', '1.36', '--to', '1.37');
    const told = changes.filter(it => it.code === 'upgrade/applied-version');
    expect(told.map(it => it.fieldPath)).toEqual([
      'metadata.annotations[kubectl.kubernetes.io/last-applied-configuration]',
    ]);
    expect(told[0]?.message).toContain('old was last applied as storage.k8s.io/v1beta1');
  });

  test.each(['text', 'markdown', 'json'])('says in %s that Helm releases are not read', async format => {
    const secret = (name: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'shop' } });
    const snapshot = [1, 2].map(it => secret(`sh.helm.release.v1.web.v${it}`)).join('\n---\n');
    const files = { 'cluster/snapshot.yaml': snapshot, 'a.yaml': pod('') };
    const { out } = await run(
      ['upgrade', 'a.yaml', '--cluster', 'snapshot:cluster/snapshot.yaml', '--from', '1.36', '--format', format],
      files,
    );
    expect(out).toMatch(/Helm releases are not read, as Berth never reads the data of Secrets: shop.web\./);
  });
});
