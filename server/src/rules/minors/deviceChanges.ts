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
} as const satisfies Readonly<Record<string, MinorChange>>;
