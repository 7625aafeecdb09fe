import { asList, type JsonObject, type JsonValue } from '../../../../base/json';
import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInt64,
  quantityMilliInt64,
} from '../../../../kube/quantity';
import type { FieldPath } from '../../../../manifest/fieldPath';
import { type FieldError, forbidden, invalid, required } from '../errors';
import { hasItems, isSet, repeated, structOf, tooManyItems } from './declarative';
import { readQuantity } from './quantities';

const mostValidValues = 10;
const maxInt64 = 2n ** 63n - 1n;

/**
 * How a range is computed: in thousandths if some part has a fraction, in whole numbers, or as before 1.37, with other
 * fields in the messages and fewer checks.
 */
export type Counting = 'fractions' | 'whole' | 'before 1.37';

/** One capacity of a device; it has a policy only if several claims may share the device. */
export function deviceCapacity(
  capacity: JsonObject,
  at: FieldPath,
  device: 'shared' | 'single',
  counting: Counting,
): readonly FieldError[] {
  if (!isSet(capacity.requestPolicy)) return [];
  const policyAt = at.child('requestPolicy');
  if (device === 'single') return [forbidden(policyAt, 'allowMultipleAllocations must be true')];
  const policy = structOf(capacity.requestPolicy);
  const most = readQuantity(capacity.value);
  if (hasItems(policy.validValues)) {
    if (isSet(policy.validRange)) {
      const detail =
        'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time';
      return [forbidden(policyAt, detail)];
    }
    if (!isSet(policy.default)) {
      return [required(policyAt.child('default'), 'required when validValues is defined')];
    }
    return validValues(asList(policy.validValues), policyAt.child('validValues'), policy.default, most, counting);
  }
  if (!isSet(policy.validRange)) return [];
  if (!isSet(policy.default)) return [required(policyAt.child('default'), 'required when validRange is defined')];
  return validRange(structOf(policy.validRange), policyAt.child('validRange'), policy.default, most, counting);
}

function validValues(
  items: readonly JsonValue[],
  at: FieldPath,
  written: JsonValue,
  most: Quantity,
  counting: Counting,
): readonly FieldError[] {
  const values = items.map(readQuantity);
  const byDefault = readQuantity(written);
  const unsorted = values.flatMap((it, i) => {
    const next = values[i + 1];
    return next !== undefined && compareQuantities(it, next) > 0
      ? [invalid(at.index(i + 1), formatQuantity(next), 'values must be sorted in ascending order')]
      : [];
  });
  if (values.length > mostValidValues) {
    // Upstream looks for the default only while it visits the values, which it does not do here.
    return [...unsorted, tooManyItems(at, values.length, mostValidValues), notAnOption(at, byDefault)];
  }
  return [
    ...unsorted,
    ...values.flatMap((it, i) =>
      compareQuantities(it, most) > 0
        ? [invalid(at.index(i), formatQuantity(it), `option is larger than capacity value: ${formatQuantity(most)}`)]
        : [],
    ),
    ...repeated(items, it => keyOf(readQuantity(it), counting), at),
    ...(values.some(it => compareQuantities(it, byDefault) === 0) ? [] : [notAnOption(at, byDefault)]),
  ];
}

function notAnOption(at: FieldPath, byDefault: Quantity): FieldError {
  return invalid(at, formatQuantity(byDefault), 'default value is not valid according to the requestPolicy');
}

function keyOf(value: Quantity, counting: Counting): string {
  if (counting !== 'fractions') return String(quantityInt64(value));
  return value.scale >= 0 ? String(value.amount * 10n ** BigInt(value.scale)) : `${value.amount}e${value.scale}`;
}

function validRange(
  range: JsonObject,
  at: FieldPath,
  written: JsonValue,
  most: Quantity,
  counting: Counting,
): readonly FieldError[] {
  if (!isSet(range.min)) return [required(at.child('min'), 'required when validRange is defined')];
  const min = readQuantity(range.min);
  const max = isSet(range.max) ? readQuantity(range.max) : undefined;
  const step = isSet(range.step) ? readQuantity(range.step) : undefined;
  const byDefault = readQuantity(written);
  const parts = [
    ['default', byDefault],
    ['min', min],
    ['max', max],
    ['step', step],
  ] as const;
  const bounds = rangeBounds(at, byDefault, min, max, most, counting);
  const inMilli = counting === 'fractions' && parts.some(([, it]) => it !== undefined && isFractional(it));
  const beyondMilli = inMilli
    ? parts.flatMap(([name, it]) =>
        it === undefined || isMilli(it)
          ? []
          : [invalid(at.child(name), formatQuantity(it), 'value cannot be represented as a milli value')],
      )
    : [];
  if (beyondMilli.length > 0 || step === undefined) return [...bounds, ...beyondMilli];
  const stepAt = at.child('step');
  const count = inMilli ? quantityMilliInt64 : quantityInt64;
  // The older server divides by the step without a check. Of a very large one no bit is left in 64.
  if (step.amount <= 0n && counting === 'before 1.37') return bounds;
  if (step.amount <= 0n) return [...bounds, invalid(stepAt, formatQuantity(step), 'must be greater than zero')];
  const first = addQuantities(min, step);
  const tooFar = `one step ${formatQuantity(first)} is larger than capacity value: ${formatQuantity(most)}`;
  const beyond =
    inMilli || counting === 'before 1.37'
      ? []
      : parts.flatMap(([name, it]) => (it === undefined ? [] : outsideInt64(it, at.child(name))));
  const divisor = count(step);
  const steps = [byDefault, ...(max === undefined ? [] : [max])].flatMap(it =>
    divisor === 0n || (count(it) - count(min)) % divisor === 0n
      ? []
      : [
          invalid(
            stepAt,
            formatQuantity(it),
            `value is not a multiple of a given step (${formatQuantity(step)}) from (${formatQuantity(min)})`,
          ),
        ],
  );
  return [
    ...bounds,
    ...(compareQuantities(first, most) > 0 ? [invalid(stepAt, formatQuantity(step), tooFar)] : []),
    ...beyond,
    ...(beyond.length > 0 ? [] : steps),
  ];
}

function rangeBounds(
  at: FieldPath,
  byDefault: Quantity,
  min: Quantity,
  max: Quantity | undefined,
  most: Quantity,
  counting: Counting,
): readonly FieldError[] {
  const place = (now: string, before: string) => (counting === 'before 1.37' ? before : now);
  const above = (a: Quantity, b: Quantity) => compareQuantities(a, b) > 0;
  const say = (field: string, value: Quantity, detail: string, than: Quantity) =>
    invalid(at.child(field), formatQuantity(value), `${detail}: ${formatQuantity(than)}`);
  return [
    ...(above(min, most) ? [say('min', min, 'min is larger than capacity value', most)] : []),
    ...(above(min, byDefault) ? [say(place('default', 'min'), byDefault, 'default is less than min', min)] : []),
    ...(max === undefined
      ? []
      : [
          ...(above(min, max) ? [say('max', min, 'min is larger than max', max)] : []),
          ...(above(max, most) ? [say('max', max, 'max is larger than capacity value', most)] : []),
          ...(above(byDefault, max) ? [say(place('default', 'max'), byDefault, 'default is more than max', max)] : []),
        ]),
  ];
}

function outsideInt64(value: Quantity, at: FieldPath): readonly FieldError[] {
  if (value.amount < 0n) return [invalid(at, formatQuantity(value), 'must be greater than or equal to 0')];
  const limit: Quantity = { amount: maxInt64, scale: 0, form: 'int64', format: 'DecimalSI' };
  return compareQuantities(value, limit) > 0
    ? [invalid(at, formatQuantity(value), `must not be larger than ${maxInt64}`)]
    : [];
}

function isFractional(value: Quantity): boolean {
  return value.scale < 0 && value.amount % 10n ** BigInt(-value.scale) !== 0n;
}

function isMilli(value: Quantity): boolean {
  const milli: Quantity = { amount: quantityMilliInt64(value), scale: -3, form: 'int64', format: value.format };
  return compareQuantities(value, milli) === 0;
}
