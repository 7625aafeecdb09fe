import type { Strategies } from '../errors';
import { apiService } from './apiService';
import { storageVersion, storageVersionMigration } from './storageVersions';

/** Kinds of the API server itself, by `group/Kind`. */
export function systemStrategies(): Strategies {
  return {
    'apiregistration.k8s.io/APIService': apiService,
    'internal.apiserver.k8s.io/StorageVersion': storageVersion,
    'storagemigration.k8s.io/StorageVersionMigration': storageVersionMigration,
  };
}
