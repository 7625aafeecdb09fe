import type { MinorChange } from './minorChange';

/** Changes of what the server says of volumes, claims and the kinds of storage. */
export const storageChanges = {
  attacherDeclared: {
    since: '1.37',
    kinds: ['VolumeAttachment'],
    field: 'spec.attacher',
    change: 'Declarative validation checks the name, with texts of its own.',
    upstream: 'apis/storage/v1.Validate_VolumeAttachmentSpec',
  },
  attacherRequiredOnce: {
    since: '1.36',
    kinds: ['VolumeAttachment'],
    field: 'spec.attacher',
    change: 'An empty name is Required once; before, twice.',
    upstream: 'storage/validation.ValidateVolumeAttachmentV1',
  },
  emptyDriverOnce: {
    since: '1.35',
    kinds: ['Pod', 'PersistentVolume', 'CSINode', 'VolumeAttachment', 'ResourceSlice', 'ResourceClaim'],
    field: '…driver',
    change: 'An empty name of a CSI driver is Required; before, Invalid as well.',
    upstream: 'core/validation.ValidateCSIDriverName',
  },
  tokensInSecrets: {
    since: '1.35',
    kinds: ['CSIDriver'],
    field: 'spec.serviceAccountTokenInSecrets',
    change: 'A driver with token requests and without this field is warned of.',
    upstream: 'registry/storage/csidriver.csiDriverStrategy.WarningsOnCreate',
  },
} as const satisfies Readonly<Record<string, MinorChange>>;
