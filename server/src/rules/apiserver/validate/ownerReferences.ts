import type { JsonObject } from '../../../base/json';
import { flag, records, text } from '../../../kube/goFields';
import type { Kube } from '../../../kube/kube';
import { FieldPath } from '../../../manifest/fieldPath';
import { applies } from '../../minors/minorChange';
import { minorChanges } from '../../minors/minorChanges';
import { type FieldError, invalid, required } from './errors';

/** `metadata.ownerReferences` as in 1.37. Upstream: apimachinery validation.ValidateOwnerReferences. */
export function* validateOwnerReferences(metadata: JsonObject | undefined, list: FieldPath): Iterable<FieldError> {
  const references = records(metadata, 'ownerReferences');
  let controller = '';
  for (const [i, reference] of references.entries()) {
    yield* validateOwnerReference(reference, list.index(i));
    if (flag(reference, 'controller') !== true) continue;
    const current = `${text(reference, 'kind')}/${text(reference, 'name')}`;
    if (controller === '') controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      yield invalid(list, references, detail);
    }
  }
}

function* validateOwnerReference(reference: JsonObject, at: FieldPath): Iterable<FieldError> {
  const apiVersion = text(reference, 'apiVersion');
  if (apiVersion === '') yield required(at.child('apiVersion'), 'must not be empty');
  else if (!/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
    yield invalid(at.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>');
  }
  for (const field of ['kind', 'name', 'uid']) {
    if (text(reference, field) === '') yield required(at.child(field), 'must not be empty');
  }
  if (/^\/?v1$/.test(apiVersion) && text(reference, 'kind') === 'Event') {
    yield invalid(at, reference, '/v1, Kind=Event is disallowed from being an owner');
  }
}

const LIST = FieldPath.of('metadata', 'ownerReferences');

/**
 * The error as the minor reports it: before 1.37 errors of owner references had no index, and an empty field was
 * invalid instead of required.
 */
export function ownerErrorIn(kube: Kube, error: FieldError): FieldError {
  const [metadata, list, index, field] = error.at.segments;
  if (metadata !== 'metadata' || list !== 'ownerReferences' || typeof index !== 'number') return error;
  if (applies(minorChanges.ownerReferencesIndexed, kube)) return error;
  if (typeof field !== 'string') return { ...error, at: LIST };
  const detail = field === 'apiVersion' ? 'version must not be empty' : error.detail;
  return invalid(LIST.child(field), error.value ?? '', detail);
}
