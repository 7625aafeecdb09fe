import { formatQuantity, type Quantity, quantityInt64, quantityMilliInt64, zeroQuantity } from '../../kube/quantity';
import type { Container, LimitRange, PersistentVolumeClaim, PodSpec, ResourceList } from '../../kube/types';
import { compareText } from '../order';
import { podQuantities, type Quantities, quantitiesOf } from '../quantities';

/** The LimitRanger admission plugin: defaults for containers, and bounds for containers, Pods and claims. */

type LimitItem = NonNullable<NonNullable<LimitRange['spec']>['limits']>[number];

/** What the containers do not say comes from the LimitRanges; the first that says it counts. Upstream: PodMutateLimitFunc. */
export function defaultLimits(spec: PodSpec, ranges: readonly LimitRange[]): PodSpec {
  return ranges.reduce(withDefaultsOf, spec);
}

function withDefaultsOf(spec: PodSpec, range: LimitRange): PodSpec {
  const items = itemsOf(range).filter(it => it.type === 'Container');
  const limits: ResourceList = Object.assign({}, ...items.map(it => it.default));
  const requests: ResourceList = Object.assign({}, ...items.map(it => it.defaultRequest));
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

/** The API server's own defaults: limits from max, requests from limits, then from min. Upstream: SetDefaults_LimitRangeItem. */
function itemsOf(range: LimitRange): readonly LimitItem[] {
  return (range.spec?.limits ?? []).map(it => {
    if (it.type !== 'Container') return it;
    const limits = { ...it.max, ...it.default };
    return { ...it, default: limits, defaultRequest: { ...it.min, ...limits, ...it.defaultRequest } };
  });
}

/** Why the first LimitRange that does not agree refuses the Pod; undefined: none does. Upstream: PodValidateLimitFunc. */
export function podLimitError(spec: PodSpec, ranges: readonly LimitRange[]): string | undefined {
  const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory';
  return firstError(ranges, item => {
    if (item.type === 'Container') {
      return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(it =>
        boundErrors(item, quantitiesOf(it.resources?.requests), quantitiesOf(it.resources?.limits)),
      );
    }
    if (item.type !== 'Pod') return [];
    return boundErrors(item, podQuantities(spec, 'requests', isPodLevel), podQuantities(spec, 'limits', isPodLevel));
  });
}

/** The same for a claim, whose requests alone count. Upstream: PersistentVolumeClaimValidateLimitFunc. */
export function claimLimitError(claim: PersistentVolumeClaim, ranges: readonly LimitRange[]): string | undefined {
  const requests = quantitiesOf(claim.spec?.resources?.requests);
  return firstError(ranges, item => {
    if (item.type !== 'PersistentVolumeClaim') return [];
    return [
      ...sorted(item.min).flatMap(([name, most]) => minError(item.type, name, most, requests, new Map())),
      ...sorted(item.max).flatMap(([name, most]) => maxRequestError(item.type, name, most, requests)),
    ];
  });
}

function firstError(
  ranges: readonly LimitRange[],
  errorsOf: (item: LimitItem) => readonly string[],
): string | undefined {
  for (const range of ranges) {
    const errors = [...new Set(itemsOf(range).flatMap(errorsOf))];
    if (errors.length > 0) return errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`;
  }
  return undefined;
}

function boundErrors(item: LimitItem, requests: Quantities, limits: Quantities): readonly string[] {
  const { type } = item;
  return [
    ...sorted(item.min).flatMap(([name, bound]) => minError(type, name, bound, requests, limits)),
    ...sorted(item.max).flatMap(([name, bound]) => maxError(type, name, bound, requests, limits)),
    ...sorted(item.maxLimitRequestRatio).flatMap(([name, bound]) => ratioError(type, name, bound, requests, limits)),
  ];
}

/** By name: upstream's order is that of a Go map. */
function sorted(list: ResourceList | undefined): readonly (readonly [string, Quantity])[] {
  return [...quantitiesOf(list)].sort(([a], [b]) => compareText(a, b));
}

/** Upstream: resource.MaxMilliValue, above which amounts are compared in whole units. */
const MOST_IN_MILLI = (2n ** 63n - 1n) / 1000n;

/** Upstream: requestLimitEnforcedValues. */
function countIn(quantities: readonly Quantity[]): (quantity: Quantity) => bigint {
  return quantities.every(it => quantityInt64(it) <= MOST_IN_MILLI) ? quantityMilliInt64 : quantityInt64;
}

function minError(
  type: string | undefined,
  name: string,
  bound: Quantity,
  requests: Quantities,
  limits: Quantities,
): readonly string[] {
  const request = requests.get(name);
  const limit = limits.get(name);
  const said = `minimum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!request) return [`${said}.  No request is specified`];
  const count = countIn([request, limit ?? zeroQuantity, bound]);
  if (count(request) < count(bound)) return [`${said}, but request is ${formatQuantity(request)}`];
  if (limit && count(limit) < count(bound)) return [`${said}, but limit is ${formatQuantity(limit)}`];
  return [];
}

function maxError(
  type: string | undefined,
  name: string,
  bound: Quantity,
  requests: Quantities,
  limits: Quantities,
): readonly string[] {
  const request = requests.get(name);
  const limit = limits.get(name);
  const said = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!limit) return [`${said}.  No limit is specified`];
  const count = countIn([request ?? zeroQuantity, limit, bound]);
  if (count(limit) > count(bound)) return [`${said}, but limit is ${formatQuantity(limit)}`];
  if (request && count(request) > count(bound)) return [`${said}, but request is ${formatQuantity(request)}`];
  return [];
}

function maxRequestError(
  type: string | undefined,
  name: string,
  bound: Quantity,
  requests: Quantities,
): readonly string[] {
  const request = requests.get(name);
  const said = `maximum ${name} usage per ${type} is ${formatQuantity(bound)}`;
  if (!request) return [`${said}.  No request is specified`];
  const count = countIn([request, bound]);
  return count(request) > count(bound) ? [`${said}, but request is ${formatQuantity(request)}`] : [];
}

/** Upstream: limitRequestRatioConstraint. */
function ratioError(
  type: string | undefined,
  name: string,
  bound: Quantity,
  requests: Quantities,
  limits: Quantities,
): readonly string[] {
  const request = requests.get(name) ?? zeroQuantity;
  const limit = limits.get(name) ?? zeroQuantity;
  const count = countIn([request, limit, bound]);
  const said = `${name} max limit to request ratio per ${type} is ${formatQuantity(bound)}`;
  if (count(request) === 0n) return [`${said}, but no request is specified or request is 0`];
  if (count(limit) === 0n) return [`${said}, but no limit is specified or limit is 0`];
  const ratio = Number(count(limit)) / Number(count(request));
  const inMilli = quantityInt64(bound) <= MOST_IN_MILLI;
  const isOver = inMilli ? ratio * 1000 > Number(quantityMilliInt64(bound)) : ratio > Number(quantityInt64(bound));
  return isOver ? [`${said}, but provided ratio is ${sixDecimals(ratio)}`] : [];
}

/** As Go's %f: halves go to the even digit, where toFixed takes the upper one. */
function sixDecimals(value: number): string {
  const exact = value.toFixed(60);
  const end = exact.indexOf('.') + 7;
  const isHalf = /^50*$/.test(exact.slice(end));
  return isHalf && /[02468]$/.test(exact.slice(0, end)) ? exact.slice(0, end) : value.toFixed(6);
}
