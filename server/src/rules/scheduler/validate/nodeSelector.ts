import type { JsonObject, JsonValue } from '../../../base/json';
import { get, int, record, records, text, texts } from '../../../kube/goFields';
import { labelValueErrors, qualifiedNameErrors } from '../../../kube/names';
import type { FieldPath } from '../../../manifest/fieldPath';
import { type FieldError, invalid, notAmong } from '../../apiserver/validate/errors';

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];

/** Upstream: nodeaffinity.NewNodeSelector. A term without requirements selects nothing and is not looked at. */
export function requiredTermErrors(selector: JsonObject, at: FieldPath): readonly FieldError[] {
  return records(selector, 'nodeSelectorTerms').flatMap((it, i) =>
    termErrors(it, at.child('nodeSelectorTerms').index(i)),
  );
}

/** Upstream: nodeaffinity.NewPreferredSchedulingTerms, whose paths leave `preference` out. */
export function preferredTermErrors(terms: readonly JsonObject[], at: FieldPath): readonly FieldError[] {
  return terms.flatMap((it, i) =>
    int(it, 'weight') === 0 ? [] : termErrors(record(it, 'preference') ?? {}, at.index(i)),
  );
}

function termErrors(term: JsonObject, at: FieldPath): readonly FieldError[] {
  return [
    ...records(term, 'matchExpressions').flatMap((it, i) => labelErrors(it, at.child('matchExpressions').index(i))),
    ...records(term, 'matchFields').flatMap((it, i) => fieldErrors(it, at.child('matchFields').index(i))),
  ];
}

/** Upstream: labels.NewRequirement. */
function labelErrors(requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const operator = text(requirement, 'operator');
  if (!OPERATORS.includes(operator)) return [notAmong(at.child('operator'), operator, OPERATORS)];
  const key = text(requirement, 'key');
  const keyErrors = qualifiedNameErrors(key);
  return [
    ...(keyErrors.length > 0 ? [invalid(at.child('key'), key, keyErrors.join('; '))] : []),
    ...countErrors(operator, requirement, at.child('values')),
    ...texts(requirement, 'values').flatMap((it, i) => {
      const errors = labelValueErrors(it);
      return errors.length === 0 ? [] : [invalid(at.child('values').index(i).key(key), it, errors.join('; '))];
    }),
  ];
}

function countErrors(operator: string, requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const values = texts(requirement, 'values');
  const written: JsonValue = get(requirement, 'values') ?? null;
  if (operator === 'In' || operator === 'NotIn') {
    return values.length > 0 ? [] : [invalid(at, written, "for 'in', 'notin' operators, values set can't be empty")];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return values.length === 0 ? [] : [invalid(at, written, 'values set must be empty for exists and does not exist')];
  }
  return [
    ...(values.length === 1 ? [] : [invalid(at, written, "for 'Gt', 'Lt' operators, exactly one value is required")]),
    ...values.flatMap((it, i) =>
      /^[-+]?\d+$/.test(it) ? [] : [invalid(at.index(i), it, "for 'Gt', 'Lt' operators, the value must be an integer")],
    ),
  ];
}

function fieldErrors(requirement: JsonObject, at: FieldPath): readonly FieldError[] {
  const operator = text(requirement, 'operator');
  if (operator !== 'In' && operator !== 'NotIn') return [notAmong(at.child('operator'), operator, ['In', 'NotIn'])];
  if (texts(requirement, 'values').length === 1) return [];
  return [invalid(at.child('values'), get(requirement, 'values') ?? null, 'must have one element')];
}
