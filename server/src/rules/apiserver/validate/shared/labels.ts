import type { JsonObject } from '../../../../base/json';
import { entries, type GoFields, items, record, records, text, texts } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123SubdomainErrors, labelValueErrors, qualifiedNameErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { applies } from '../../../minors/minorChange';
import { minorChanges } from '../../../minors/minorChanges';
import { type FieldError, forbidden, invalid, invalids, required } from '../errors';

/** A map of labels below `object`. Upstream: apimachinery ValidateLabels. */
export function labelMapErrors(object: GoFields, name: string, at: FieldPath): readonly FieldError[] {
  return entries(object, name).flatMap(([key, value]) => {
    const written = typeof value === 'string' ? value : '';
    return [...invalids(at, key, qualifiedNameErrors(key)), ...invalids(at, written, labelValueErrors(written))];
  });
}

/** What the values of a node selector's term must be. */
export type TermValues = 'labelValue' | 'anyValue';

/** What the values of a required term of a Pod or a PersistentVolume must be. */
export function requiredValues(kube: Kube): TermValues {
  return applies(minorChanges.requiredTermValues, kube) ? 'labelValue' : 'anyValue';
}

/** Upstream: ValidateNodeSelector, for required terms. */
export function nodeSelectorErrors(selector: JsonObject, at: FieldPath, values: TermValues): readonly FieldError[] {
  const terms = records(selector, 'nodeSelectorTerms');
  const termsAt = at.child('nodeSelectorTerms');
  if (terms.length === 0) return [required(termsAt, 'must have at least one node selector term')];
  return terms.flatMap((term, i) => [
    ...records(term, 'matchExpressions').flatMap((it, j) =>
      nodeLabelErrors(it, termsAt.index(i).child('matchExpressions').index(j), values),
    ),
    ...records(term, 'matchFields').flatMap((it, j) =>
      nodeFieldErrors(it, termsAt.index(i).child('matchFields').index(j)),
    ),
  ]);
}

function nodeLabelErrors(requirement: JsonObject, at: FieldPath, valuesMustBe: TermValues): readonly FieldError[] {
  const key = text(requirement, 'key');
  return [
    ...nodeOperatorErrors(requirement, at),
    ...invalids(at.child('key'), key, qualifiedNameErrors(key)),
    ...(valuesMustBe === 'anyValue' ? [] : texts(requirement, 'values')).flatMap((it, i) =>
      invalids(at.child('values').index(i), it, labelValueErrors(it)),
    ),
  ];
}

function nodeOperatorErrors(requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const operator = text(requirement, 'operator');
  const count = items(requirement, 'values').length;
  const values = at.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(values, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1 ? [] : [required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(at.child('operator'), operator, 'not a valid selector operator')];
  }
}

function nodeFieldErrors(requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const operator = text(requirement, 'operator');
  const key = text(requirement, 'key');
  const values = texts(requirement, 'values');
  const onlyOne = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const known = operator === 'In' || operator === 'NotIn';
  return [
    ...(known ? [] : [invalid(at.child('operator'), operator, 'not a valid selector operator')]),
    ...(known && values.length !== 1 ? [required(at.child('values'), onlyOne)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((it, i) => invalids(at.child('values').index(i), it, dns1123SubdomainErrors(it)))
      : [invalid(at.child('key'), key, 'not a valid field selector key')]),
  ];
}

const deprecatedNodeLabels: ReadonlyMap<string, string> = new Map([
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
  ['app.kubernetes.io/created-by', 'deprecated since v1.9'],
  ['scheduler.alpha.kubernetes.io/preferAvoidPods', 'deprecated since v1.22; use Taints and Tolerations instead'],
  ['node-role.kubernetes.io/master', 'use "node-role.kubernetes.io/control-plane" instead'],
]);

/** Upstream's text about a deprecated node label. Upstream: GetNodeLabelDeprecatedMessage. */
export function deprecatedNodeLabel(key: string): string | undefined {
  return deprecatedNodeLabels.get(key);
}

/** Upstream: the parts of GetWarningsForNodeSelectorTerm and GetWarningsForNodeSelector about expressions. */
export function deprecatedExpressionKeys(selector: GoFields, at: FieldPath): readonly string[] {
  return records(selector, 'matchExpressions').flatMap((it, i) => {
    const key = text(it, 'key');
    const message = deprecatedNodeLabel(key);
    return message === undefined ? [] : [`${at.child('matchExpressions').index(i).child('key')}: ${key} is ${message}`];
  });
}

/** The annotations of an object. */
export function annotationsOf(object: JsonObject): JsonObject {
  return record(record(object, 'metadata'), 'annotations') ?? {};
}
