// The cluster of a proof: 12 nodes in three zones, with what placement depends on besides them.
const ZONES = ['a', 'b', 'c'];
const GIB = 1024 ** 3;

/** Sizes of nodes; each `taint` keeps away what does not tolerate it. */
const NODES = [
  ...ZONES.map(zone => ({ zone, type: 'large', cpu: '16', memory: '64Gi' })),
  ...[...ZONES, 'a', 'b'].map(zone => ({ zone, type: 'medium', cpu: '8', memory: '32Gi' })),
  ...['a', 'c'].map(zone => ({ zone, type: 'gpu', cpu: '16', memory: '64Gi', gpus: '4', taint: 'nvidia.com/gpu' })),
  { zone: 'b', type: 'small', cpu: '4', memory: '8Gi' },
  { zone: 'c', type: 'edge', cpu: '4', memory: '16Gi', taint: 'dedicated' },
];

const nodeObject = ({ zone, type, cpu, memory, gpus, taint }, index) => {
  const name = `ip-10-0-${ZONES.indexOf(zone) + 1}-${10 + index}.example.internal`;
  const capacity = { cpu, memory, pods: '110', 'ephemeral-storage': '100Gi', ...(gpus && { 'nvidia.com/gpu': gpus }) };
  // What is kept for the system differs from node to node, so that few nodes score the same.
  const kept = {
    cpu: `${1000 * Number(cpu) - 100 - 70 * index}m`,
    memory: `${parseInt(memory, 10) * 1024 - 300 - 130 * index}Mi`,
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'kubernetes.io/arch': index % 4 === 3 ? 'arm64' : 'amd64',
        'node.kubernetes.io/instance-type': type,
        'topology.kubernetes.io/zone': zone,
      },
    },
    spec: taint ? { taints: [{ key: taint, value: 'true', effect: 'NoSchedule' }] } : {},
    status: {
      capacity,
      allocatable: { ...capacity, ...kept },
      conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
      images: index % 5 === 0 ? [{ names: ['registry.example/large:1'], sizeBytes: GIB }] : [],
      nodeInfo: NODE_INFO,
    },
  };
};

const NODE_INFO = {
  machineID: 'm',
  systemUUID: 's',
  bootID: 'b',
  kernelVersion: '6.1',
  osImage: 'linux',
  containerRuntimeVersion: 'containerd://2.0',
  kubeletVersion: 'v1.37.1',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
};

const priorityClass = (name, value, preemptionPolicy) => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  ...(preemptionPolicy && { preemptionPolicy }),
});

const storageClass = (name, volumeBindingMode) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name },
  provisioner: 'kubernetes.io/no-provisioner',
  volumeBindingMode,
});

const volume = (name, storageClassName, key, value, storage) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name },
  spec: {
    capacity: { storage },
    accessModes: ['ReadWriteOnce'],
    persistentVolumeReclaimPolicy: 'Retain',
    storageClassName,
    local: { path: `/disks/${name}` },
    nodeAffinity: {
      required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values: [value] }] }] },
    },
  },
});

/** The objects of the cluster, in the order in which they are created. */
export function clusterObjects() {
  const nodes = NODES.map(nodeObject);
  const disks = nodes
    .slice(0, 8)
    .map((it, index) =>
      volume(`disk-${index}`, 'local', 'kubernetes.io/hostname', it.metadata.name, index % 2 ? '100Gi' : '20Gi'),
    );
  const zonal = ZONES.map(zone => volume(`zonal-${zone}`, 'zonal', 'topology.kubernetes.io/zone', zone, '50Gi'));
  return [
    ...nodes,
    priorityClass('high', 100_000),
    priorityClass('patient', 50_000, 'Never'),
    priorityClass('low', -100),
    storageClass('local', 'WaitForFirstConsumer'),
    storageClass('zonal', 'Immediate'),
    ...disks,
    ...zonal,
    {
      apiVersion: 'node.k8s.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'sandboxed' },
      handler: 'sandboxed',
      overhead: { podFixed: { cpu: '500m', memory: '256Mi' } },
      scheduling: { nodeSelector: { 'kubernetes.io/arch': 'amd64' } },
    },
  ];
}
