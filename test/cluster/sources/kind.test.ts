import { describe, expect, test } from 'vitest';
import { contentOfFile } from '../../../server/src/analysis/clusters/sources';
import type { ClusterContent } from '../../../server/src/cluster/sources/content';
import type { Node, StorageClass } from '../../../server/src/kube/types';
import { runScenario } from '../../../server/src/scheduler/scenario';

const HEAD = 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n';
const CONTROL_PLANE = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

const cluster = (text: string, minor = '1.37'): ClusterContent => contentOfFile('kind', HEAD + text, minor);
const nodesOf = ({ objects }: ClusterContent): readonly Node[] =>
  objects.filter(it => it.kind === 'Node') as readonly Node[];
const taintsOf = (content: ClusterContent, name: string): Node['spec'] =>
  nodesOf(content).find(it => it.metadata?.name === name)?.spec;

describe('a configuration of kind', () => {
  test('gives nodes kind’s names and taints the control planes', () => {
    const content = cluster(`
name: shop
nodes:
- role: worker
- role: control-plane
- {}
- role: worker
`);
    expect(nodesOf(content).map(it => it.metadata?.name)).toEqual([
      'shop-worker',
      'shop-control-plane',
      'shop-control-plane2',
      'shop-worker2',
    ]);
    expect(taintsOf(content, 'shop-control-plane')).toEqual({ taints: [CONTROL_PLANE] });
    expect(taintsOf(content, 'shop-control-plane2')).toEqual({ taints: [CONTROL_PLANE] });
    expect(taintsOf(content, 'shop-worker')).toEqual({});
  });

  test('runs what its images name', () => {
    const content = cluster(`
nodes:
- { role: control-plane, image: "kindest/node:v1.34.0@sha256:0123" }
- { role: worker, image: "registry:5000/kindest/node:v1.33" }
- role: worker
`);
    expect(content.kubernetesVersion).toBe('1.34.0');
    expect(nodesOf(content).map(it => it.status?.nodeInfo?.kubeletVersion)).toEqual(['v1.34.0', undefined, undefined]);
  });

  test('removes the taint and the load balancer label from a single node', () => {
    const [node, ...others] = nodesOf(cluster(''));
    expect(others).toEqual([]);
    expect(node?.metadata?.name).toBe('kind-control-plane');
    expect(node?.spec).toEqual({});
    expect(node?.metadata?.labels).toHaveProperty(['node-role.kubernetes.io/control-plane'], '');
    expect(node?.metadata?.labels).not.toHaveProperty(['node.kubernetes.io/exclude-from-external-load-balancers']);
  });

  test('reads taints and labels of kubeadm patches, as list and as map', () => {
    const content = cluster(`
nodes:
- role: control-plane
  kubeadmConfigPatches:
  - |
    kind: InitConfiguration
    nodeRegistration:
      taints: []
- role: worker
  labels: { tier: front }
  kubeadmConfigPatches:
  - |
    kind: JoinConfiguration
    nodeRegistration:
      taints: [{ key: gpu, value: "yes", effect: NoSchedule }]
- role: worker
  labels: { tier: back }
  kubeadmConfigPatches:
  - |
    apiVersion: kubeadm.k8s.io/v1beta4
    kind: JoinConfiguration
    nodeRegistration:
      kubeletExtraArgs:
      - { name: node-labels, value: "disk=ssd,topology.kubernetes.io/zone=a" }
      - { name: register-with-taints, value: "db=only:NoExecute" }
- role: worker
  kubeadmConfigPatches:
  - |
    kind: JoinConfiguration
    nodeRegistration:
      kubeletExtraArgs:
        node-labels: "disk=hdd"
`);
    expect(taintsOf(content, 'kind-control-plane')).toEqual({});
    expect(taintsOf(content, 'kind-worker')).toEqual({ taints: [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }] });
    expect(taintsOf(content, 'kind-worker2')).toEqual({ taints: [{ key: 'db', value: 'only', effect: 'NoExecute' }] });
    const labels = nodesOf(content).map(it => it.metadata?.labels ?? {});
    expect(labels[1]).toMatchObject({ tier: 'front' });
    expect(labels[2]).toMatchObject({ disk: 'ssd', 'topology.kubernetes.io/zone': 'a' });
    expect(labels[2], 'a patch of node-labels replaces the labels of the node').not.toHaveProperty('tier');
    expect(labels[3]).toMatchObject({ disk: 'hdd' });
    expect(content.notes).toEqual([]);
  });

  test('applies a map to v1beta3, and reports the patch that kind ignores', () => {
    const patches = (version: string): string => `
nodes:
- role: control-plane
- role: worker
  image: kindest/node:v1.34.0@sha256:0123456789abcdef
  kubeadmConfigPatches:
  - |
    apiVersion: kubeadm.k8s.io/${version}
    kind: JoinConfiguration
    nodeRegistration:
      kubeletExtraArgs:
        node-labels: "disk=ssd"
`;
    expect(nodesOf(cluster(patches('v1beta3')))[1]?.metadata?.labels).toHaveProperty('disk', 'ssd');
    const left = cluster(patches('v1beta4'));
    expect(nodesOf(left)[1]?.metadata?.labels).not.toHaveProperty('disk');
    expect(left.notes).toEqual([
      'kind-worker: a patch for kubeadm.k8s.io/v1beta4 is not applied, as kind writes kubeadm.k8s.io/v1beta3 for this Kubernetes version.',
    ]);
  });

  test('reserves what the kubelet of the first control plane reserves', () => {
    const content = cluster(`
kubeadmConfigPatches:
- |
  kind: KubeletConfiguration
  maxPods: 40
  kubeReserved: { cpu: 500m }
  systemReserved: { memory: 4Gi }
nodes: [{ role: control-plane }, { role: worker }]
`);
    expect(nodesOf(content).map(it => it.status?.allocatable)).toEqual(
      Array(2).fill({ cpu: '7500m', memory: '12Gi', 'ephemeral-storage': '100Gi', pods: '40' }),
    );
  });

  test('has the storage class, the gates, the version and the Pods that kind installs', () => {
    const content = cluster(`
featureGates: { GenericWorkload: true }
networking: { disableDefaultCNI: true }
nodes:
- image: kindest/node:v1.35.1
- role: worker
  labels: { app.kubernetes.io/part-of: x }
`);
    const found = content.objects.find(it => it.kind === 'StorageClass') as StorageClass;
    expect([found.metadata?.name, found.provisioner, found.volumeBindingMode]).toEqual([
      'standard',
      'rancher.io/local-path',
      'WaitForFirstConsumer',
    ]);
    expect(content.featureGates).toEqual({ GenericWorkload: true });
    expect(content.kubernetesVersion).toBe('1.35.1');
    const pods = content.objects.flatMap(it => (it.kind === 'Pod' ? [(it.metadata as { name: string }).name] : []));
    expect(pods.filter(it => it.startsWith('kindnet'))).toEqual([]);
    expect(pods).toContain('kube-proxy-kind-worker');
    expect(content.notes).toEqual([
      'kind-worker: the kubelet refuses to start with the label app.kubernetes.io/part-of, as it may not set labels of kubernetes.io.',
    ]);
  });

  test.each([
    ['{ apiServer: { extraArgs: { feature-gates: "GenericWorkload=true,GangScheduling=false" } } }'],
    ['{ scheduler: { extraArgs: [{ name: feature-gates, value: "GenericWorkload=true, GangScheduling=false" }] } }'],
  ])('has the gates that a patch of the ClusterConfiguration sets over its own: %s', patch => {
    const content = cluster(`
featureGates: { GangScheduling: true, NodeSwap: false }
kubeadmConfigPatches:
- |
  kind: ClusterConfiguration
  ${patch.slice(2, -2)}
- |
  kind: ClusterConfiguration
  controllerManager: { extraArgs: { feature-gates: "Other=true", v: "4" } }
nodes: [{ role: control-plane }]
`);
    expect(content.featureGates).toEqual({ GangScheduling: false, NodeSwap: false, GenericWorkload: true });
  });

  test('runs Pods and binds their claims', () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'db' },
      spec: {
        containers: [{ name: 'db', image: 'db' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
    };
    const { objects } = cluster('nodes: [{ role: control-plane }, { role: worker }]');
    const result = runScenario([...objects, claim, pod], { kubernetesVersion: '1.37' });
    expect(result.placements).toEqual({ 'default/db': 'kind-worker' });
    expect(result.notes).toEqual([]);
  });

  test.each([
    ['nodes: [{ role: worker }]', 'at least one control-plane'],
    ['nodes: [{ role: master }]', '"master" is not a role'],
    ['name: My_Cluster', '"My_Cluster" is not a name'],
    ['nodes: 3', 'not a list'],
    ['nodes: [', 'cannot be read'],
  ])('%s is told as kind would: %s', (text, why) => {
    expect(cluster(text)).toMatchObject({ state: 'unreachable', reason: expect.stringContaining(why), objects: [] });
  });

  test('other documents are no configuration', () => {
    const { state, reason } = contentOfFile('kind', 'apiVersion: v1\nkind: Node\n', '1.37');
    expect([state, reason]).toEqual(['unreachable', 'the file holds no Cluster of kind.x-k8s.io/v1alpha4']);
  });
});
