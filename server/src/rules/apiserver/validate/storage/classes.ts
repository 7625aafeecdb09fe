import { byteLength } from '../../../../base/byteLength';
import { compareText } from '../../../../base/compareText';
import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import {
  entries,
  type GoFields,
  get,
  optionalText,
  records,
  text,
  texts,
  withDefault,
} from '../../../../kube/goFields';
import { qualifiedNameErrors } from '../../../../kube/names';
import { FieldPath } from '../../../../manifest/fieldPath';
import {
  duplicate,
  type FieldError,
  invalid,
  invalids,
  type KindStrategy,
  MOST_EQUAL,
  manyTimes,
  notSupported,
  required,
  tooLong,
} from '../errors';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { deprecatedNodeLabel } from '../shared/labels';

const mostParameters = 512;
const mostBytes = 256 * 1024;

/** Upstream: validateProvisioner. */
function provisionerErrors(object: GoFields, field: string): readonly FieldError[] {
  const name = text(object, field);
  const at = FieldPath.of(field);
  if (name === '') return [required(at)];
  return invalids(at, name.toLowerCase(), qualifiedNameErrors(name.toLowerCase()));
}

/** Upstream: validateParameters. */
function parameterErrors(object: GoFields): readonly FieldError[] {
  const at = FieldPath.of('parameters');
  const written = entries(object, 'parameters');
  if (written.length > mostParameters) return [tooLong(at, mostParameters)];
  const size = written.reduce(
    (sum, [key, it]) => sum + byteLength(key) + byteLength(typeof it === 'string' ? it : ''),
    0,
  );
  return [
    ...(written.some(([key]) => key === '') ? [invalid(at, '', 'field can not be empty.')] : []),
    ...(size > mostBytes ? [tooLong(at, mostBytes)] : []),
  ];
}

const allowed = {
  reclaimPolicy: ['Delete', 'Retain'],
  volumeBindingMode: ['Immediate', 'WaitForFirstConsumer'],
};

function choiceErrors(object: JsonObject, field: keyof typeof allowed): readonly FieldError[] {
  const value = optionalText(object, field);
  if (value === undefined || allowed[field].includes(value)) return [];
  if (field === 'reclaimPolicy' && value === '') return [];
  return [notSupported(FieldPath.of(field), value, allowed[field])];
}

/** Upstream: validateAllowedTopologies. */
function topologyErrors(object: JsonObject): readonly FieldError[] {
  const terms = records(object, 'allowedTopologies');
  const asWritten = terms.map(termKey);
  const equalsBefore = new Map<string, number>();
  let made = 0;
  return terms.flatMap((term, i) => {
    const at = FieldPath.of('allowedTopologies', i, 'matchLabelExpressions');
    // Upstream compares with one empty term for every term there is before it compares with earlier terms, and reports
    // each equal one.
    const key = asWritten[i] ?? '';
    const before = equalsBefore.get(key) ?? 0;
    equalsBefore.set(key, before + 1);
    const times = before + (key === '[]' ? terms.length : 0);
    const equals = manyTimes(duplicate(at, ''), times, Math.max(1, MOST_EQUAL - made));
    made += equals.length;
    return [...expressionErrors(term, at), ...equals];
  });
}

function expressionErrors(term: JsonObject, at: FieldPath): readonly FieldError[] {
  const expressions = records(term, 'matchLabelExpressions');
  const repeatedKeys = repeatedAt(expressions.map(it => text(it, 'key')));
  return expressions.flatMap((it, i) => {
    const key = text(it, 'key');
    const values = texts(it, 'values');
    const repeatedValues = repeatedAt(values);
    return [
      ...(values.length === 0 ? [required(at.index(i).child('values'))] : []),
      ...values.flatMap((value, j) =>
        repeatedValues.has(j) ? [duplicate(at.index(i).child('values').index(j), value)] : [],
      ),
      ...invalids(at.index(i).child('key'), key, qualifiedNameErrors(key)),
      ...(repeatedKeys.has(i) ? [duplicate(at.index(i).child('key'), key)] : []),
    ];
  });
}

/** The key of a term, equal for equal terms: the sets of values by key, the last of a repeated key. */
function termKey(term: JsonObject): string {
  const byKey = new Map(
    records(term, 'matchLabelExpressions').map(
      it => [text(it, 'key'), [...new Set(texts(it, 'values'))].sort()] as const,
    ),
  );
  return JSON.stringify([...byKey].sort(([a], [b]) => compareText(a, b)));
}

/** Upstream: GetWarningsForStorageClass. */
function warningsOf(object: JsonObject): readonly string[] {
  return records(object, 'allowedTopologies').flatMap((term, i) =>
    records(term, 'matchLabelExpressions').flatMap((it, j) => {
      const message = deprecatedNodeLabel(text(it, 'key'));
      return message === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${message}`];
    }),
  );
}

export const storageClassStrategy: KindStrategy = {
  defaults: object => withDefault(withDefault(object, 'reclaimPolicy', 'Delete'), 'volumeBindingMode', 'Immediate'),
  validate: object => [
    ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
    ...provisionerErrors(object, 'provisioner'),
    ...parameterErrors(object),
    ...choiceErrors(object, 'reclaimPolicy'),
    ...choiceErrors(object, 'volumeBindingMode'),
    ...topologyErrors(object),
  ],
  warn: warningsOf,
};

export const attributesClassStrategy: KindStrategy = {
  validate: object => [
    ...validateObjectMeta(object, 'cluster', validateNameFn.subdomain),
    ...provisionerErrors(object, 'driverName'),
    ...parameterErrors(object),
    ...(get(object, 'parameters') === undefined || entries(object, 'parameters').length === 0
      ? [required(FieldPath.of('parameters'), 'must contain at least one key/value pair')]
      : []),
  ],
};
