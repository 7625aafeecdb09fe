/**
 * What upstream's generated lifecycles do not say about API versions: those that were gone before releases had lifecycles,
 * and what takes the place of a kind that has no successor of its own name in its group.
 */
export interface RemovedApi {
  readonly introduced?: string;
  readonly deprecated?: string;
  /** The first minor that does not have it. */
  readonly removed?: string;
  /** "apps/v1 Deployment" */
  readonly replacement?: string;
  /** A clause: what to do where no API version takes its place. */
  readonly advice?: string;
}

type Row = readonly [apiVersion: string, kinds: string, life: RemovedApi];

const POD_SECURITY = 'no API takes its place: Pod Security admission, configured by labels of namespaces, does';
const WEBHOOK = 'a MutatingWebhookConfiguration or a MutatingAdmissionPolicy does its work';
const AUDIT = 'use audit.k8s.io/v1, which has the same fields';
const SCHEDULER_ALLOCATES = 'the scheduler allocates claims itself';
const STRUCTURED_PARAMETERS = 'its parameters moved into ResourceClaims and DeviceClasses of resource.k8s.io/v1';

/** Minors are those of api/openapi-spec/swagger.json of the releases 1.5 to 1.30, older ones of the release notes. */
const ROWS: readonly Row[] = [
  [
    'admissionregistration.k8s.io/v1alpha1',
    'InitializerConfiguration',
    { introduced: '1.7', removed: '1.14', advice: WEBHOOK },
  ],
  [
    'admissionregistration.k8s.io/v1alpha1',
    'ExternalAdmissionHookConfiguration',
    {
      introduced: '1.7',
      removed: '1.9',
      replacement: 'admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration',
    },
  ],
  ['apps/v1alpha1', 'PetSet', { introduced: '1.3', removed: '1.5', replacement: 'apps/v1 StatefulSet' }],
  [
    'audit.k8s.io/v1alpha1',
    'Event EventList Policy PolicyList',
    { introduced: '1.7', deprecated: '1.21', removed: '1.24', advice: AUDIT },
  ],
  [
    'audit.k8s.io/v1beta1',
    'Event EventList Policy PolicyList',
    { introduced: '1.8', deprecated: '1.21', removed: '1.24', advice: AUDIT },
  ],
  [
    'auditregistration.k8s.io/v1alpha1',
    'AuditSink',
    {
      introduced: '1.13',
      removed: '1.19',
      advice: 'the API server sends audit events to the webhook that its flags name',
    },
  ],
  ['autoscaling/v2alpha1', 'HorizontalPodAutoscaler', { introduced: '1.6', deprecated: '1.8', removed: '1.9' }],
  ['batch/v2alpha1', 'CronJob', { introduced: '1.5', deprecated: '1.8', removed: '1.21' }],
  ['batch/v2alpha1', 'ScheduledJob', { introduced: '1.4', removed: '1.8', replacement: 'batch/v1 CronJob' }],
  ['batch/v2alpha1', 'Job', { introduced: '1.4', removed: '1.6' }],
  ['certificates.k8s.io/v1alpha1', 'CertificateSigningRequest', { introduced: '1.4', removed: '1.6' }],
  ['discovery.k8s.io/v1alpha1', 'EndpointSlice', { introduced: '1.16', removed: '1.17' }],
  [
    'extensions/v1beta1',
    'DeploymentRollback',
    { advice: '`kubectl rollout undo` returns a Deployment to an earlier revision' },
  ],
  [
    'apps/v1beta1',
    'DeploymentRollback',
    { advice: '`kubectl rollout undo` returns a Deployment to an earlier revision' },
  ],
  [
    'extensions/v1beta1',
    'HorizontalPodAutoscaler',
    { introduced: '1.1', removed: '1.6', replacement: 'autoscaling/v2 HorizontalPodAutoscaler' },
  ],
  ['extensions/v1beta1', 'Job', { introduced: '1.1', removed: '1.6', replacement: 'batch/v1 Job' }],
  ['extensions/v1beta1', 'PodSecurityPolicy', { replacement: 'policy/v1beta1 PodSecurityPolicy' }],
  ['extensions/v1beta1', 'Scale', { replacement: 'autoscaling/v1 Scale' }],
  [
    'extensions/v1beta1',
    'ThirdPartyResource',
    {
      introduced: '1.1',
      deprecated: '1.7',
      removed: '1.8',
      replacement: 'apiextensions.k8s.io/v1 CustomResourceDefinition',
    },
  ],
  [
    'networking.k8s.io/v1alpha1',
    'ClusterCIDR',
    {
      introduced: '1.25',
      removed: '1.29',
      advice: 'controllers outside Kubernetes give nodes their ranges of Pod addresses',
    },
  ],
  ['networking.k8s.io/v1alpha1', 'IPAddress ServiceCIDR', { removed: '1.31' }],
  ['networking.k8s.io/v1beta1', 'IngressClass', { replacement: 'networking.k8s.io/v1 IngressClass' }],
  ['node.k8s.io/v1alpha1', 'RuntimeClass', { introduced: '1.14', deprecated: '1.22', removed: '1.24' }],
  ['policy/v1alpha1', 'PodDisruptionBudget', { introduced: '1.4', removed: '1.5' }],
  ['policy/v1beta1', 'PodSecurityPolicy', { advice: POD_SECURITY }],
  ['policy/v1beta1', 'Eviction', { replacement: 'policy/v1 Eviction' }],
  [
    'rbac.authorization.k8s.io/v1alpha1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
    { introduced: '1.3', deprecated: '1.17', removed: '1.23' },
  ],
  ['resource.k8s.io/v1alpha1', 'ResourceClaim ResourceClaimTemplate', { introduced: '1.26', removed: '1.27' }],
  [
    'resource.k8s.io/v1alpha1',
    'ResourceClass',
    { introduced: '1.26', removed: '1.27', replacement: 'resource.k8s.io/v1 DeviceClass' },
  ],
  ['resource.k8s.io/v1alpha1', 'PodScheduling', { introduced: '1.26', removed: '1.27', advice: SCHEDULER_ALLOCATES }],
  ['resource.k8s.io/v1alpha2', 'ResourceClaim ResourceClaimTemplate', { introduced: '1.27', removed: '1.31' }],
  [
    'resource.k8s.io/v1alpha2',
    'ResourceClass',
    { introduced: '1.27', removed: '1.31', replacement: 'resource.k8s.io/v1 DeviceClass' },
  ],
  [
    'resource.k8s.io/v1alpha2',
    'PodSchedulingContext',
    { introduced: '1.27', removed: '1.31', advice: SCHEDULER_ALLOCATES },
  ],
  ['resource.k8s.io/v1alpha2', 'ResourceSlice', { introduced: '1.30', removed: '1.31' }],
  [
    'resource.k8s.io/v1alpha2',
    'ResourceClaimParameters ResourceClassParameters',
    { introduced: '1.30', removed: '1.31', advice: STRUCTURED_PARAMETERS },
  ],
  ['resource.k8s.io/v1alpha3', 'PodSchedulingContext', { introduced: '1.31', advice: SCHEDULER_ALLOCATES }],
  ['scheduling.k8s.io/v1alpha1', 'PriorityClass', { introduced: '1.8', deprecated: '1.14', removed: '1.23' }],
  ['storage.k8s.io/v1alpha1', 'VolumeAttachment', { removed: '1.23' }],
  ['settings.k8s.io/v1alpha1', 'PodPreset', { introduced: '1.6', removed: '1.20', advice: WEBHOOK }],
];

const TABLE: ReadonlyMap<string, RemovedApi> = new Map(
  ROWS.flatMap(([version, kinds, life]) => kinds.split(' ').map(kind => [`${version} ${kind}`, life] as const)),
);

/** The API versions and kinds of the table, as `apps/v1alpha1 PetSet`. */
export const REMOVED_APIS: readonly string[] = [...TABLE.keys()];

/** What is known beside the lifecycle of `key`, an API version and a kind. */
export function removedApi(key: string): RemovedApi | undefined {
  return TABLE.get(key);
}

const STRUCTURED_REQUESTS = 'its requests name device classes and select devices by their attributes';
const STUB_REQUEST = 'a stub PKCS #10 request takes the place of the public key and its proof';

/** By API version, kind and, where it matters, the version that follows: why its fields cannot be moved, a clause. */
const REWRITTEN: ReadonlyMap<string, string> = new Map([
  ['resource.k8s.io/v1alpha2 ResourceClaim', STRUCTURED_REQUESTS],
  ['resource.k8s.io/v1alpha2 ResourceClaimTemplate', STRUCTURED_REQUESTS],
  ['resource.k8s.io/v1alpha2 ResourceSlice', 'its driver publishes it'],
  ['certificates.k8s.io/v1alpha1 PodCertificateRequest certificates.k8s.io/v1', STUB_REQUEST],
  ['certificates.k8s.io/v1beta1 PodCertificateRequest certificates.k8s.io/v1', STUB_REQUEST],
]);

/** Why an object must be written anew in a later version of its kind: a clause; undefined: its fields are there, or can be moved. */
export function rewriteReason(from: string, kind: string, to: string): string | undefined {
  return REWRITTEN.get(`${from} ${kind}`) ?? REWRITTEN.get(`${from} ${kind} ${to}`);
}
