import type { Strategies } from '../errors';
import { claimStrategy } from './claim';
import { attributesClassStrategy, storageClassStrategy } from './classes';
import { attachmentStrategy, capacityStrategy, driverStrategy, nodeStrategy } from './csi';
import { volumeStrategy } from './volume';

/** The kinds of storage, by `group/Kind`. */
export function storageStrategies(): Strategies {
  return {
    '/PersistentVolumeClaim': claimStrategy,
    '/PersistentVolume': volumeStrategy,
    'storage.k8s.io/StorageClass': storageClassStrategy,
    'storage.k8s.io/VolumeAttributesClass': attributesClassStrategy,
    'storage.k8s.io/CSIDriver': driverStrategy,
    'storage.k8s.io/CSINode': nodeStrategy,
    'storage.k8s.io/CSIStorageCapacity': capacityStrategy,
    'storage.k8s.io/VolumeAttachment': attachmentStrategy,
  };
}
