import type { PodDisruptionBudget } from '../kube/types';
import type { BudgetModel } from './clusterModel';
import type { PodModel } from './pods/podModel';

/**
 * How many of a budget's expected Pods must stay healthy; undefined without a value, or with one that the server
 * refuses. Percentages are rounded up. Upstream: (*DisruptionController).getExpectedPodCount.
 */
export function desiredHealthy(spec: PodDisruptionBudget['spec'], expected: number): number | undefined {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable !== undefined && maxUnavailable !== null) {
    const unavailable = scaled(maxUnavailable, expected);
    return unavailable === undefined ? undefined : Math.max(0, expected - unavailable);
  }
  return scaled(minAvailable, expected);
}

/** Upstream: intstr.GetScaledValueFromIntOrPercent, rounding up. */
function scaled(value: unknown, total: number): number | undefined {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' ? /^(\d+)%$/.exec(value)?.[1] : undefined;
  return percent === undefined ? undefined : Math.ceil((Number(percent) * total) / 100);
}

/**
 * The budget's status as the disruption controller would compute it with all running Pods ready; an existing status is
 * kept.
 */
export function countedBudget(budget: BudgetModel, running: readonly PodModel[]): BudgetModel {
  const { source, namespace, selector } = budget;
  if (source.status?.disruptionsAllowed !== undefined) return budget;
  const healthy = running.filter(it => it.namespace === namespace && selector.matches(it.labels)).length;
  const desired = desiredHealthy(source.spec, healthy) ?? 0;
  return { ...budget, disruptionsAllowed: Math.max(0, healthy - desired) };
}
