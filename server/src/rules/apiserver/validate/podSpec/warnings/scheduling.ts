import type { JsonObject } from '../../../../../base/json';
import { entries, type GoFields, has, record, records, text, texts } from '../../../../../kube/goFields';
import type { Kube } from '../../../../../kube/kube';
import { labelValueErrors } from '../../../../../kube/names';
import type { FieldPath } from '../../../../../manifest/fieldPath';
import { applies } from '../../../../minors/minorChange';
import { minorChanges } from '../../../../minors/minorChanges';
import { deprecatedExpressionKeys, deprecatedNodeLabel } from '../../shared/labels';

/** Deprecated node labels in selectors, and selectors that select nothing. */
export function schedulingWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  const affinity = record(spec, 'affinity');
  const affinityPath = at.child('affinity');
  return [
    ...selectorWarnings(spec, at.child('nodeSelector')),
    ...nodeAffinityWarnings(record(affinity, 'nodeAffinity'), affinityPath.child('nodeAffinity')),
    ...spreadWarnings(spec, at.child('topologySpreadConstraints')),
    ...['podAffinity', 'podAntiAffinity'].flatMap(type =>
      podTermWarnings(record(affinity, type), affinityPath.child(type)),
    ),
  ];
}

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

function selectorWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  return entries(spec, 'nodeSelector').flatMap(([key]) => {
    const message = deprecatedNodeLabel(key);
    return message === undefined ? [] : [`${at.key(key)}: ${message}`];
  });
}

function nodeAffinityWarnings(affinity: GoFields, at: FieldPath): readonly string[] {
  const terms = at.child(REQUIRED, 'nodeSelectorTerms');
  return [
    ...records(record(affinity, REQUIRED), 'nodeSelectorTerms').flatMap((it, i) =>
      deprecatedExpressionKeys(it, terms.index(i)),
    ),
    ...records(affinity, PREFERRED).flatMap((it, i) => {
      const preference = record(it, 'preference');
      return deprecatedExpressionKeys(preference, at.child(PREFERRED).index(i).child('preference'));
    }),
  ];
}

/**
 * A preferred term may contain a value that no label can have; a required term may not. Upstream:
 * GetWarningsForNodeSelectorTerm.
 */
export function preferredValueWarnings(spec: JsonObject, at: FieldPath, kube: Kube): readonly string[] {
  const unit = applies(minorChanges.labelsInBytes, kube) ? 'bytes' : 'characters';
  const preferred = at.child('affinity', 'nodeAffinity', PREFERRED);
  return records(record(record(spec, 'affinity'), 'nodeAffinity'), PREFERRED).flatMap((term, i) =>
    records(record(term, 'preference'), 'matchExpressions').flatMap((it, j) => {
      const values = preferred.index(i).child('preference', 'matchExpressions').index(j).child('values');
      return texts(it, 'values').flatMap((value, k) =>
        labelValueErrors(value).map(
          error => `${values.index(k)}: ${value} is invalid, ${error.replace(/ bytes$/, ` ${unit}`)}`,
        ),
      );
    }),
  );
}

function spreadWarnings(spec: JsonObject, at: FieldPath): readonly string[] {
  return records(spec, 'topologySpreadConstraints').flatMap((it, i) => {
    const key = text(it, 'topologyKey');
    const message = deprecatedNodeLabel(key);
    return [
      ...(message === undefined ? [] : [`${at.index(i).child('topologyKey')}: ${key} is ${message}`]),
      ...nullSelectorWarnings(it, at.index(i)),
    ];
  });
}

/** Upstream: warningsForPodAffinityTerms, warningsForWeightedPodAffinityTerms. */
function podTermWarnings(affinity: GoFields, at: FieldPath): readonly string[] {
  return [
    ...records(affinity, REQUIRED).flatMap((it, i) => nullSelectorWarnings(it, at.child(REQUIRED).index(i))),
    ...records(affinity, PREFERRED).flatMap((it, i) =>
      nullSelectorWarnings(record(it, 'podAffinityTerm'), at.child(PREFERRED).index(i).child('podAffinityTerm')),
    ),
  ];
}

function nullSelectorWarnings(of: GoFields, at: FieldPath): readonly string[] {
  if (has(of, 'labelSelector')) return [];
  return [`${at.child('labelSelector')}: a null labelSelector results in matching no pod`];
}
