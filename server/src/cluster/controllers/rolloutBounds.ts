import { objectOrEmpty, type UnknownObject } from '../../base/json';

/** How many Pods a rolling update may add and take away. */
export interface RolloutBounds {
  readonly replicas: number;
  readonly surge: number;
  readonly unavailable: number;
}

/**
 * The bounds of a Deployment's rolling update; undefined for another strategy and for what is no number. Upstream:
 * deploymentutil.ResolveFenceposts.
 */
export function rolloutBounds(deployment: UnknownObject): RolloutBounds | undefined {
  const spec = objectOrEmpty(deployment.spec);
  const strategy = objectOrEmpty(spec.strategy);
  const replicas = spec.replicas ?? 1;
  if ((strategy.type ?? 'RollingUpdate') !== 'RollingUpdate' || typeof replicas !== 'number') return undefined;
  const { maxSurge, maxUnavailable } = objectOrEmpty(strategy.rollingUpdate);
  const surge = scaled(maxSurge ?? '25%', replicas, Math.ceil);
  const unavailable = scaled(maxUnavailable ?? '25%', replicas, Math.floor);
  if (surge === undefined || unavailable === undefined) return undefined;
  return { replicas, surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The same for a DaemonSet with Pods on so many nodes. Upstream: DaemonSetsController.updatedDesiredNodeCounts. */
export function daemonBounds(daemonSet: UnknownObject, nodes: number): Omit<RolloutBounds, 'replicas'> | undefined {
  const strategy = objectOrEmpty(objectOrEmpty(daemonSet.spec).updateStrategy);
  const { maxSurge, maxUnavailable } = objectOrEmpty(strategy.rollingUpdate);
  const surge = scaled(maxSurge ?? 0, nodes, Math.ceil);
  const unavailable = scaled(maxUnavailable ?? 1, nodes, Math.ceil);
  if (surge === undefined || unavailable === undefined) return undefined;
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** How many Pods of a StatefulSet a rolling update may take away, at least 1. Upstream: getStatefulSetMaxUnavailable. */
export function mostUnavailableOrdinals(statefulSet: UnknownObject, replicas: number): number {
  const { rollingUpdate } = objectOrEmpty(objectOrEmpty(statefulSet.spec).updateStrategy);
  return Math.max(1, scaled(objectOrEmpty(rollingUpdate).maxUnavailable ?? 1, replicas, Math.floor) ?? 1);
}

function scaled(value: unknown, total: number, round: (value: number) => number): number | undefined {
  if (typeof value === 'number') return value;
  const [, percent] = /^(\d+)%$/.exec(typeof value === 'string' ? value : '') ?? [];
  return percent === undefined ? undefined : round((Number(percent) * total) / 100);
}
