import { record, text } from '../../../../kube/goFields';
import { dns1035LabelErrors, dns1123SubdomainErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, invalid, type KindStrategy, required } from '../errors';
import { validateKindMeta } from '../kindMeta';
import { dropStatus } from '../shared/drops';

/** Upstream: pkg/registry/apiserverinternal/storageversion, which drops the status that it would check. */
export const storageVersion: KindStrategy = {
  drop: dropStatus,
  validate: object => [...validateKindMeta(object, 'internal.apiserver.k8s.io/StorageVersion')],
};

const RESOURCE = FieldPath.of('spec', 'resource');

/** Upstream: pkg/apis/storagemigration/validation.ValidateStorageVersionMigration. */
export const storageVersionMigration: KindStrategy = {
  drop: dropStatus,
  validate: (object, { kube }) => {
    const resource = record(record(object, 'spec'), 'resource');
    return [
      ...validateKindMeta(object, 'storagemigration.k8s.io/StorageVersionMigration'),
      ...(applies(minorChanges.migratedResources, kube)
        ? resourceErrors(text(resource, 'resource'), text(resource, 'group'))
        : ['resource', 'version']
            .filter(it => text(resource, it) === '')
            .map(it => required(RESOURCE.child(it), `${it} is required`))),
    ];
  },
};

function* resourceErrors(resource: string, group: string): Iterable<FieldError> {
  const ofResource = dns1035LabelErrors(resource);
  if (resource === '') yield required(RESOURCE.child('resource'), 'resource is required to be set');
  else if (ofResource.length > 0) yield invalid(RESOURCE.child('resource'), resource, ofResource.join(','));
  const ofGroup = group === '' ? [] : dns1123SubdomainErrors(group);
  if (ofGroup.length > 0) yield invalid(RESOURCE.child('group'), group, ofGroup.join(','));
}
