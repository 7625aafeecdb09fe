import type { JsonObject } from '../../../../base/json';
import { repeatedAt } from '../../../../base/repeated';
import { entries, mapField, mapItems, record, records, text, withField } from '../../../../kube/goFields';
import { qualifiedNameErrors } from '../../../../kube/names';
import {
  compareQuantities,
  formatQuantity,
  type Quantity,
  quantityInt64,
  quantityMilliInt64,
  quantityOf,
  roundUpToMilli,
} from '../../../../kube/quantity';
import { FieldPath } from '../../../../manifest/fieldPath';
import { duplicate, type FieldError, forbidden, invalid, invalids, type KindStrategy, required } from '../errors';
import { validateNameFn, validateObjectMeta } from '../metadata';
import { amountOf, containerResourceNameErrors, isOvercommitAllowed, resourceNameErrors } from '../shared/resources';

const types = ['Pod', 'Container', 'PersistentVolumeClaim'];
const one = quantityOf(1);

/** Upstream: ValidateLimitRange. */
export const limitRangeStrategy: KindStrategy = {
  defaults: object => mapField(object, 'spec', spec => mapItems(spec, 'limits', withContainerDefaults)),
  drop: object => ({ object: named(object), dropped: [] }),
  validate: object => [
    ...validateObjectMeta(object, 'namespaced', validateNameFn.subdomain),
    ...validateLimits(records(record(object, 'spec'), 'limits')),
  ],
};

/** The server generates a UUID as the name if there is none. Upstream: limitrangeStrategy.PrepareForCreate. */
function named(object: JsonObject): JsonObject {
  const metadata = record(object, 'metadata') ?? {};
  if (text(metadata, 'name') !== '' || text(metadata, 'generateName') !== '') return object;
  return { ...object, metadata: { ...metadata, name: '00000000-0000-4000-8000-000000000000' } };
}

/**
 * For containers the maximum is the default of `default`, which is the default of `defaultRequest`; without it, the
 * minimum is.
 */
function withContainerDefaults(limit: JsonObject): JsonObject {
  if (text(limit, 'type') !== 'Container') return limit;
  const limits = { ...record(limit, 'max'), ...record(limit, 'default') };
  const requests = { ...record(limit, 'min'), ...limits, ...record(limit, 'defaultRequest') };
  return withField(withField(limit, 'default', limits), 'defaultRequest', requests);
}

function* validateLimits(limits: readonly JsonObject[]): Iterable<FieldError> {
  const named = limits.map(it => text(it, 'type'));
  const repeated = repeatedAt(named);
  for (const [i, limit] of limits.entries()) {
    const at = FieldPath.of('spec', 'limits').index(i);
    const type = named[i] ?? '';
    yield* typeErrors(type, at.child('type'));
    if (repeated.has(i)) yield duplicate(at.child('type'), type);
    yield* validateLimit(limit, type, at);
  }
}

/** Upstream: validateLimitRangeTypeName. */
function typeErrors(type: string, at: FieldPath): readonly FieldError[] {
  const errors = invalids(at, type, qualifiedNameErrors(type));
  if (errors.length > 0 || type.includes('/') || types.includes(type)) return errors;
  return [invalid(at, type, 'must be a standard limit type or fully qualified')];
}

type Bound = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio';
type Amounts = Readonly<Record<Bound, ReadonlyMap<string, Quantity>>>;

function* validateLimit(limit: JsonObject, type: string, at: FieldPath): Iterable<FieldError> {
  const nameErrors = type === 'Pod' || type === 'Container' ? containerResourceNameErrors : resourceNameErrors;
  const amounts = (bound: Bound) =>
    new Map(entries(limit, bound).map(([name, value]) => [name, roundUpToMilli(amountOf(value))] as const));
  const none: ReadonlyMap<string, Quantity> = new Map();
  const ofPod = type === 'Pod';
  const all: Amounts = {
    max: amounts('max'),
    min: amounts('min'),
    default: ofPod ? none : amounts('default'),
    defaultRequest: ofPod ? none : amounts('defaultRequest'),
    maxLimitRequestRatio: amounts('maxLimitRequestRatio'),
  };
  for (const bound of ['default', 'defaultRequest'] as const) {
    if (ofPod && entries(limit, bound).length > 0) {
      yield forbidden(at.child(bound), "may not be specified when `type` is 'Pod'");
    }
  }
  for (const [bound, named] of Object.entries(all)) {
    for (const name of named.keys()) yield* nameErrors(name, at.child(bound).key(name));
  }
  if (type === 'PersistentVolumeClaim' && !all.min.has('storage') && !all.max.has('storage')) {
    const detail = 'either minimum or maximum storage value is required, but neither was provided';
    yield required(at.child('limits'), detail);
  }
  const names = new Set(Object.values(all).flatMap(it => [...it.keys()]));
  for (const name of names) yield* validateAmounts(name, all, at);
}

/**
 * Pairs of bounds of which one may not exceed the other, in upstream's order; then the field of the error, and the
 * bound whose amount upstream prints as the field's.
 */
const orders: readonly Order[] = [
  { less: 'min', more: 'max', words: ['min', 'max'], reported: 'min' },
  { less: 'min', more: 'defaultRequest', words: ['min', 'default request'], reported: 'defaultRequest' },
  { less: 'defaultRequest', more: 'max', words: ['default request', 'max'], reported: 'defaultRequest' },
  { less: 'defaultRequest', more: 'default', words: ['default request', 'default limit'], reported: 'defaultRequest' },
  { less: 'min', more: 'default', words: ['min', 'default'], reported: 'default', printed: 'min' },
  { less: 'default', more: 'max', words: ['default', 'max'], reported: 'default', printed: 'max' },
];

interface Order {
  readonly less: Bound;
  readonly more: Bound;
  readonly words: readonly [less: string, more: string];
  readonly reported: Bound;
  readonly printed?: Bound;
}

function* validateAmounts(name: string, all: Amounts, limitAt: FieldPath): Iterable<FieldError> {
  const at = (bound: Bound) => limitAt.child(bound).key(name);
  for (const order of orders) {
    const [less, more] = [all[order.less].get(name), all[order.more].get(name)];
    if (less === undefined || more === undefined || compareQuantities(less, more) <= 0) continue;
    const [lessName, moreName] = order.words;
    const detail = `${lessName} value ${formatQuantity(less)} is greater than ${moreName} value ${formatQuantity(more)}`;
    const printed = all[order.printed ?? order.reported].get(name) ?? less;
    yield invalid(at(order.reported), formatQuantity(printed), detail);
  }
  const ratio = all.maxLimitRequestRatio.get(name);
  if (ratio !== undefined) yield* ratioErrors(ratio, all.min.get(name), all.max.get(name), at('maxLimitRequestRatio'));
  const [limit, request] = [all.default.get(name), all.defaultRequest.get(name)];
  if (limit === undefined || request === undefined || isOvercommitAllowed(name)) return;
  if (compareQuantities(limit, request) === 0) return;
  const words = `default value ${formatQuantity(limit)} must equal to defaultRequest value ${formatQuantity(request)}`;
  yield invalid(at('defaultRequest'), formatQuantity(request), `${words} in ${name}`);
}

/** Upstream: resource.MaxMilliValue, above which amounts are compared in whole units. */
const mostInMilli = (2n ** 63n - 1n) / 1000n;

function* ratioErrors(
  ratio: Quantity,
  min: Quantity | undefined,
  max: Quantity | undefined,
  at: FieldPath,
): Iterable<FieldError> {
  const text = formatQuantity(ratio);
  if (one !== undefined && compareQuantities(ratio, one) < 0) yield invalid(at, text, `ratio ${text} is less than 1`);
  if (min === undefined || max === undefined) return;
  const inMilli = [ratio, min, max].every(it => quantityInt64(it) < mostInMilli);
  const count = inMilli ? quantityMilliInt64 : quantityInt64;
  const value = inMilli ? Number(count(ratio)) / 1000 : Number(count(ratio));
  const most = Number(count(max)) / Number(count(min));
  if (value > most) yield invalid(at, text, `ratio ${text} is greater than max/min = ${most.toFixed(6)}`);
}
