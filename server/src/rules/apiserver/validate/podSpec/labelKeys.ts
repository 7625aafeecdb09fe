import type { JsonObject } from '../../../../base/json';
import { printed } from '../../../../base/printed';
import { get, record, records, texts } from '../../../../kube/goFields';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid } from '../errors';
import { validateLabelName } from '../metadata';

/**
 * `matchLabelKeys` and `mismatchLabelKeys` of a pod affinity term or a spread constraint, and the selectors that the
 * API server makes from them.
 */

const IN_BOTH = 'exists in both matchLabelKeys and labelSelector';

/**
 * Keys that the API server has merged into the label selector already. Upstream: core
 * validation.ValidateMatchLabelKeysAndMismatchLabelKeys.
 */
export function* validateMergedLabelKeys(term: JsonObject, at: FieldPath): Iterable<FieldError> {
  const match = texts(term, 'matchLabelKeys');
  const mismatch = texts(term, 'mismatchLabelKeys');
  yield* validateKeys(match, term, at.child('matchLabelKeys'));
  yield* validateKeys(mismatch, term, at.child('mismatchLabelKeys'));
  const selector = record(term, 'labelSelector');
  const selected = new Set(Object.keys(record(selector, 'matchLabels') ?? {}));
  const lastOf = new Map(match.map((key, i) => [key, i]));
  for (const key of records(selector, 'matchExpressions').map(it => printed(get(it, 'key') ?? ''))) {
    const last = lastOf.get(key);
    if (selected.has(key) && last !== undefined) yield invalid(at.index(last), key, IN_BOTH);
    selected.add(key);
  }
  const mismatched = new Set(mismatch);
  for (const [i, key] of match.entries()) {
    if (!mismatched.has(key)) continue;
    const detail = 'exists in both matchLabelKeys and mismatchLabelKeys';
    yield invalid(at.child('matchLabelKeys').index(i), key, detail);
  }
}

/** Upstream: core validation.validateLabelKeys. */
function* validateKeys(keys: readonly string[], term: JsonObject, at: FieldPath): Iterable<FieldError> {
  if (keys.length === 0) return;
  if (record(term, 'labelSelector') === undefined) {
    yield forbidden(at, 'must not be specified when labelSelector is not set');
    return;
  }
  for (const [i, key] of keys.entries()) yield* validateLabelName(key, at.index(i));
}

/** Keys that only the scheduler reads. Upstream: core validation.ValidateMatchLabelKeysInTopologySpread. */
export function* validateUnmergedLabelKeys(constraint: JsonObject, at: FieldPath): Iterable<FieldError> {
  const keys = texts(constraint, 'matchLabelKeys');
  if (keys.length === 0) return;
  const selector = record(constraint, 'labelSelector');
  if (selector === undefined) yield forbidden(at, 'must not be specified when labelSelector is not set');
  const expressions = records(selector, 'matchExpressions').map(it => get(it, 'key'));
  const selected = new Set([...Object.keys(record(selector, 'matchLabels') ?? {}), ...expressions]);
  for (const [i, key] of keys.entries()) {
    yield* validateLabelName(key, at.index(i));
    if (selected.has(key)) yield invalid(at.index(i), key, IN_BOTH);
  }
}

/**
 * The term with one expression in its selector for each key that is among the Pod's labels. Upstream: pkg/registry/core/pod
 * applyMatchLabelKeysAndMismatchLabelKeys, applyMatchLabelKeys.
 */
export function mergeLabelKeys(term: JsonObject, labels: JsonObject | undefined): JsonObject {
  const selector = record(term, 'labelSelector');
  if (selector === undefined) return term;
  const expressions = [
    ...expressionsOf(texts(term, 'matchLabelKeys'), 'In', labels),
    ...expressionsOf(texts(term, 'mismatchLabelKeys'), 'NotIn', labels),
  ];
  if (expressions.length === 0) return term;
  const matchExpressions = [...records(selector, 'matchExpressions'), ...expressions];
  return { ...term, labelSelector: { ...selector, matchExpressions } };
}

function expressionsOf(keys: readonly string[], operator: 'In' | 'NotIn', labels: JsonObject | undefined) {
  return keys.flatMap(key => {
    const value = get(labels, key);
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });
}
