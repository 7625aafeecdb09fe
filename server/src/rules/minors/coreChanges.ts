import type { MinorChange } from './minorChange';

/** Changes of what the server says of metadata and of the kinds of core, node and scheduling. */
export const coreChanges = {
  distinctErrors: {
    since: '1.37',
    kinds: 'all',
    field: '',
    change: 'An error that occurs twice is told once.',
    upstream: 'rest.ValidateDeclarativelyWithMigrationChecks, field.ErrorList.Filter',
  },
  distinctErrorsOfGroups: {
    since: '1.36',
    kinds: ['PodGroup', 'Workload'],
    field: '',
    change: 'An error that occurs twice is told once.',
    upstream: 'rest.WithDeclarativeEnforcement',
  },
  ownerReferencesIndexed: {
    since: '1.37',
    kinds: 'all',
    field: 'metadata.ownerReferences[*]',
    change: 'Errors have the index of the reference, and an empty field is Required; before, no index and Invalid.',
    upstream: 'apimachinery/pkg/api/validation.ValidateOwnerReferences',
  },
  embeddedStructsNamed: {
    since: '1.35',
    kinds: 'all',
    field: '',
    change:
      'A decoding error names embedded structs in its path, as in `volumes[0].VolumeSource.nfs`; before, it does not.',
    upstream: 'sigs.k8s.io/json at 2d320260d730',
  },
  headlessServiceWarnings: {
    since: '1.34',
    kinds: ['Service'],
    field: 'spec',
    change: 'Fields that a headless Service ignores are warned of.',
    upstream: 'pkg/api/service.GetWarningsForService',
  },
  kubeletPortReserved: {
    until: '1.33',
    kinds: ['Service'],
    field: 'spec.ports[*].port',
    change: 'A load balancer must not expose port 10250, that of the kubelet.',
    upstream: 'core/validation.ValidateService',
  },
  podCidrsRepeated: {
    until: '1.33',
    kinds: ['Node'],
    field: 'spec.podCIDRs[*]',
    change: 'A block that occurs twice is a Duplicate, besides the error that there is one for each IP family.',
    upstream: 'core/validation.ValidateNode',
  },
  preferCloseDeprecated: {
    since: '1.35',
    kinds: ['Service'],
    field: 'spec.trafficDistribution',
    change: 'PreferClose is deprecated, with a warning.',
    upstream: 'pkg/api/service.GetWarningsForService',
  },
  externalIpsDeprecated: {
    since: '1.36',
    kinds: ['Service'],
    field: 'spec.externalIPs',
    change: 'External addresses are deprecated, with a warning.',
    upstream: 'pkg/api/service.GetWarningsForService',
  },
  addressWarnings: {
    since: '1.33',
    kinds: ['Node', 'Service', 'Pod'],
    field: '',
    change:
      'Addresses and blocks in an old form are warned of with the canonical form; before, those of Services alone, with the text of Go’s parser.',
    upstream: 'apimachinery/pkg/util/validation.GetWarningsForIP, GetWarningsForCIDR',
  },
  addressesInvalid: {
    since: '1.36',
    kinds: ['Node', 'Service', 'Pod'],
    field: '',
    change: 'The warning of a form that is not standard says that it is invalid; before, that it will be.',
    upstream: 'apimachinery/pkg/util/validation.GetWarningsForIP, GetWarningsForCIDR',
  },
  nodePodCidrWarnings: {
    since: '1.33',
    kinds: ['Node'],
    field: 'spec.podCIDRs[*]',
    change: 'Blocks in an old form are warned of.',
    upstream: 'registry/core/node.nodeStrategy.WarningsOnCreate',
  },
  requestsAboveLimits: {
    since: '1.35',
    kinds: ['ResourceQuota'],
    field: 'spec.hard',
    change: 'Requests above their limits are warned of.',
    upstream: 'registry/core/resourcequota.resourcequotaStrategy.WarningsOnCreate',
  },
  handlerRequired: {
    since: '1.36',
    kinds: ['RuntimeClass'],
    field: 'handler',
    change: 'An empty handler is Required; before, Invalid.',
    upstream: 'node/validation.ValidateRuntimeClass',
  },
  tolerationPath: {
    since: '1.35',
    kinds: ['RuntimeClass'],
    field: 'scheduling.tolerations[*]',
    change: 'Errors are at `scheduling.tolerations[*]`; before, at `scheduling.tolerations.tolerations[*]`.',
    upstream: 'node/validation.validateTolerations',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
