import { byteLength } from '../../../base/byteLength';
import type { JsonObject } from '../../../base/json';
import { get, optionalInt, record, records, text, textEntries, texts } from '../../../kube/goFields';
import {
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelValueErrors,
  longNameErrors,
  qualifiedNameErrors,
} from '../../../kube/names';
import { FieldPath } from '../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, required, tooLong } from './errors';
import { validateOwnerReferences } from './ownerReferences';

/** The errors of a name. `prefix` is for generateName, which may end with a character that only a middle may have. */
export type NameFn = (name: string, use?: 'name' | 'prefix') => readonly string[];

/**
 * The rule for names of a kind: `subdomain` for most (`longName` if only the name is checked, not its prefix), `label`
 * for Namespaces, `label1035` for Services.
 */
export const validateNameFn: Readonly<
  Record<'subdomain' | 'longName' | 'label' | 'label1035' | 'pathSegment', NameFn>
> = {
  subdomain: (name, use) => dns1123SubdomainErrors(masked(name, use)),
  longName: (name, use) => (use === 'prefix' ? [] : longNameErrors(name)),
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

/** Errors of `metadata` of most kinds. Upstream: core validation.ValidateObjectMeta. */
export function* validateObjectMeta(
  whole: JsonObject,
  scope: 'namespaced' | 'cluster',
  nameFn: NameFn,
): Iterable<FieldError> {
  yield* validateGenericObjectMeta(whole, scope, nameFn);
  yield* validateFinalizerNames(texts(record(whole, 'metadata'), 'finalizers'), METADATA.child('finalizers'));
}

/** The object's name; a name from generateName gets five letters in place of the random ones. */
export function nameOf(metadata: JsonObject | undefined): string {
  const generateName = text(metadata, 'generateName');
  const written = text(metadata, 'name');
  return written === '' && generateName !== '' ? `${generateName.slice(0, 58)}abcde` : written;
}

/**
 * Errors of `metadata` after the server has generated a name, has set the namespace of the request and has replaced
 * managedFields. Upstream: k8s.io/apimachinery/pkg/api/validation.ValidateObjectMeta, which admissionregistration,
 * coordination and node use for their kinds.
 */
export function* validateGenericObjectMeta(
  whole: JsonObject,
  scope: 'namespaced' | 'cluster',
  nameFn: NameFn,
): Iterable<FieldError> {
  const metadata = record(whole, 'metadata');
  const generateName = text(metadata, 'generateName');
  const name = nameOf(metadata);
  if (generateName !== '') {
    for (const it of nameFn(generateName, 'prefix')) yield invalid(METADATA.child('generateName'), generateName, it);
  }
  if (name === '') yield required(METADATA.child('name'), 'name or generateName is required');
  else for (const it of nameFn(name, 'name')) yield invalid(METADATA.child('name'), name, it);
  const namespace = text(metadata, 'namespace');
  if (scope === 'namespaced' && namespace !== '') {
    for (const it of dns1123LabelErrors(namespace)) yield invalid(METADATA.child('namespace'), namespace, it);
  }
  const generation = optionalInt(metadata, 'generation') ?? 0;
  if (generation < 0) yield invalid(METADATA.child('generation'), generation, 'must be greater than or equal to 0');
  yield* validateLabels(metadata, 'labels', METADATA.child('labels'));
  yield* validateAnnotations(metadata, METADATA.child('annotations'));
  yield* validateOwnerReferences(metadata, METADATA.child('ownerReferences'));
  yield* validateFinalizers(texts(metadata, 'finalizers'), METADATA.child('finalizers'));
}

/** The labels in `of[field]`; every error has the path of the map. Upstream: metav1 validation.ValidateLabels. */
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
  const entries = textEntries(metadata, 'annotations');
  if (entries.length === 0) return;
  for (const [key] of entries) {
    for (const it of qualifiedNameErrors(key.toLowerCase())) yield invalid(at, key, it);
  }
  const size = entries.reduce((sum, [key, value]) => sum + byteLength(key + value), 0);
  if (size > ANNOTATIONS_LIMIT) yield tooLong(at, ANNOTATIONS_LIMIT);
}

/** Upstream: apimachinery validation.ValidateFinalizers. */
function* validateFinalizers(finalizers: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const name of finalizers) yield* validateLabelName(name, at);
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    yield invalid(at, finalizers, 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}

/** Upstream: core.standardFinalizers. */
const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Upstream: core validation.validateKubeFinalizerName. */
function* validateFinalizerNames(finalizers: readonly string[], at: FieldPath): Iterable<FieldError> {
  for (const [i, name] of finalizers.entries()) {
    if (name.includes('/') || STANDARD_FINALIZERS.has(name)) continue;
    yield invalid(at.index(i), name, 'name is neither a standard finalizer name nor is it fully qualified');
  }
}

export interface LabelSelectorOptions {
  readonly invalidLabelValues?: 'allowed';
}

/** A metav1.LabelSelector; no errors for an absent one. Upstream: metav1 validation.ValidateLabelSelector. */
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

/**
 * Whether a selector matches a set of labels; an absent one matches nothing. Upstream: metav1.LabelSelectorAsSelector.
 */
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
