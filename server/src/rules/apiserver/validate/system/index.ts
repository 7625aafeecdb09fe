import type { KindStrategy } from '../errors';
import { apiService } from './apiService';
import { storageVersion, storageVersionMigration } from './storageVersions';

/** Kinds of the API server itself, by `group/Kind`. */
export const systemStrategies: Readonly<Record<string, KindStrategy>> = {
  'apiregistration.k8s.io/APIService': apiService,
  'internal.apiserver.k8s.io/StorageVersion': storageVersion,
  'storagemigration.k8s.io/StorageVersionMigration': storageVersionMigration,
};
