import type { MinorChange } from './minorChange';

/** Changes of what the server says of the kinds of dynamic resource allocation. */
export const deviceChanges = {
  extendedNameDeclared: {
    since: '1.37',
    kinds: ['DeviceClass'],
    field: 'spec.extendedResourceName',
    change: 'Declarative validation has a text for each mistake; before, there is one for all.',
    upstream: 'apimachinery/pkg/api/validate.ExtendedResourceName',
  },
  classNameDeclared: {
    since: '1.35',
    kinds: ['DeviceClass'],
    field: 'metadata.generateName',
    change: 'The prefix of a generated name is checked only as that of any kind; before, as the name is.',
    upstream: 'resource/validation.ValidateDeviceClass',
  },
  requestsDeclared: {
    since: '1.37',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate'],
    field: 'spec.devices',
    change:
      'Declarative validation is enforced: it looks into requests and constraints that hand-written checks leave out.',
    upstream: 'rest.ValidateDeclarativelyWithMigrationChecks',
  },
  attributeNamesLowerCase: {
    since: '1.37',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate'],
    field: 'spec.devices.constraints[*].matchAttribute',
    change: 'The domain of an attribute must be in lower case; before, its case does not count.',
    upstream: 'apimachinery/pkg/api/validate.ResourceFullyQualifiedName',
  },
  fractionsCounted: {
    since: '1.37',
    kinds: ['ResourceSlice'],
    field: 'spec.devices[*].capacity[*].requestPolicy',
    change: 'Ranges are counted in whole numbers, or with the gate DRAFractionalCapacityRange in fractions.',
    upstream: 'resource/validation.validateRequestPolicy',
  },
  keysAtMap: {
    since: '1.36',
    kinds: ['ResourceSlice'],
    field: 'spec.devices[*].attributes[*]',
    change: 'A wrong name of an attribute or a capacity is reported at the map; before, at the entry.',
    upstream: 'resource/validation.validateMap',
  },
  emptyAttributeInvalid: {
    since: '1.35',
    kinds: ['ResourceSlice'],
    field: 'spec.devices[*].attributes[*]',
    change: 'An attribute without a value is Invalid; before, Required.',
    upstream: 'resource/validation.validateDeviceAttribute',
  },
  emptyNamesInvalid: {
    since: '1.35',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    field: 'spec.devices.constraints[*].matchAttribute',
    change: 'An empty domain or name of an attribute is Invalid; before, Required.',
    upstream: 'resource/validation.validateQualifiedName',
  },
  identifiersInvalid: {
    since: '1.34',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    field: 'spec.devices.constraints[*].matchAttribute',
    change: 'A name that is no C identifier is Invalid; before, of a wrong type.',
    upstream: 'resource/validation.validateCIdentifier',
  },
  duplicatesAtItem: {
    since: '1.35',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    field: 'spec.devices.requests[*]',
    change: 'A duplicate is reported at the item; before, at its name.',
    upstream: 'resource/validation.validateSet',
  },
  longListsSkipped: {
    since: '1.35',
    kinds: ['DeviceClass', 'ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    field: 'spec.devices.requests',
    change: 'The items of a list that is too long are not checked; before, they are.',
    upstream: 'resource/validation.validateSlice',
  },
  bothRequestsRefused: {
    since: '1.35',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate'],
    field: 'spec.devices.requests[*]',
    change: 'Where both `exactly` and `firstAvailable` are set, neither is checked; before, both are.',
    upstream: 'resource/validation.validateDeviceRequest',
  },
  requestsNested: {
    since: '1.33',
    kinds: ['ResourceClaim', 'ResourceClaimTemplate', 'ResourceSlice'],
    field: 'spec.devices',
    change:
      'Errors of v1beta1 have the paths of v1beta2: with `exactly` in requests and without `basic` in devices; before, as written. Names of requests may be followed by that of an alternative.',
    upstream: 'pkg/apis/resource/v1beta1.Convert_v1beta1_DeviceRequest_To_resource_DeviceRequest',
  },
  driverCaseWarning: {
    since: '1.35',
    kinds: ['ResourceSlice'],
    field: 'spec.driver',
    change: 'Upper case in the name of a driver is warned of.',
    upstream: 'registry/resource/resourceslice.resourceSliceStrategy.WarningsOnCreate',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
