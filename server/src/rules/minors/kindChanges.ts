import type { MinorChange } from './minorChange';

/** Changes of what the server says of certificates, flow control and storage versions, and kube-scheduler of its configuration. */
export const kindChanges = {
  candidateStrategyOne: {
    since: '1.32',
    kinds: ['LeaseCandidate'],
    field: 'spec.strategy',
    change: 'A candidate has one strategy and must say its own version; before, it prefers several strategies.',
    upstream: 'coordination/validation.ValidateLeaseCandidateSpec',
  },
  trustBundlesProlonged: {
    since: '1.32',
    kinds: ['ClusterTrustBundle'],
    field: 'apiVersion',
    change: 'Version v1alpha1 is not deprecated before 1.34; before, it is since 1.29 and gone in 1.32.',
    upstream: 'certificates/v1alpha1.ClusterTrustBundle.APILifecycleDeprecated',
  },
  alphaPoliciesDeprecated: {
    since: '1.32',
    kinds: ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'],
    field: 'apiVersion',
    change: 'Versions of policies have a life of which the server warns; before, that of v1alpha1 has none.',
    upstream: 'admissionregistration/v1alpha1.ValidatingAdmissionPolicy.APILifecycleDeprecated',
  },
  stubRequests: {
    since: '1.36',
    kinds: ['PodCertificateRequest'],
    field: 'spec.stubPKCS10Request',
    change: 'A request may hold a stub in place of a key and its proof.',
    upstream: 'certificates/validation.ValidatePodCertificateRequestCreate',
  },
  compositeTemplates: {
    since: '1.37',
    kinds: ['Workload'],
    field: 'spec',
    change:
      'Either podGroupTemplates or compositePodGroupTemplates must be set; before, podGroupTemplates is Required.',
    upstream: 'apis/scheduling/v1alpha3.Validate_WorkloadSpec',
  },
  partsOfUnknownLevels: {
    since: '1.37',
    kinds: ['PriorityLevelConfiguration'],
    field: 'spec',
    change: 'Beside an unknown type the parts of the known types are forbidden; before, they are not.',
    upstream: 'apimachinery/pkg/api/validate.Discriminated',
  },
  responsesOfOtherLevels: {
    since: '1.37',
    kinds: ['PriorityLevelConfiguration'],
    field: 'spec.limited.limitResponse',
    change: 'The response to a full level is checked whatever the type of the level; before, of type Limited alone.',
    upstream: 'apis/flowcontrol/v1.Validate_LimitResponse',
  },
  levelTypeRequired: {
    since: '1.36',
    kinds: ['PriorityLevelConfiguration'],
    field: 'spec.type',
    change: 'A missing type is Required; before, NotSupported.',
    upstream: 'flowcontrol/validation.ValidatePriorityLevelConfigurationSpec',
  },
  bindingMatchSpelling: {
    since: '1.32',
    kinds: ['ValidatingAdmissionPolicyBinding'],
    field: 'spec.matchResources',
    change: 'Errors are at `matchResources`; before, at `matchResouces`.',
    upstream: 'admissionregistration/validation.validateValidatingAdmissionPolicyBindingSpec',
  },
  migratedResources: {
    since: '1.35',
    kinds: ['StorageVersionMigration'],
    field: 'spec.resource',
    change: 'The resource and its group must be names; before, it needs a resource and a version, whatever their form.',
    upstream: 'storagemigration/validation.ValidateStorageVersionMigration',
  },
  capacityRatioOfType: {
    since: '1.36',
    kinds: ['KubeSchedulerConfiguration'],
    field: 'profiles[*].pluginConfig[*].args.scoringStrategy.requestedToCapacityRatio',
    change: 'It must be there for its own type, and for no other; before, only a shape that is there is checked.',
    upstream: 'scheduler/apis/config/validation.ValidateNodeResourcesFitArgs',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
