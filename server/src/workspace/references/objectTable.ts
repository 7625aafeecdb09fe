import { NAMED, names, namesIn, selects } from './kinds';
import type { Bundle, BundleLocation, PartRow, ReferenceRow } from './row';

/** References in objects other than PodSpecs. */

const of = (group: string, ...kinds: readonly string[]): readonly BundleLocation[] =>
  kinds.map(kind => ({ group, kind, path: '' }));

const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const SNAPSHOT = 'snapshot.storage.k8s.io';
const GROUP_SNAPSHOT = 'groupsnapshot.storage.k8s.io';

const SERVICE_PORT: readonly PartRow[] = [
  { at: 'port.name', what: 'port', names: ['spec.ports[].name'] },
  { at: 'port.number', what: 'port', names: ['spec.ports[].port'] },
];
const OLD_SERVICE_PORT: readonly PartRow[] = [
  { at: 'servicePort', what: 'port', names: ['spec.ports[].name', 'spec.ports[].port'] },
];

const podPort = (at: string, selector: string, form: 'labels' | 'labelSelector'): ReferenceRow => ({
  at,
  aim: {
    to: 'podPart',
    selector,
    form,
    what: 'port',
    names: ['containers[].ports[].name', 'initContainers[].ports[].name'],
  },
});

const ingressBackend = (at: string): readonly ReferenceRow[] => [
  names(`${at}.service.name`, NAMED.service, { parts: SERVICE_PORT }),
  { at: `${at}.resource.name`, aim: { to: 'typed', groupField: 'apiGroup' } },
  names(`${at}.serviceName`, NAMED.service, { parts: OLD_SERVICE_PORT }),
];

const ingress: readonly ReferenceRow[] = [
  names('spec.ingressClassName', NAMED.ingressClass),
  names('spec.tls[].secretName', NAMED.secret),
  ...ingressBackend('spec.defaultBackend'),
  ...ingressBackend('spec.backend'),
  ...ingressBackend('spec.rules[].http.paths[].backend'),
];

const podGroupClaims = (at: string): readonly ReferenceRow[] => [
  names(`${at}priorityClassName`, NAMED.priorityClass),
  names(`${at}resourceClaims[].resourceClaimName`, NAMED.resourceClaim),
  names(`${at}resourceClaims[].resourceClaimTemplateName`, NAMED.resourceClaimTemplate),
];

/** The maximum nesting of composite groups. Upstream: scheduling.WorkloadMaxTemplateDepth. */
const COMPOSITE_PATHS = [1, 2, 3, 4].map(depth =>
  ['spec', ...Array.from({ length: depth }, () => 'compositePodGroupTemplates[]')].join('.'),
);

const WORKLOAD_TEMPLATES = [
  'spec.podGroupTemplates[].name',
  ...COMPOSITE_PATHS.flatMap(it => [`${it}.name`, `${it}.podGroupTemplates[].name`]),
];

const workload: readonly ReferenceRow[] = [
  { at: 'spec.controllerRef.name', aim: { to: 'typed', groupField: 'apiGroup' } },
  ...podGroupClaims('spec.podGroupTemplates[].'),
  ...COMPOSITE_PATHS.flatMap(it => [
    names(`${it}.priorityClassName`, NAMED.priorityClass),
    ...podGroupClaims(`${it}.podGroupTemplates[].`),
  ]),
];

const groupOfPods: readonly ReferenceRow[] = [
  names('spec.parentCompositePodGroupName', NAMED.compositePodGroup),
  names('spec.workloadRef.workloadName', NAMED.workload, {
    parts: [{ at: 'templateName', what: 'template', names: WORKLOAD_TEMPLATES }],
  }),
  ...podGroupClaims('spec.'),
];

const deviceClasses = (at: string): readonly ReferenceRow[] =>
  ['deviceClassName', 'exactly.deviceClassName', 'firstAvailable[].deviceClassName'].map(it =>
    names(`${at}.devices.requests[].${it}`, NAMED.deviceClass),
  );

const deviceRequests = (at: string): readonly ReferenceRow[] =>
  ['constraints[].requests[]', 'config[].requests[]'].map(it => ({
    at: `${at}.devices.${it}`,
    aim: { to: 'local', scope: 'object', what: 'device request', names: [`${at}.devices.requests[].name`] },
  }));

const volumeSecrets: readonly ReferenceRow[] = [
  ...['controllerExpand', 'controllerPublish', 'nodeExpand', 'nodePublish', 'nodeStage'].map(
    it => `csi.${it}SecretRef.name`,
  ),
  ...['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'].map(it => `${it}.secretRef.name`),
].map(it => namesIn(`spec.${it}`, NAMED.secret, 'namespace'));

const volume: readonly ReferenceRow[] = [
  names('spec.storageClassName', NAMED.storageClass, { isOptional: true }),
  names('spec.volumeAttributesClassName', NAMED.attributesClass),
  namesIn('spec.claimRef.name', NAMED.claim, 'namespace', { isOptional: true }),
  names('spec.csi.driver', NAMED.csiDriver, { isOptional: true }),
  namesIn('spec.azureFile.secretName', NAMED.secret, 'secretNamespace'),
  ...volumeSecrets,
];

/** Upstream: external-provisioner getSecretReference, and the same in the other sidecars. */
const classSecrets: readonly ReferenceRow[] = [
  'provisioner',
  'controller-publish',
  'node-stage',
  'node-publish',
  'controller-expand',
  'node-expand',
  'snapshotter',
  'snapshotter-list',
].map(it =>
  namesIn(
    `parameters["csi.storage.k8s.io/${it}-secret-name"]`,
    NAMED.secret,
    `csi.storage.k8s.io/${it}-secret-namespace`,
  ),
);

const webhookService = (at: string): ReferenceRow => namesIn(`${at}.service.name`, NAMED.service, 'namespace');

const scaleTarget = (at: string): ReferenceRow => ({ at, aim: { to: 'typed', groupField: 'apiVersion' } });

export const OBJECT_BUNDLES: readonly Bundle[] = [
  { places: [...of('networking.k8s.io', 'Ingress'), ...of('extensions', 'Ingress')], rows: ingress },
  {
    places: of('', 'Service'),
    rows: [selects('spec.selector', 'labels'), podPort('spec.ports[].targetPort', 'spec.selector', 'labels')],
  },
  { places: of('policy', 'PodDisruptionBudget'), rows: [selects('spec.selector', 'labelSelector')] },
  {
    places: [...of('networking.k8s.io', 'NetworkPolicy'), ...of('extensions', 'NetworkPolicy')],
    rows: [
      selects('spec.podSelector', 'labelSelector'),
      podPort('spec.ingress[].ports[].port', 'spec.podSelector', 'labelSelector'),
      selects('spec.ingress[].from[].podSelector', 'labelSelector', 'peer'),
      selects('spec.egress[].to[].podSelector', 'labelSelector', 'peer'),
    ],
  },
  {
    places: of('autoscaling', 'HorizontalPodAutoscaler'),
    rows: [
      scaleTarget('spec.scaleTargetRef.name'),
      scaleTarget('spec.metrics[].object.describedObject.name'),
      scaleTarget('spec.metrics[].object.target.name'),
    ],
  },
  { places: of('autoscaling.k8s.io', 'VerticalPodAutoscaler'), rows: [scaleTarget('spec.targetRef.name')] },
  { places: of('apps', 'StatefulSet'), rows: [names('spec.serviceName', NAMED.service)] },
  {
    places: of('', 'ServiceAccount'),
    rows: [
      names('imagePullSecrets[].name', NAMED.secret, { isOptional: true }),
      namesIn('secrets[].name', NAMED.secret, 'namespace', { isOptional: true }),
    ],
  },
  {
    places: of(RBAC, 'RoleBinding', 'ClusterRoleBinding'),
    rows: [
      names('roleRef.name', NAMED.role, { when: { field: 'kind', is: ['Role'] } }),
      names('roleRef.name', NAMED.clusterRole, { when: { field: 'kind', is: ['ClusterRole'] } }),
      namesIn('subjects[].name', NAMED.serviceAccount, 'namespace', {
        when: { field: 'kind', is: ['ServiceAccount'] },
      }),
    ],
  },
  { places: of('', 'PersistentVolume'), rows: volume },
  {
    places: [...of('storage.k8s.io', 'StorageClass'), ...of(SNAPSHOT, 'VolumeSnapshotClass')],
    rows: classSecrets,
  },
  { places: of('storage.k8s.io', 'CSIStorageCapacity'), rows: [names('storageClassName', NAMED.storageClass)] },
  {
    places: of('storage.k8s.io', 'VolumeAttachment'),
    rows: [names('spec.nodeName', NAMED.node), names('spec.source.persistentVolumeName', NAMED.volume)],
  },
  { places: of('storage.k8s.io', 'CSINode'), rows: [names('metadata.name', NAMED.node)] },
  {
    places: of(SNAPSHOT, 'VolumeSnapshot'),
    rows: [
      names('spec.volumeSnapshotClassName', NAMED.snapshotClass),
      names('spec.source.persistentVolumeClaimName', NAMED.claim),
      names('spec.source.volumeSnapshotContentName', NAMED.snapshotContent),
    ],
  },
  {
    places: of(SNAPSHOT, 'VolumeSnapshotContent'),
    rows: [
      names('spec.volumeSnapshotClassName', NAMED.snapshotClass),
      namesIn('spec.volumeSnapshotRef.name', NAMED.snapshot, 'namespace', { isOptional: true }),
    ],
  },
  {
    places: of(GROUP_SNAPSHOT, 'VolumeGroupSnapshot'),
    rows: [
      names('spec.volumeGroupSnapshotClassName', NAMED.groupSnapshotClass),
      names('spec.source.volumeGroupSnapshotContentName', NAMED.groupSnapshotContent),
    ],
  },
  {
    places: of(GROUP_SNAPSHOT, 'VolumeGroupSnapshotContent'),
    rows: [
      names('spec.volumeGroupSnapshotClassName', NAMED.groupSnapshotClass),
      namesIn('spec.volumeGroupSnapshotRef.name', NAMED.groupSnapshot, 'namespace', { isOptional: true }),
    ],
  },
  {
    places: of('resource.k8s.io', 'ResourceClaim'),
    rows: [...deviceClasses('spec'), ...deviceRequests('spec')],
  },
  {
    places: of('resource.k8s.io', 'ResourceClaimTemplate'),
    rows: [...deviceClasses('spec.spec'), ...deviceRequests('spec.spec')],
  },
  {
    places: of('resource.k8s.io', 'ResourceSlice'),
    rows: [names('spec.nodeName', NAMED.node)],
  },
  { places: of('scheduling.k8s.io', 'Workload'), rows: workload },
  { places: of('scheduling.k8s.io', 'PodGroup', 'CompositePodGroup'), rows: groupOfPods },
  {
    places: of('', 'ResourceQuota'),
    rows: [
      names('spec.scopeSelector.matchExpressions[].values[]', NAMED.priorityClass, {
        when: { field: 'scopeName', is: ['PriorityClass'] },
      }),
      names('spec.scopeSelector.matchExpressions[].values[]', NAMED.attributesClass, {
        when: { field: 'scopeName', is: ['VolumeAttributesClass'] },
      }),
    ],
  },
  {
    places: of(ADMISSION, 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'),
    rows: [webhookService('webhooks[].clientConfig')],
  },
  {
    places: of(ADMISSION, 'ValidatingAdmissionPolicyBinding'),
    rows: [names('spec.policyName', NAMED.admissionPolicy)],
  },
  {
    places: of(ADMISSION, 'MutatingAdmissionPolicyBinding'),
    rows: [names('spec.policyName', NAMED.mutatingPolicy)],
  },
  {
    places: of('apiextensions.k8s.io', 'CustomResourceDefinition'),
    rows: [webhookService('spec.conversion.webhook.clientConfig')],
  },
  { places: of('apiregistration.k8s.io', 'APIService'), rows: [webhookService('spec')] },
  {
    places: of('flowcontrol.apiserver.k8s.io', 'FlowSchema'),
    rows: [
      names('spec.priorityLevelConfiguration.name', NAMED.priorityLevel),
      namesIn('spec.rules[].subjects[].serviceAccount.name', NAMED.serviceAccount, 'namespace'),
    ],
  },
  { places: of('', 'Endpoints'), rows: [names('metadata.name', NAMED.service)] },
];
