import { dns1123SubdomainErrors, labelValueErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import type { JsonValue } from '../../../../manifest/manifest';
import { asList } from '../../../values';
import { type FieldError, forbidden, invalid, required } from '../errors';
import { validateLabelName } from '../metadata';
import { type Check, fields, list, structOf, textOf, type Value } from './declarative';

const badOperator = 'not a valid selector operator';

/** Upstream: pkg/apis/core/validation.ValidateNodeSelector, with label values checked. */
export const nodeSelector: Check<Value> = (value, at) => {
  const { nodeSelectorTerms } = structOf(value);
  const termsAt = at.child('nodeSelectorTerms');
  if (asList(nodeSelectorTerms).length === 0) return [required(termsAt, 'must have at least one node selector term')];
  return list({}, fields({ matchExpressions: list({}, labelRequirement), matchFields: list({}, fieldRequirement) }))(
    nodeSelectorTerms,
    termsAt,
  );
};

function labelRequirement(item: JsonValue, at: FieldPath): readonly FieldError[] {
  const requirement = structOf(item);
  const values = asList(requirement.values).map(textOf);
  const valuesAt = at.child('values');
  return [
    ...valueCount(textOf(requirement.operator), values.length, at),
    ...validateLabelName(textOf(requirement.key), at.child('key')),
    ...values.flatMap((value, i) => labelValueErrors(value).map(it => invalid(valuesAt.index(i), value, it))),
  ];
}

function valueCount(operator: string, count: number, at: FieldPath): readonly FieldError[] {
  const valuesAt = at.child('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [required(valuesAt, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (count === 0) return [];
      return [forbidden(valuesAt, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      if (count === 1) return [];
      return [required(valuesAt, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(at.child('operator'), operator, badOperator)];
  }
}

function fieldRequirement(item: JsonValue, at: FieldPath): readonly FieldError[] {
  const requirement = structOf(item);
  const operator = textOf(requirement.operator);
  const key = textOf(requirement.key);
  const values = asList(requirement.values).map(textOf);
  const valuesAt = at.child('values');
  const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  const known = operator === 'In' || operator === 'NotIn';
  return [
    ...(known ? [] : [invalid(at.child('operator'), operator, badOperator)]),
    ...(known && values.length !== 1 ? [required(valuesAt, one)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, i) => dns1123SubdomainErrors(value).map(it => invalid(valuesAt.index(i), value, it)))
      : [invalid(at.child('key'), key, 'not a valid field selector key')]),
  ];
}
