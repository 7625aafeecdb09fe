import type { MinorChange } from './minorChange';

/** Changes of what the server says of CustomResourceDefinitions and their resources. */
export const definitionChanges = {
  formatsOfNames: {
    since: '1.35',
    kinds: ['CustomResourceDefinition'],
    field: 'spec.versions[*].schema.openAPIV3Schema…format',
    change: 'The formats k8s-short-name and k8s-long-name are checked.',
    upstream: 'apiserver/validation.supportedVersionedFormats, by the minor before',
  },
  warnsOfUnknownFormats: {
    since: '1.34',
    kinds: ['CustomResourceDefinition'],
    field: 'spec.versions[*].schema.openAPIV3Schema…format',
    change: 'A format that the server does not know is warned of; before 1.36 only one of text.',
    upstream: 'registry/customresourcedefinition.strategy.WarningsOnCreate',
  },
  formatsOfNumbers: {
    since: '1.36',
    kinds: 'all',
    field: 'spec.versions[*].schema.openAPIV3Schema…format',
    change:
      'Numbers of custom resources must fit int32, int64, float and double, and integers 64 bits; formats of text count for text alone.',
    upstream:
      'kube-openapi validate.SchemaValidator.numberValidator, apiserver/validation.StripUnsupportedFormatsPostProcess',
  },
  warnsOfSetsOfObjects: {
    since: '1.37',
    kinds: ['CustomResourceDefinition'],
    field: 'spec.versions[*].schema.openAPIV3Schema…x-kubernetes-list-type',
    change: 'A set whose items are lists or objects is warned of.',
    upstream: 'registry/customresourcedefinition.getNonScalarListTypeSetWarnings',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
