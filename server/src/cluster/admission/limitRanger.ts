import { compareText } from '../../base/compareText';
import { lazy } from '../../base/lazy';
import { assigned } from '../../base/manyItems';
import { jsonText } from '../../base/printed';
import {
  formatQuantity,
  type Quantity,
  quantityInt64,
  quantityMilliInt64,
  quantityOf,
  zeroQuantity,
} from '../../kube/quantity';
import type { Container, LimitRange, PersistentVolumeClaim, PodSpec, ResourceList } from '../../kube/types';
import { podQuantities, type Quantities, quantitiesOf } from '../resources/quantities';

/** The LimitRanger admission plugin: defaults for containers; limits for containers, Pods and claims. */

type LimitItem = NonNullable<NonNullable<LimitRange['spec']>['limits']>[number];

/** The bounds of a field by resource name, in the order of names. */
type Bounds = readonly (readonly [string, Quantity])[];

interface ReadItem {
  readonly type: string | undefined;
  readonly min: Bounds;
  readonly max: Bounds;
  readonly maxLimitRequestRatio: Bounds;
}

/** A LimitRange as it is compared with each Pod of its namespace: its amounts are read once. */
export interface ReadRange {
  readonly items: readonly ReadItem[];
  readonly limits: ResourceList;
  readonly requests: ResourceList;
}

/** The LimitRanges of one namespace. */
export interface LimitRanges {
  readonly read: readonly ReadRange[];
  /** How many that differ from these are not looked at. */
  readonly leftOut: number;
}

/** No more LimitRanges of a namespace are looked at: each Pod is compared with each of them. */
export const MOST_LIMIT_RANGES = 20;

/** Those that say the same as an earlier one change nothing and refuse nothing else. */
export function readRanges(ranges: readonly LimitRange[]): LimitRanges {
  const unlike = [...new Map(ranges.map(it => [jsonText(it.spec), it])).values()];
  const read = unlike.slice(0, MOST_LIMIT_RANGES).map(readRange);
  return { read, leftOut: unlike.length - read.length };
}

export function readRange(range: LimitRange): ReadRange {
  const items = itemsOf(range);
  const ofContainers = items.filter(it => it.type === 'Container');
  return {
    items: items.map(it => ({
      type: it.type,
      min: sorted(it.min),
      max: sorted(it.max),
      maxLimitRequestRatio: sorted(it.maxLimitRequestRatio),
    })),
    limits: stored(assigned(ofContainers.map(it => it.default ?? {}))),
    requests: stored(assigned(ofContainers.map(it => it.defaultRequest ?? {}))),
  };
}

/**
 * Defaults of LimitRanges for what the containers leave out; the first LimitRange with a value counts. Upstream:
 * PodMutateLimitFunc.
 */
export function defaultLimits(spec: PodSpec, ranges: readonly ReadRange[]): PodSpec {
  return ranges.reduce(withDefaultsOf, spec);
}

/** Where the plugin says what it set. */
export const LIMIT_ANNOTATION = 'kubernetes.io/limit-ranger';

/** The text of that annotation; undefined: nothing was set. Upstream: mergePodResourceRequirements. */
export function limitAnnotation(spec: PodSpec, ranges: readonly ReadRange[]): string | undefined {
  let [before, text]: [PodSpec, string | undefined] = [spec, undefined];
  for (const range of ranges) {
    const after = withDefaultsOf(before, range);
    const set = [
      ...setIn('container', before.containers, after.containers),
      ...setIn('init container', before.initContainers, after.initContainers),
    ];
    if (set.length > 0) text = `LimitRanger plugin set: ${set.join('; ')}`;
    before = after;
  }
  return text;
}

function setIn(noun: string, before: readonly Container[] = [], after: readonly Container[] = []): readonly string[] {
  return after.flatMap(({ name, resources }, i) =>
    (['requests', 'limits'] as const).flatMap(field => {
      const old = before[i]?.resources?.[field] ?? {};
      const added = Object.keys(resources?.[field] ?? {})
        .filter(it => !Object.hasOwn(old, it))
        .sort(compareText);
      return added.length === 0 ? [] : [`${added.join(', ')} ${field.slice(0, -1)} for ${noun} ${name}`];
    }),
  );
}

function withDefaultsOf(spec: PodSpec, { limits, requests }: ReadRange): PodSpec {
  if (Object.keys(limits).length + Object.keys(requests).length === 0) return spec;
  const filled = (it: Container): Container => ({
    ...it,
    resources: {
      ...it.resources,
      limits: { ...limits, ...it.resources?.limits },
      requests: { ...requests, ...it.resources?.requests },
    },
  });
  return {
    ...spec,
    ...(spec.containers && { containers: spec.containers.map(filled) }),
    ...(spec.initContainers && { initContainers: spec.initContainers.map(filled) }),
  };
}

/** Amounts in the form in which the store keeps a LimitRange. Upstream: Quantity.MarshalJSON. */
function stored(list: ResourceList): ResourceList {
  const textOf = (it: ResourceList[string]) => {
    const quantity = quantityOf(it);
    return quantity === undefined ? it : formatQuantity(quantity);
  };
  return Object.fromEntries(Object.entries(list).map(([name, it]) => [name, textOf(it)]));
}

/**
 * The API server's own defaults: limits from max, requests from limits, then from min. Upstream:
 * SetDefaults_LimitRangeItem.
 */
function itemsOf(range: LimitRange): readonly LimitItem[] {
  return (range.spec?.limits ?? []).map(it => {
    if (it.type !== 'Container') return it;
    const limits = { ...it.max, ...it.default };
    return { ...it, default: limits, defaultRequest: { ...it.min, ...limits, ...it.defaultRequest } };
  });
}

/** The refusal of the first LimitRange that the Pod violates; undefined: none. Upstream: PodValidateLimitFunc. */
export function podLimitError(spec: PodSpec, ranges: readonly ReadRange[]): string | undefined {
  const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory';
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => ({
    requests: quantitiesOf(resources?.requests),
    limits: quantitiesOf(resources?.limits),
  }));
  const whole = lazy(() => ({
    requests: podQuantities(spec, 'requests', isPodLevel),
    limits: podQuantities(spec, 'limits', isPodLevel),
  }));
  return firstError(ranges, item => {
    if (item.type === 'Container') return containers.flatMap(it => boundErrors(item, it.requests, it.limits));
    return item.type === 'Pod' ? boundErrors(item, whole().requests, whole().limits) : [];
  });
}

/** The same for a claim, of which only requests count. Upstream: PersistentVolumeClaimValidateLimitFunc. */
export function claimLimitError(claim: PersistentVolumeClaim, ranges: readonly ReadRange[]): string | undefined {
  const requests = quantitiesOf(claim.spec?.resources?.requests);
  return firstError(ranges, item => {
    if (item.type !== 'PersistentVolumeClaim') return [];
    return [
      ...errorsOf(item, 'min', requests, NO_LIMITS, minError),
      ...errorsOf(item, 'max', requests, NO_LIMITS, maxRequestError),
    ];
  });
}

const NO_LIMITS: Quantities = new Map();

function firstError(ranges: readonly ReadRange[], errorsOf: (item: ReadItem) => readonly string[]): string | undefined {
  for (const range of ranges) {
    const errors = [...new Set(range.items.flatMap(errorsOf))];
    if (errors.length > 0) return errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  }
  return undefined;
}

function boundErrors(item: ReadItem, requests: Quantities, limits: Quantities): readonly string[] {
  return [
    ...errorsOf(item, 'min', requests, limits, minError),
    ...errorsOf(item, 'max', requests, limits, maxError),
    ...errorsOf(item, 'maxLimitRequestRatio', requests, limits, ratioError),
  ];
}

/** The amounts of one resource. */
interface Amount {
  readonly request?: Quantity | undefined;
  readonly limit?: Quantity | undefined;
}

/** The violation as the end of a sentence; undefined: none. */
type Bound = (amount: Amount, bound: Quantity) => string | undefined;

const BOUND_NAMES = { min: 'minimum', max: 'maximum', maxLimitRequestRatio: 'max limit to request ratio' } as const;

function errorsOf(
  { type, ...item }: ReadItem,
  field: keyof typeof BOUND_NAMES,
  requests: Quantities,
  limits: Quantities,
  wrongWith: Bound,
): readonly string[] {
  return item[field].flatMap(([name, bound]) => {
    const difference =
      field === 'maxLimitRequestRatio' ? `${name} ${BOUND_NAMES[field]}` : `${BOUND_NAMES[field]} ${name} usage`;
    const wrong = wrongWith({ request: requests.get(name), limit: limits.get(name) }, bound);
    return wrong === undefined ? [] : [`${difference} per ${type} is ${formatQuantity(bound)}${wrong}`];
  });
}

/** By name: upstream iterates over a Go map. */
function sorted(list: ResourceList | undefined): Bounds {
  return [...quantitiesOf(list)].sort(([a], [b]) => compareText(a, b));
}

/** Upstream: resource.MaxMilliValue, above which amounts are compared in whole units. */
const MAX_IN_MILLI = (2n ** 63n - 1n) / 1000n;

/** Upstream: requestLimitEnforcedValues. */
function countIn(quantities: readonly Quantity[]): (quantity: Quantity) => bigint {
  return quantities.every(it => quantityInt64(it) <= MAX_IN_MILLI) ? quantityMilliInt64 : quantityInt64;
}

/** Upstream: minConstraint. */
const minError: Bound = ({ request, limit }, bound) => {
  if (!request) return '.  No request is specified';
  const count = countIn([request, limit ?? zeroQuantity, bound]);
  if (count(request) < count(bound)) return `, but request is ${formatQuantity(request)}`;
  return limit && count(limit) < count(bound) ? `, but limit is ${formatQuantity(limit)}` : undefined;
};

/** Upstream: maxConstraint. */
const maxError: Bound = ({ request, limit }, bound) => {
  if (!limit) return '.  No limit is specified';
  const count = countIn([request ?? zeroQuantity, limit, bound]);
  if (count(limit) > count(bound)) return `, but limit is ${formatQuantity(limit)}`;
  return request && count(request) > count(bound) ? `, but request is ${formatQuantity(request)}` : undefined;
};

/** Upstream: maxRequestConstraint. */
const maxRequestError: Bound = ({ request }, bound) => {
  if (!request) return '.  No request is specified';
  const count = countIn([request, bound]);
  return count(request) > count(bound) ? `, but request is ${formatQuantity(request)}` : undefined;
};

/** Upstream: limitRequestRatioConstraint. */
const ratioError: Bound = ({ request = zeroQuantity, limit = zeroQuantity }, bound) => {
  const count = countIn([request, limit, bound]);
  if (count(request) === 0n) return ', but no request is specified or request is 0';
  if (count(limit) === 0n) return ', but no limit is specified or limit is 0';
  const ratio = Number(count(limit)) / Number(count(request));
  const inMilli = quantityInt64(bound) <= MAX_IN_MILLI;
  const isOver = inMilli ? ratio * 1000 > Number(quantityMilliInt64(bound)) : ratio > Number(quantityInt64(bound));
  return isOver ? `, but provided ratio is ${sixDecimals(ratio)}` : undefined;
};

/** As Go's %f: rounds halves to even, where toFixed rounds up. */
function sixDecimals(value: number): string {
  const exact = value.toFixed(60);
  const end = exact.indexOf('.') + 7;
  const isHalf = /^50*$/.test(exact.slice(end));
  return isHalf && /[02468]$/.test(exact.slice(0, end)) ? exact.slice(0, end) : value.toFixed(6);
}
