import type { KindName, ReferenceRow, RowTarget } from './row';

/** Kinds that other objects refer to. */

const namespaced = (group: string, kind: string): KindName => ({ group, kind, scope: 'namespace' });
const clusterWide = (group: string, kind: string): KindName => ({ group, kind, scope: 'cluster' });

export const NAMED = {
  pod: namespaced('', 'Pod'),
  node: clusterWide('', 'Node'),
  namespace: clusterWide('', 'Namespace'),
  configMap: namespaced('', 'ConfigMap'),
  secret: namespaced('', 'Secret'),
  serviceAccount: namespaced('', 'ServiceAccount'),
  service: namespaced('', 'Service'),
  claim: namespaced('', 'PersistentVolumeClaim'),
  volume: clusterWide('', 'PersistentVolume'),
  storageClass: clusterWide('storage.k8s.io', 'StorageClass'),
  attributesClass: clusterWide('storage.k8s.io', 'VolumeAttributesClass'),
  csiDriver: clusterWide('storage.k8s.io', 'CSIDriver'),
  snapshot: namespaced('snapshot.storage.k8s.io', 'VolumeSnapshot'),
  snapshotClass: clusterWide('snapshot.storage.k8s.io', 'VolumeSnapshotClass'),
  snapshotContent: clusterWide('snapshot.storage.k8s.io', 'VolumeSnapshotContent'),
  groupSnapshot: namespaced('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshot'),
  groupSnapshotClass: clusterWide('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshotClass'),
  groupSnapshotContent: clusterWide('groupsnapshot.storage.k8s.io', 'VolumeGroupSnapshotContent'),
  priorityClass: clusterWide('scheduling.k8s.io', 'PriorityClass'),
  workload: namespaced('scheduling.k8s.io', 'Workload'),
  podGroup: namespaced('scheduling.k8s.io', 'PodGroup'),
  compositePodGroup: namespaced('scheduling.k8s.io', 'CompositePodGroup'),
  schedulerConfiguration: clusterWide('kubescheduler.config.k8s.io', 'KubeSchedulerConfiguration'),
  runtimeClass: clusterWide('node.k8s.io', 'RuntimeClass'),
  resourceClaim: namespaced('resource.k8s.io', 'ResourceClaim'),
  resourceClaimTemplate: namespaced('resource.k8s.io', 'ResourceClaimTemplate'),
  deviceClass: clusterWide('resource.k8s.io', 'DeviceClass'),
  ingressClass: clusterWide('networking.k8s.io', 'IngressClass'),
  gateway: namespaced('gateway.networking.k8s.io', 'Gateway'),
  gatewayClass: clusterWide('gateway.networking.k8s.io', 'GatewayClass'),
  role: namespaced('rbac.authorization.k8s.io', 'Role'),
  clusterRole: clusterWide('rbac.authorization.k8s.io', 'ClusterRole'),
  admissionPolicy: clusterWide('admissionregistration.k8s.io', 'ValidatingAdmissionPolicy'),
  mutatingPolicy: clusterWide('admissionregistration.k8s.io', 'MutatingAdmissionPolicy'),
  priorityLevel: clusterWide('flowcontrol.apiserver.k8s.io', 'PriorityLevelConfiguration'),
  trustBundle: clusterWide('certificates.k8s.io', 'ClusterTrustBundle'),
} as const satisfies Readonly<Record<string, KindName>>;

/** A row that refers to an object of one kind. */
export function names(at: string, kind: KindName, more: Omit<Partial<ReferenceRow>, 'at' | 'aim'> = {}): ReferenceRow {
  return { at, aim: { to: 'object', kind }, ...more };
}

/** A row that refers to an object of one kind, in the namespace that is given beside the name. */
export function namesIn(
  at: string,
  kind: KindName,
  namespaceField: string,
  more: Omit<Partial<ReferenceRow>, 'at' | 'aim'> = {},
): ReferenceRow {
  return { at, aim: { to: 'object', kind, namespaceField }, ...more };
}

export function selects(
  at: string,
  form: Extract<RowTarget, { to: 'pods' }>['form'],
  namespaces: Extract<RowTarget, { to: 'pods' }>['namespaces'] = 'own',
): ReferenceRow {
  return { at, aim: { to: 'pods', form, namespaces } };
}
