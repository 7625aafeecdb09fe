import type { ClusterModel } from '../../cluster/clusterModel';
import { quantityMilliValue, quantityOf, quantityValue } from '../../kube/quantity';
import type { Container, LimitRange, PodSpec, ResourceList } from '../../kube/types';
import { policyFor, type Recommendation, type VerticalPodAutoscaler } from './autoscaler';

/** Resource name → amount: cpu in millicores, everything else in its base unit. */
type Amounts = Readonly<Record<string, number>>;

/** The requests and limits of a container after all bounds. */
export interface Recommended {
  readonly container: Container;
  readonly target: Amounts;
  readonly lowerBound: Amounts;
  readonly upperBound: Amounts;
}

type Limits = NonNullable<NonNullable<LimitRange['spec']>['limits']>[number];

/** The Container item of a namespace's LimitRange. Upstream: GetContainerLimitRangeItem. */
export function containerLimits({ objects }: ClusterModel, namespace: string): Limits {
  const ranges = (objects.get('LimitRange') ?? []) as readonly LimitRange[];
  const own = ranges.filter(it => (it.metadata?.namespace ?? 'default') === namespace);
  return own.flatMap(it => it.spec?.limits ?? []).find(it => it.type === 'Container') ?? {};
}

/**
 * The recommendation for each container, bounded by policy and LimitRange. Upstream:
 * cappingRecommendationProcessor.Apply.
 */
export function recommendedFor(spec: PodSpec, vpa: VerticalPodAutoscaler, limits: Limits): readonly Recommended[] {
  const all = vpa.status?.recommendation?.containerRecommendations ?? [];
  return (spec.containers ?? []).flatMap(container => {
    const found = all.find(it => it.containerName === container.name);
    if (found === undefined || policyFor(vpa, container.name ?? '').mode === 'Off') return [];
    const bounded = (list: Recommendation['target']): Amounts => boundedBy(amountsIn(list), container, vpa, limits);
    const { target, lowerBound, upperBound } = found;
    return [{ container, target: bounded(target), lowerBound: bounded(lowerBound), upperBound: bounded(upperBound) }];
  });
}

/**
 * The spec as the admission webhook makes it: limits keep their ratio to requests. Upstream: GetContainersResources.
 */
export function withRecommended(spec: PodSpec, vpa: VerticalPodAutoscaler, limits: Limits): PodSpec {
  const recommended = new Map(recommendedFor(spec, vpa, limits).map(it => [it.container.name, it]));
  const containers = (spec.containers ?? []).map((container): Container => {
    const found = recommended.get(container.name);
    if (found === undefined) return container;
    const { requests, limits: own } = container.resources ?? {};
    const isRatioKept = policyFor(vpa, container.name ?? '').controlledValues !== 'RequestsOnly';
    const scaled = isRatioKept ? proportional(found, limits) : {};
    const resources = {
      ...container.resources,
      requests: { ...requests, ...written(found.target) },
      ...((own || Object.keys(scaled).length > 0) && { limits: { ...own, ...written(scaled) } }),
    };
    return { ...container, resources };
  });
  return { ...spec, containers };
}

/** Upstream: GetProportionalLimit. */
function proportional({ container, target }: Recommended, range: Limits): Amounts {
  const requests = amountsIn(container.resources?.requests);
  const limits = { ...amountsIn(range.default), ...amountsIn(container.resources?.limits) };
  return Object.fromEntries(
    Object.entries(target).flatMap(([name, wanted]): readonly (readonly [string, number])[] => {
      const limit = limits[name];
      if (!limit || !wanted) return [];
      const request = requests[name];
      return [[name, request && request !== limit ? Math.floor((limit * wanted) / request) : wanted]];
    }),
  );
}

function boundedBy(amounts: Amounts, container: Container, vpa: VerticalPodAutoscaler, range: Limits): Amounts {
  const { minAllowed, maxAllowed, controlledValues } = policyFor(vpa, container.name ?? '');
  const own = amountsIn(container.resources?.limits);
  const [least, most] = [amountsIn(minAllowed), amountsIn(maxAllowed)];
  const [rangeLeast, rangeMost] = [leastIn(container, range), requestsAt(amountsIn(range.max), container, range)];
  const within = (value: number, min: number | undefined, max: number | undefined): number => {
    const raised = min && value < min ? min : value;
    return max && raised > max ? max : raised;
  };
  return Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => {
      const inRange = within(amount, rangeLeast[name], rangeMost[name]);
      const allowed = within(inRange, least[name], most[name]);
      return [name, controlledValues === 'RequestsOnly' ? within(allowed, undefined, own[name]) : allowed];
    }),
  );
}

/** Requests and limits must both reach the minimum. Upstream: getMinAllowedRecommendation. */
function leastIn(container: Container, range: Limits): Amounts {
  const min = amountsIn(range.min);
  const byLimits = requestsAt(min, container, range);
  return Object.fromEntries(Object.entries(min).map(([name, it]) => [name, Math.max(it, byLimits[name] ?? 0)]));
}

/** The requests that give these limits at the container's ratio. Upstream: GetBoundaryRequest. */
function requestsAt(boundary: Amounts, { resources }: Container, range: Limits): Amounts {
  const requests = amountsIn(resources?.requests);
  const limits = { ...amountsIn(range.default), ...amountsIn(resources?.limits) };
  return Object.fromEntries(
    Object.entries(boundary).flatMap(([name, it]): readonly (readonly [string, number])[] => {
      const [request, limit] = [requests[name], limits[name]];
      if (!limit) return [];
      return [[name, request ? Math.floor((request * it) / limit) : it]];
    }),
  );
}

export function amountsIn(list: ResourceList | undefined): Amounts {
  return Object.fromEntries(
    Object.entries(list ?? {}).flatMap(([name, text]): readonly (readonly [string, number])[] => {
      const quantity = quantityOf(text);
      if (quantity === undefined) return [];
      return [[name, name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity)]];
    }),
  );
}

export const written = (amounts: Amounts): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, it]) => [name, name === 'cpu' ? `${it}m` : inBytes(it)]));

const UNITS = ['Gi', 'Mi', 'Ki'] as const;

function inBytes(amount: number): string {
  const unit = UNITS.find((_, i) => amount > 0 && amount % 1024 ** (3 - i) === 0);
  return unit === undefined ? String(amount) : `${amount / 1024 ** (3 - UNITS.indexOf(unit))}${unit}`;
}
