import type { JsonObject } from '../../../../base/json';
import { has, optionalInt, record, records, text, texts } from '../../../../kube/goFields';
import type { Kube } from '../../../../kube/kube';
import { dns1123LabelErrors, dns1123SubdomainErrors, labelValueErrors } from '../../../../kube/names';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, notAmong, notSupported, required, type Validation } from '../errors';
import { validateLabelName, validateLabelSelector } from '../metadata';
import { oneOf } from '../shared/checks';
import { requiredValues, type TermValues } from '../shared/labels';
import { validateMergedLabelKeys } from './labelKeys';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Upstream: core validation.validateAffinity. */
export function* validateAffinity(affinity: JsonObject | undefined, at: FieldPath, kube: Kube): Iterable<FieldError> {
  const nodes = record(affinity, 'nodeAffinity');
  const nodesPath = at.child('nodeAffinity');
  const selector = record(nodes, REQUIRED);
  if (selector !== undefined) yield* validateNodeSelector(selector, nodesPath.child(REQUIRED), requiredValues(kube));
  for (const [i, term] of records(nodes, PREFERRED).entries()) {
    const item = nodesPath.child(PREFERRED).index(i);
    yield* validateWeight(term, item);
    yield* validateNodeSelectorTerm(record(term, 'preference') ?? {}, 'anyValue', item.child('preference'));
  }
  for (const type of ['podAffinity', 'podAntiAffinity']) {
    const pods = record(affinity, type);
    for (const [i, term] of records(pods, REQUIRED).entries()) {
      yield* validatePodTerm(term, at.child(type, REQUIRED).index(i));
    }
    for (const [i, weighted] of records(pods, PREFERRED).entries()) {
      const item = at.child(type, PREFERRED).index(i);
      yield* validateWeight(weighted, item);
      yield* validatePodTerm(record(weighted, 'podAffinityTerm') ?? {}, item.child('podAffinityTerm'));
    }
  }
}

function* validateWeight(term: JsonObject, at: FieldPath): Iterable<FieldError> {
  const weight = optionalInt(term, 'weight') ?? 0;
  if (weight <= 0 || weight > 100) yield invalid(at.child('weight'), weight, 'must be in the range 1-100');
}

/** Upstream: core validation.ValidateNodeSelector. */
export function* validateNodeSelector(
  selector: JsonObject,
  at: FieldPath,
  values: TermValues = 'labelValue',
): Iterable<FieldError> {
  const terms = records(selector, 'nodeSelectorTerms');
  if (terms.length === 0) yield required(at.child('nodeSelectorTerms'), 'must have at least one node selector term');
  for (const [i, term] of terms.entries()) {
    yield* validateNodeSelectorTerm(term, values, at.child('nodeSelectorTerms').index(i));
  }
}

/** Upstream: core validation.ValidateNodeSelectorTerm. */
function* validateNodeSelectorTerm(term: JsonObject, values: TermValues, at: FieldPath): Iterable<FieldError> {
  for (const [i, it] of records(term, 'matchExpressions').entries()) {
    yield* validateNodeRequirement(it, values, at.child('matchExpressions').index(i));
  }
  for (const [i, it] of records(term, 'matchFields').entries()) {
    yield* validateFieldRequirement(it, at.child('matchFields').index(i));
  }
}

/** Upstream: core validation.ValidateNodeSelectorRequirement. */
function* validateNodeRequirement(
  requirement: JsonObject,
  valuesMustBe: TermValues,
  at: FieldPath,
): Iterable<FieldError> {
  const operator = text(requirement, 'operator');
  const values = texts(requirement, 'values');
  const valuesPath = at.child('values');
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) yield required(valuesPath, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    if (values.length > 0) {
      yield forbidden(valuesPath, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else if (operator === 'Gt' || operator === 'Lt') {
    if (values.length !== 1) {
      yield required(valuesPath, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    }
  } else yield invalid(at.child('operator'), operator, 'not a valid selector operator');
  yield* validateLabelName(text(requirement, 'key'), at.child('key'));
  if (valuesMustBe === 'anyValue') return;
  for (const [i, value] of values.entries()) {
    for (const it of labelValueErrors(value)) yield invalid(valuesPath.index(i), value, it);
  }
}

/** Upstream: core validation.ValidateNodeFieldSelectorRequirement. */
function* validateFieldRequirement(requirement: JsonObject, at: FieldPath): Iterable<FieldError> {
  const operator = text(requirement, 'operator');
  const key = text(requirement, 'key');
  const values = texts(requirement, 'values');
  if (operator !== 'In' && operator !== 'NotIn') {
    yield invalid(at.child('operator'), operator, 'not a valid selector operator');
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    yield required(at.child('values'), detail);
  }
  if (key !== 'metadata.name') {
    yield invalid(at.child('key'), key, 'not a valid field selector key');
    return;
  }
  for (const [i, value] of values.entries()) {
    for (const it of dns1123SubdomainErrors(value)) yield invalid(at.child('values').index(i), value, it);
  }
}

/** Upstream: core validation.validatePodAffinityTerm. */
function* validatePodTerm(term: JsonObject, at: FieldPath): Iterable<FieldError> {
  yield* validateLabelSelector(record(term, 'labelSelector'), at.child('labelSelector'));
  yield* validateLabelSelector(record(term, 'namespaceSelector'), at.child('namespaceSelector'));
  for (const name of texts(term, 'namespaces')) {
    for (const it of dns1123LabelErrors(name)) yield invalid(at.child('namespace'), name, it);
  }
  yield* validateMergedLabelKeys(term, at);
  const key = text(term, 'topologyKey');
  if (key === '') yield required(at.child('topologyKey'), 'can not be empty');
  yield* validateLabelName(key, at.child('topologyKey'));
}

/** Upstream: core validation.ValidateTolerations. */
export function* validateTolerations(
  spec: JsonObject,
  list: FieldPath,
  { isOn }: Pick<Validation, 'isOn'>,
): Iterable<FieldError> {
  for (const [i, toleration] of records(spec, 'tolerations').entries()) {
    const at = list.index(i);
    const key = text(toleration, 'key');
    const operator = text(toleration, 'operator');
    const effect = text(toleration, 'effect');
    if (key !== '') yield* validateLabelName(key, at.child('key'));
    if (key === '' && operator !== 'Exists') {
      const detail = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
      yield invalid(at.child('operator'), operator, detail);
    }
    if (has(toleration, 'tolerationSeconds') && effect !== 'NoExecute') {
      yield invalid(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set");
    }
    yield* validateTolerationValue(toleration, operator, at, isOn('TaintTolerationComparisonOperators') ? 'on' : 'off');
    if (effect !== '') yield* oneOf(toleration, 'effect', at.child('effect'), EFFECTS);
  }
}

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function* validateTolerationValue(
  toleration: JsonObject,
  operator: string,
  at: FieldPath,
  comparison: 'on' | 'off',
): Iterable<FieldError> {
  const value = text(toleration, 'value');
  const operatorPath = at.child('operator');
  if (operator === '' || operator === 'Equal') {
    const errors = labelValueErrors(value);
    if (errors.length > 0) yield invalid(operatorPath, value, errors.join(';'));
  } else if (operator === 'Exists') {
    if (value !== '') yield invalid(operatorPath, value, "value must be empty when `operator` is 'Exists'");
  } else if (operator === 'Lt' || operator === 'Gt') {
    if (comparison === 'off') yield notAmong(operatorPath, operator, ['Equal', 'Exists', 'Lt', 'Gt']);
    else yield* validateNumber(value, at.child('value'));
  } else yield notSupported(operatorPath, operator, ['Equal', 'Exists']);
}

/** The value of `Lt` and `Gt`. Upstream: content.IsDecimalInteger, strconv.ParseInt. */
function* validateNumber(value: string, at: FieldPath): Iterable<FieldError> {
  if (value === '') yield invalid(at, value, 'must be non-empty');
  else if (!/^(0|-?[1-9][0-9]*)$/.test(value))
    yield invalid(at, value, 'must be a valid decimal integer in canonical form');
  const refused = (why: string) => invalid(at, value, `strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);
  if (!/^[-+]?[0-9]+$/.test(value)) yield refused('invalid syntax');
  else if (BigInt.asIntN(64, BigInt(value.replace('+', ''))) !== BigInt(value.replace('+', ''))) {
    yield refused('value out of range');
  }
}
