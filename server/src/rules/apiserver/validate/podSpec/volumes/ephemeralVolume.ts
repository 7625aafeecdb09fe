import type { JsonObject } from '../../../../../base/json';
import { numeric } from '../../../../../base/printed';
import { get, record } from '../../../../../kube/goFields';
import type { Kube } from '../../../../../kube/kube';
import { dns1123SubdomainErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, required } from '../../errors';
import { validateAnnotations, validateLabels } from '../../metadata';
import { claimSpecErrors } from '../../storage/claim';

/** Upstream: core validation.validateEphemeralVolumeSource. */
export function* validateEphemeral(ephemeral: JsonObject, at: FieldPath, kube: Kube): Iterable<FieldError> {
  const template = record(ephemeral, 'volumeClaimTemplate');
  const templateAt = at.child('volumeClaimTemplate');
  if (template === undefined) {
    yield required(templateAt);
    return;
  }
  yield* validateTemplateMeta(record(template, 'metadata'), templateAt);
  yield* claimSpecErrors(record(template, 'spec'), templateAt.child('spec'), kube);
}

/** Go's field names, as upstream prints them. */
const OTHER_FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  generateName: 'generateName',
  namespace: 'namespace',
  selfLink: 'selfLink',
  uid: 'uID',
  resourceVersion: 'resourceVersion',
  generation: 'generation',
  creationTimestamp: 'creationTimestamp',
  deletionTimestamp: 'deletionTimestamp',
  deletionGracePeriodSeconds: 'deletionGracePeriodSeconds',
  ownerReferences: 'ownerReferences',
  finalizers: 'finalizers',
  managedFields: 'managedFields',
};

/** A template's metadata may only have labels and annotations. Upstream: core validation.ValidateTemplateObjectMeta. */
function* validateTemplateMeta(metadata: JsonObject | undefined, template: FieldPath): Iterable<FieldError> {
  const at = template.child('metadata');
  yield* validateAnnotations(metadata, at.child('annotations'));
  yield* validateLabels(metadata, 'labels', at.child('labels'));
  for (const [field, printed] of Object.entries(OTHER_FIELDS)) {
    const value = get(metadata, field);
    const isUnset = value === undefined || value === '' || (field === 'generation' && numeric(value) === 0);
    if (!isUnset) yield forbidden(at.child(printed), 'cannot be set');
  }
}

/** The name of the claim created for a volume, if the Pod's own name is known. `at` is the volume's path. */
export function* validateClaimName(podName: string, volumeName: string, at: FieldPath): Iterable<FieldError> {
  if (podName === '' || volumeName === '') return;
  const claim = `${podName}-${volumeName}`;
  for (const it of dns1123SubdomainErrors(claim)) {
    yield invalid(at.child('name'), volumeName, `PVC name ${JSON.stringify(claim)}: ${it}`);
  }
}
