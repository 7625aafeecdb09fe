import type { UnknownObject } from '../../base/json';
import type { Node, Pod, StorageClass, StringMap, Taint } from '../../kube/types';

interface NodeShape {
  readonly name: string;
  readonly zone: string;
  readonly instanceType: string;
  readonly cpu: number;
  readonly memoryGi: number;
  readonly labels?: StringMap;
  readonly taints?: readonly Taint[];
  readonly extended?: StringMap;
}

const REGION = 'example-1';

const SHAPES: readonly NodeShape[] = [
  {
    name: 'control-plane-1',
    zone: 'a',
    instanceType: 'standard-4',
    cpu: 4,
    memoryGi: 16,
    labels: { 'node-role.kubernetes.io/control-plane': '' },
    taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }],
  },
  { name: 'worker-a-1', zone: 'a', instanceType: 'standard-4', cpu: 4, memoryGi: 16 },
  { name: 'worker-a-2', zone: 'a', instanceType: 'highmem-8', cpu: 8, memoryGi: 64 },
  { name: 'worker-b-1', zone: 'b', instanceType: 'standard-4', cpu: 4, memoryGi: 16 },
  { name: 'worker-b-2', zone: 'b', instanceType: 'standard-8', cpu: 8, memoryGi: 32 },
  { name: 'worker-c-1', zone: 'c', instanceType: 'standard-4', cpu: 4, memoryGi: 16 },
  { name: 'worker-c-2', zone: 'c', instanceType: 'standard-2', cpu: 2, memoryGi: 8 },
  {
    name: 'gpu-a-1',
    zone: 'a',
    instanceType: 'gpu-16',
    cpu: 16,
    memoryGi: 64,
    labels: { 'nvidia.com/gpu.present': 'true' },
    taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
    extended: { 'nvidia.com/gpu': '2' },
  },
];

/** Reserved on every node for the kubelet and the system. */
const RESERVED_CPU_MILLI = 100;
const RESERVED_MEMORY_MI = 512;

/**
 * The cluster for placement when the workspace describes none: three zones, six workers of different sizes, a control
 * plane and a GPU node with their taints, storage classes, and the system Pods of such a cluster. Plain API objects, as
 * in a file.
 */
export function defaultClusterObjects(): readonly UnknownObject[] {
  const objects: readonly unknown[] = [
    ...SHAPES.map(nodeOf),
    storageClass('standard', 'true'),
    storageClass('fast', 'false'),
    ...SHAPES.flatMap(it => [
      systemPod(`kube-proxy-${it.name}`, it.name, 'kube-proxy', 'DaemonSet', 'system-node-critical', {}),
      systemPod(`network-${it.name}`, it.name, 'network', 'DaemonSet', 'system-node-critical', {
        cpu: '100m',
        memory: '128Mi',
      }),
    ]),
    ...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map(it =>
      systemPod(`${it}-control-plane-1`, 'control-plane-1', it, 'Node', 'system-node-critical', {
        cpu: '200m',
        memory: '512Mi',
      }),
    ),
    ...['worker-a-1', 'worker-b-1'].map((node, i) =>
      systemPod(`coredns-${i + 1}`, node, 'coredns', 'ReplicaSet', 'system-cluster-critical', {
        cpu: '100m',
        memory: '70Mi',
      }),
    ),
  ];
  return objects as readonly UnknownObject[];
}

function nodeOf(shape: NodeShape): Node {
  const capacity = {
    cpu: String(shape.cpu),
    memory: `${shape.memoryGi}Gi`,
    'ephemeral-storage': '100Gi',
    pods: '110',
    ...shape.extended,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: shape.name,
      labels: {
        'kubernetes.io/hostname': shape.name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'node.kubernetes.io/instance-type': shape.instanceType,
        'topology.kubernetes.io/region': REGION,
        'topology.kubernetes.io/zone': `${REGION}${shape.zone}`,
        ...shape.labels,
      },
    },
    spec: { ...(shape.taints && { taints: shape.taints }) },
    status: {
      capacity,
      allocatable: {
        ...capacity,
        cpu: `${shape.cpu * 1000 - RESERVED_CPU_MILLI}m`,
        memory: `${shape.memoryGi * 1024 - RESERVED_MEMORY_MI}Mi`,
      },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      nodeInfo: { operatingSystem: 'linux', architecture: 'amd64' },
    },
  };
}

function storageClass(name: string, isDefault: 'true' | 'false'): StorageClass {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': isDefault } },
    provisioner: 'csi.example.com',
    reclaimPolicy: 'Delete',
    volumeBindingMode: 'WaitForFirstConsumer',
    allowVolumeExpansion: true,
  };
}

function systemPod(
  name: string,
  nodeName: string,
  app: string,
  owner: 'DaemonSet' | 'ReplicaSet' | 'Node',
  priorityClassName: string,
  requests: StringMap,
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'kube-system',
      labels: { 'k8s-app': app },
      ownerReferences: [
        {
          apiVersion: owner === 'Node' ? 'v1' : 'apps/v1',
          kind: owner,
          name: owner === 'Node' ? nodeName : app,
          controller: true,
        },
      ],
    },
    spec: {
      nodeName,
      priorityClassName,
      containers: [{ name: app, image: `registry.k8s.io/${app}:v1`, resources: { requests } }],
      tolerations: [{ operator: 'Exists' }],
    },
    status: { phase: 'Running' },
  };
}
