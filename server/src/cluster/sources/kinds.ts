/** A kind that Berth reads from a cluster. */
export interface WantedKind {
  readonly group: string;
  readonly kind: string;
  /** The resource name in URLs. */
  readonly resource: string;
  readonly scope: 'cluster' | 'namespace';
  /** names: only metadata is requested, so that no content leaves the server. */
  readonly detail: 'objects' | 'names';
}

const rows = (
  group: string,
  scope: WantedKind['scope'],
  detail: WantedKind['detail'],
  kinds: Readonly<Record<string, string>>,
): readonly WantedKind[] => Object.entries(kinds).map(([kind, resource]) => ({ group, kind, resource, scope, detail }));

/**
 * What placement, references and custom resources need of a cluster, and nothing else. For kinds that are large or may hold secrets, only
 * names are read.
 */
export const WANTED_KINDS: readonly WantedKind[] = [
  ...rows('', 'cluster', 'objects', { Node: 'nodes', Namespace: 'namespaces', PersistentVolume: 'persistentvolumes' }),
  ...rows('', 'namespace', 'objects', {
    Pod: 'pods',
    PersistentVolumeClaim: 'persistentvolumeclaims',
    LimitRange: 'limitranges',
    ResourceQuota: 'resourcequotas',
  }),
  ...rows('storage.k8s.io', 'cluster', 'objects', {
    StorageClass: 'storageclasses',
    CSINode: 'csinodes',
    CSIDriver: 'csidrivers',
    VolumeAttributesClass: 'volumeattributesclasses',
  }),
  ...rows('storage.k8s.io', 'namespace', 'objects', { CSIStorageCapacity: 'csistoragecapacities' }),
  ...rows('scheduling.k8s.io', 'cluster', 'objects', { PriorityClass: 'priorityclasses' }),
  ...rows('scheduling.k8s.io', 'namespace', 'objects', { Workload: 'workloads', PodGroup: 'podgroups' }),
  ...rows('node.k8s.io', 'cluster', 'objects', { RuntimeClass: 'runtimeclasses' }),
  ...rows('policy', 'namespace', 'objects', { PodDisruptionBudget: 'poddisruptionbudgets' }),
  ...rows('resource.k8s.io', 'cluster', 'objects', {
    DeviceClass: 'deviceclasses',
    ResourceSlice: 'resourceslices',
    DeviceTaintRule: 'devicetaintrules',
  }),
  ...rows('resource.k8s.io', 'namespace', 'objects', {
    ResourceClaim: 'resourceclaims',
    ResourceClaimTemplate: 'resourceclaimtemplates',
  }),
  ...rows('gateway.networking.k8s.io', 'namespace', 'objects', { ReferenceGrant: 'referencegrants' }),
  ...rows('snapshot.storage.k8s.io', 'cluster', 'objects', { VolumeSnapshotClass: 'volumesnapshotclasses' }),
  ...rows('networking.k8s.io', 'cluster', 'objects', { IngressClass: 'ingressclasses' }),
  ...rows('admissionregistration.k8s.io', 'cluster', 'objects', {
    ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
    ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
    MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
    MutatingAdmissionPolicyBinding: 'mutatingadmissionpolicybindings',
  }),
  ...rows('apiextensions.k8s.io', 'cluster', 'objects', { CustomResourceDefinition: 'customresourcedefinitions' }),
  ...rows('', 'namespace', 'names', {
    ConfigMap: 'configmaps',
    Secret: 'secrets',
    ServiceAccount: 'serviceaccounts',
    Service: 'services',
  }),
  ...rows('apps', 'namespace', 'names', { Deployment: 'deployments', StatefulSet: 'statefulsets' }),
  ...rows('rbac.authorization.k8s.io', 'namespace', 'names', { Role: 'roles' }),
  ...rows('rbac.authorization.k8s.io', 'cluster', 'names', { ClusterRole: 'clusterroles' }),
  ...rows('snapshot.storage.k8s.io', 'namespace', 'names', { VolumeSnapshot: 'volumesnapshots' }),
  ...rows('snapshot.storage.k8s.io', 'cluster', 'names', { VolumeSnapshotContent: 'volumesnapshotcontents' }),
];

/** `PersistentVolumeClaim` for the core group, else `StorageClass of storage.k8s.io`. */
export function kindInWords({ group, kind }: Pick<WantedKind, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind} of ${group}`;
}
