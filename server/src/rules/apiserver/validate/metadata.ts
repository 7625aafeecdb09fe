import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  qualifiedNameErrors,
} from '../../../kube/names';
import { FieldPath } from '../../../manifest/fieldPath';
import type { JsonObject } from '../../../manifest/manifest';
import { type FieldError, forbidden, invalid, notSupported, required, tooLong } from './errors';
import { flag, get, optionalInt, record, records, text, textEntries, texts } from './read';

/** The messages against a name. `prefix` is for generateName, which may end where more will follow. */
export type NameFn = (name: string, use?: 'name' | 'prefix') => readonly string[];

/** What a name of a kind must be: `subdomain` for most, `label` for Namespaces, `label1035` for Services. */
export const validateNameFn: Readonly<Record<'subdomain' | 'label' | 'label1035' | 'pathSegment', NameFn>> = {
  subdomain: (name, use) => dns1123SubdomainErrors(masked(name, use)),
  label: (name, use) => dns1123LabelErrors(masked(name, use)),
  label1035: (name, use) => dns1035LabelErrors(masked(name, use)),
  pathSegment: (name, use) => pathSegmentErrors(name, use),
};

/** Upstream: k8s.io/apimachinery/pkg/api/validation.maskTrailingDash. */
function masked(name: string, use: 'name' | 'prefix' = 'name'): string {
  return use === 'prefix' && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

/** Upstream: k8s.io/apimachinery/pkg/api/validation/path.IsValidPathSegmentName and …Prefix. */
export function pathSegmentErrors(name: string, use: 'name' | 'prefix' = 'name'): readonly string[] {
  if (use === 'name' && (name === '.' || name === '..')) return [`may not be '${name}'`];
  return ['/', '%'].filter(it => name.includes(it)).map(it => `may not contain '${it}'`);
}

const METADATA = FieldPath.of('metadata');
const ANNOTATIONS_LIMIT = 256 * 1024;

/**
 * Errors of `metadata` as it is after the server has made a name of generateName and, for a namespaced kind, has taken
 * the namespace of the request. Upstream: k8s.io/apimachinery/pkg/api/validation.ValidateObjectMeta.
 */
export function* validateObjectMeta(
  whole: JsonObject,
  scope: 'namespaced' | 'cluster',
  nameFn: NameFn,
  at: FieldPath = METADATA,
): Iterable<FieldError> {
  const metadata = record(whole, 'metadata');
  const generateName = text(metadata, 'generateName');
  const written = text(metadata, 'name');
  const name = written === '' && generateName !== '' ? `${generateName.slice(0, 58)}abcde` : written;
  if (generateName !== '') {
    for (const it of nameFn(generateName, 'prefix')) yield invalid(at.child('generateName'), generateName, it);
  }
  if (name === '') yield required(at.child('name'), 'name or generateName is required');
  else for (const it of nameFn(name, 'name')) yield invalid(at.child('name'), name, it);
  const namespace = text(metadata, 'namespace');
  if (scope === 'namespaced' && namespace !== '') {
    for (const it of dns1123LabelErrors(namespace)) yield invalid(at.child('namespace'), namespace, it);
  }
  yield* validateSharedMeta(metadata, at);
}

function* validateSharedMeta(metadata: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const generation = optionalInt(metadata, 'generation') ?? 0;
  if (generation < 0) yield invalid(at.child('generation'), generation, 'must be greater than or equal to 0');
  yield* validateLabels(metadata, 'labels', at.child('labels'));
  yield* validateAnnotations(metadata, at.child('annotations'));
  yield* validateOwnerReferences(metadata, at.child('ownerReferences'));
  yield* validateFinalizers(texts(metadata, 'finalizers'), at.child('finalizers'));
  yield* validateManagedFields(records(metadata, 'managedFields'), at.child('managedFields'));
}

/** The labels in `of[field]`; every error is on the map. Upstream: metav1 validation.ValidateLabels. */
export function* validateLabels(of: JsonObject | undefined, field: string, at: FieldPath): Iterable<FieldError> {
  for (const [key, value] of textEntries(of, field)) {
    yield* validateLabelName(key, at);
    for (const it of labelValueErrors(value)) yield invalid(at, value, it);
  }
}

/** Upstream: metav1 validation.ValidateLabelName. */
export function validateLabelName(key: string, at: FieldPath): readonly FieldError[] {
  return qualifiedNameErrors(key).map(it => invalid(at, key, it));
}

/** `metadata.annotations`. Upstream: apimachinery validation.ValidateAnnotations. */
export function* validateAnnotations(metadata: JsonObject | undefined, at: FieldPath): Iterable<FieldError> {
  const encoder = new TextEncoder();
  const entries = textEntries(metadata, 'annotations');
  for (const [key] of entries) {
    for (const it of qualifiedNameErrors(key.toLowerCase())) yield invalid(at, key, it);
  }
  const size = entries.reduce((sum, [key, value]) => sum + encoder.encode(key + value).length, 0);
  if (size > ANNOTATIONS_LIMIT) yield tooLong(at, ANNOTATIONS_LIMIT);
}

/** Upstream: apimachinery validation.ValidateOwnerReferences. */
function* validateOwnerReferences(metadata: JsonObject | undefined, list: FieldPath): Iterable<FieldError> {
  const references = records(metadata, 'ownerReferences');
  let controller = '';
  for (const [i, reference] of references.entries()) {
    const at = list.index(i);
    const apiVersion = text(reference, 'apiVersion');
    const kind = text(reference, 'kind');
    if (apiVersion === '') yield required(at.child('apiVersion'), 'must not be empty');
    else if (!/^([^/]*\/)?[^/]+$/.test(apiVersion)) {
      yield invalid(at.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>');
    }
    for (const field of ['kind', 'name', 'uid']) {
      if (text(reference, field) === '') yield required(at.child(field), 'must not be empty');
    }
    if (apiVersion === 'v1' && kind === 'Event') {
      yield invalid(at, reference, '/v1, Kind=Event is disallowed from being an owner');
    }
    if (flag(reference, 'controller') !== true) continue;
    const current = `${kind}/${text(reference, 'name')}`;
    if (controller === '') controller = current;
    else {
      const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${current}`;
      yield invalid(list, references, detail);
    }
  }
}

/** Upstream: core.standardFinalizers. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Upstream: apimachinery validation.ValidateFinalizers, and core validation.ValidateObjectMeta for plain names. */
function* validateFinalizers(finalizers: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const name of finalizers) for (const it of qualifiedNameErrors(name)) yield invalid(at, name, it);
  for (const [i, name] of finalizers.entries()) {
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) continue;
    yield invalid(at.index(i), name, 'name is neither a standard finalizer name nor is it fully qualified');
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    yield invalid(at, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

/** Upstream: metav1 validation.ValidateManagedFields. */
function* validateManagedFields(entries: readonly JsonObject[], list: FieldPath): Iterable<FieldError> {
  for (const [i, entry] of entries.entries()) {
    const at = list.index(i);
    const operation = text(entry, 'operation');
    if (operation === '') yield required(at.child('operation'), 'must not be empty');
    else if (operation !== 'Apply' && operation !== 'Update') {
      yield notSupported(at.child('operation'), operation, ['Apply', 'Update']);
    }
    const fieldsType = text(entry, 'fieldsType');
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      yield invalid(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`');
    }
    if (text(entry, 'manager').length > 128) yield tooLong(at.child('manager'), 128);
    if (text(entry, 'subresource').length > 256) yield tooLong(at.child('subresource'), 256);
  }
}

export interface LabelSelectorOptions {
  readonly invalidLabelValues?: 'allowed';
}

/** A metav1.LabelSelector; none for an absent one. Upstream: metav1 validation.ValidateLabelSelector. */
export function* validateLabelSelector(
  selector: JsonObject | undefined,
  at: FieldPath,
  options: LabelSelectorOptions = {},
): Iterable<FieldError> {
  yield* validateLabels(selector, 'matchLabels', at.child('matchLabels'));
  for (const [i, expression] of records(selector, 'matchExpressions').entries()) {
    yield* validateSelectorRequirement(expression, at.child('matchExpressions').index(i), options);
  }
}

/** Upstream: metav1 validation.ValidateLabelSelectorRequirement. */
function* validateSelectorRequirement(
  requirement: JsonObject,
  at: FieldPath,
  options: LabelSelectorOptions,
): Iterable<FieldError> {
  const operator = text(requirement, 'operator');
  const values = texts(requirement, 'values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) {
      yield required(at.child('values'), "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      yield forbidden(at.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else yield invalid(at.child('operator'), operator, 'not a valid selector operator');
  yield* validateLabelName(text(requirement, 'key'), at.child('key'));
  if (options.invalidLabelValues === 'allowed') return;
  for (const [i, value] of values.entries()) {
    for (const it of labelValueErrors(value)) yield invalid(at.child('values').index(i), value, it);
  }
}

/** Whether a selector selects a set of labels; an absent one selects nothing. Upstream: metav1.LabelSelectorAsSelector. */
export function selectsLabels(selector: JsonObject | undefined, labels: JsonObject | undefined): boolean {
  if (selector === undefined) return false;
  if (textEntries(selector, 'matchLabels').some(([key, value]) => get(labels, key) !== value)) return false;
  return records(selector, 'matchExpressions').every(it => {
    const value = get(labels, text(it, 'key'));
    const isIn = typeof value === 'string' && texts(it, 'values').includes(value);
    switch (text(it, 'operator')) {
      case 'In':
        return isIn;
      case 'NotIn':
        return !isIn;
      case 'Exists':
        return value !== undefined;
      case 'DoesNotExist':
        return value === undefined;
      default:
        return false;
    }
  });
}
