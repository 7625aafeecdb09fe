import type { MinorChange } from './minorChange';

/** Changes of what the server says of endpoints, network policies, roles, Events and service accounts. */
export const networkChanges = {
  rangesOneByOne: {
    since: '1.33',
    kinds: ['ServiceCIDR'],
    field: 'spec.cidrs',
    change: 'Each of two ranges is checked for itself, too; before, only whether they are of both families.',
    upstream: 'networking/validation.validateServiceCIDRSpec',
  },
  endpointAddressWarnings: {
    since: '1.33',
    kinds: ['Endpoints', 'EndpointSlice', 'NetworkPolicy'],
    field: '',
    change: 'Addresses and blocks in an old or ambiguous form are warned of.',
    upstream: 'registry/core/endpoint.endpointsWarnings, endpointslice.warnOnBadIPs, networkPolicyWarnings',
  },
  sliceAddressFamily: {
    since: '1.33',
    kinds: ['EndpointSlice'],
    field: 'endpoints[*].addresses',
    change: 'An address of the other family is an error of the list, with a text of its own; before, of the address.',
    upstream: 'discovery/validation.validateEndpoints',
  },
  addressesRequiredDeclaratively: {
    since: '1.37',
    kinds: ['EndpointSlice'],
    field: 'endpoints[*].addresses',
    change: 'The error about an endpoint without addresses has no detail.',
    upstream: 'apis/discovery/v1.Validate_Endpoint',
  },
  verbsRequiredDeclaratively: {
    since: '1.37',
    kinds: ['Role', 'ClusterRole'],
    field: 'rules[*].verbs',
    change: 'The error about a rule without verbs has no detail.',
    upstream: 'apis/rbac/v1.Validate_PolicyRule',
  },
  eventNamespaceTwice: {
    until: '1.37',
    kinds: ['Event'],
    field: 'namespace',
    change: 'The namespace must be a DNS subdomain, told without `metadata`.',
    upstream: 'core/validation.legacyValidateEvent',
  },
  mountableSecretsDeprecated: {
    since: '1.32',
    kinds: ['ServiceAccount'],
    field: 'metadata.annotations',
    change: 'The annotation kubernetes.io/enforce-mountable-secrets is warned of.',
    upstream: 'registry/core/serviceaccount.strategy.WarningsOnCreate',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
