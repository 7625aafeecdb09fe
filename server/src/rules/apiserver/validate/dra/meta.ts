import type { JsonObject } from '../../../../base/json';
import { record } from '../../../../kube/goFields';
import { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden } from '../errors';
import { validateAnnotations, validateLabels, validateNameFn, validateObjectMeta } from '../metadata';
import { isSet } from './declarative';

/** ObjectMeta of a namespaced kind that is named by a DNS subdomain. */
export function namespacedMeta(whole: JsonObject): readonly FieldError[] {
  return [...validateObjectMeta(whole, 'namespaced', validateNameFn.subdomain)];
}

/** ObjectMeta of a cluster-scoped kind that is named by a DNS subdomain. */
export function clusterMeta(whole: JsonObject): readonly FieldError[] {
  return [...validateObjectMeta(whole, 'cluster', validateNameFn.subdomain)];
}

const templateFields = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/**
 * The metadata of a template, which may only have labels and annotations. Upstream:
 * pkg/apis/core/validation.ValidateTemplateObjectMeta, which prints Go's names of the fields.
 */
export function templateMeta(spec: JsonObject, at: FieldPath): readonly FieldError[] {
  const metadata = record(spec, 'metadata');
  const written = templateFields.filter(it => {
    const value = metadata?.[it];
    // The grace period is a pointer, so that 0 counts.
    return isSet(value) && value !== '' && (value !== 0 || it === 'deletionGracePeriodSeconds');
  });
  return [
    ...validateAnnotations(metadata, at.child('annotations')),
    ...validateLabels(metadata, 'labels', at.child('labels')),
    ...written.map(it => forbidden(at.child(it === 'uid' ? 'uID' : it), 'cannot be set')),
  ];
}

export const specPath = FieldPath.of('spec');
