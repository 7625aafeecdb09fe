import type { UnknownObject } from '../../../base/json';
import type { Pod, StringMap } from '../../../kube/types';
import type { KindConfig } from './config';

/** The objects that kind and kubeadm install into a new cluster, if they use resources or manifests refer to them. */
export function kindSystemObjects({ nodes, networking }: KindConfig): readonly UnknownObject[] {
  const controlPlanes = nodes.filter(it => it.role === 'control-plane').map(it => it.name);
  const first = controlPlanes[0] ?? '';
  const objects: readonly unknown[] = [
    ...['default', 'kube-node-lease', 'kube-public', 'kube-system', 'local-path-storage'].map(name => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    })),
    STANDARD_CLASS,
    ...controlPlanes.flatMap(node => STATIC_PODS.map(([name, requests]) => staticPod(name, node, requests))),
    ...nodes.flatMap(({ name }) => [
      ...(networking.kubeProxy === 'none' ? [] : [pod(`kube-proxy-${name}`, name, DAEMONS['kube-proxy'])]),
      ...(networking.cni === 'none' ? [] : [pod(`kindnet-${name}`, name, DAEMONS.kindnet)]),
    ]),
    // They are created while the first control plane is the only node, and tolerate its taint.
    ...['coredns-1', 'coredns-2'].map(name => pod(name, first, COREDNS)),
    pod('local-path-provisioner', first, PROVISIONER),
  ];
  return objects as readonly UnknownObject[];
}

/** Upstream: defaultStorageManifest of kind. */
const STANDARD_CLASS = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'rancher.io/local-path',
  volumeBindingMode: 'WaitForFirstConsumer',
  reclaimPolicy: 'Delete',
};

/** Requests in kubeadm's manifests of the control plane. */
const STATIC_PODS: readonly (readonly [string, StringMap])[] = [
  ['etcd', { cpu: '100m', memory: '100Mi' }],
  ['kube-apiserver', { cpu: '250m' }],
  ['kube-controller-manager', { cpu: '200m' }],
  ['kube-scheduler', { cpu: '100m' }],
];

interface SystemPod {
  readonly namespace: string;
  readonly app: string;
  readonly owner: { readonly apiVersion: string; readonly kind: string; readonly name: string };
  readonly priorityClassName?: string;
  readonly requests: StringMap;
}

const replicaSet = (name: string): SystemPod['owner'] => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name });
const daemonSet = (name: string): SystemPod['owner'] => ({ apiVersion: 'apps/v1', kind: 'DaemonSet', name });

const DAEMONS = {
  'kube-proxy': {
    namespace: 'kube-system',
    app: 'kube-proxy',
    owner: daemonSet('kube-proxy'),
    priorityClassName: 'system-node-critical',
    requests: {},
  },
  kindnet: {
    namespace: 'kube-system',
    app: 'kindnet',
    owner: daemonSet('kindnet'),
    priorityClassName: 'system-node-critical',
    requests: { cpu: '100m', memory: '50Mi' },
  },
} as const satisfies Readonly<Record<string, SystemPod>>;

const COREDNS: SystemPod = {
  namespace: 'kube-system',
  app: 'kube-dns',
  owner: replicaSet('coredns'),
  priorityClassName: 'system-cluster-critical',
  requests: { cpu: '100m', memory: '70Mi' },
};

const PROVISIONER: SystemPod = {
  namespace: 'local-path-storage',
  app: 'local-path-provisioner',
  owner: replicaSet('local-path-provisioner'),
  requests: {},
};

function staticPod(name: string, node: string, requests: StringMap): Pod {
  return pod(`${name}-${node}`, node, {
    namespace: 'kube-system',
    app: name,
    owner: { apiVersion: 'v1', kind: 'Node', name: node },
    priorityClassName: 'system-node-critical',
    requests,
  });
}

function pod(name: string, nodeName: string, { namespace, app, owner, priorityClassName, requests }: SystemPod): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { 'k8s-app': app }, ownerReferences: [{ ...owner, controller: true }] },
    spec: {
      nodeName,
      ...(priorityClassName !== undefined && { priorityClassName }),
      containers: [{ name: app, image: app, resources: { requests } }],
      tolerations: [{ operator: 'Exists' }],
    },
    status: { phase: 'Running' },
  };
}
