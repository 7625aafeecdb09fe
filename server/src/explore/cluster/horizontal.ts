import { asInteger, asObjects, asText, objectOrEmpty, type UnknownObject } from '../../base/json';
import { largest, smallest } from '../../base/manyItems';
import type { ExploredWorld, WorkloadModel } from './world';

export interface HorizontalBounds {
  readonly source: UnknownObject;
  readonly name: string;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

/** How a HorizontalPodAutoscaler measures one resource by the requests of its Pods, and what bounds it. */
export interface HorizontalModel extends HorizontalBounds {
  readonly resource: 'cpu' | 'memory';
  /** Percent of the request. */
  readonly target: number;
  /** How many replicas one round may lead to, from so many. */
  readonly most: (replicas: number) => number;
  readonly least: (replicas: number) => number;
  /** Rounds in which the least, or the highest, recommendation counts. */
  readonly upRounds: number;
  readonly downRounds: number;
}

/** Between two rounds. Upstream: --horizontal-pod-autoscaler-sync-period. */
const ROUND_SECONDS = 15;
/** Upstream: --horizontal-pod-autoscaler-tolerance. */
const TOLERANCE = 0.1;
/** Upstream: SetDefaults_HorizontalPodAutoscaler. */
const DEFAULT_TARGET = 80;
const DEFAULT_DOWN_SECONDS = 300;
const MOST_ROUNDS = 40;

type Target = Pick<WorkloadModel, 'kind' | 'name' | 'namespace'>;

function horizontalFor(
  { kind, name, namespace }: Target,
  objects: readonly UnknownObject[],
): UnknownObject | undefined {
  return objects.find(it => {
    const metadata = objectOrEmpty(it.metadata);
    const target = objectOrEmpty(objectOrEmpty(it.spec).scaleTargetRef);
    const isOwn = target.kind === kind && target.name === name && (metadata.namespace ?? 'default') === namespace;
    return it.kind === 'HorizontalPodAutoscaler' && isOwn;
  });
}

/** The bounds of a workload's autoscaler; undefined: it has none. */
export function horizontalBoundsOf(target: Target, objects: readonly UnknownObject[]): HorizontalBounds | undefined {
  const found = horizontalFor(target, objects);
  const spec = objectOrEmpty(found?.spec);
  const maxReplicas = asInteger(spec.maxReplicas);
  if (found === undefined || maxReplicas === undefined) return undefined;
  return {
    source: found,
    name: asText(objectOrEmpty(found.metadata).name) ?? '',
    minReplicas: asInteger(spec.minReplicas) ?? 1,
    maxReplicas,
  };
}

/** A workload with an autoscaler, and the set of its Pods. */
export interface AutoscaledSet {
  readonly model: WorkloadModel;
  /** An index of the world's sets. */
  readonly set: number;
  readonly bounds: HorizontalBounds;
}

/** The workloads of a world that an autoscaler scales. */
export function autoscaledSets({ workloads, sets, objects }: ExploredWorld): readonly AutoscaledSet[] {
  return workloads.flatMap((model, workload) => {
    const bounds = horizontalBoundsOf(model, objects);
    const set = sets.findIndex(it => it.workload === workload);
    return bounds === undefined || set < 0 ? [] : [{ model, set, bounds }];
  });
}

/** The autoscaler of a workload; undefined: it has none, or one that measures something else. */
export function horizontalOf(target: Target, objects: readonly UnknownObject[]): HorizontalModel | undefined {
  const bounds = horizontalBoundsOf(target, objects);
  const spec = objectOrEmpty(horizontalFor(target, objects)?.spec);
  const measured = measuredBy(spec);
  if (bounds === undefined || measured === undefined) return undefined;
  const { scaleUp, scaleDown } = objectOrEmpty(spec.behavior);
  const [up, down] = [objectOrEmpty(scaleUp), objectOrEmpty(scaleDown)];
  return {
    ...bounds,
    ...measured,
    most: replicas => replicas + changeOf(up, replicas, UP),
    least: replicas => replicas - changeOf(down, replicas, DOWN),
    upRounds: roundsOf(up, 0),
    downRounds: roundsOf(down, DEFAULT_DOWN_SECONDS),
  };
}

/** One metric that is a utilization; several metrics are left out, as the highest of them counts. */
function measuredBy(spec: UnknownObject): Pick<HorizontalModel, 'resource' | 'target'> | undefined {
  const metrics = asObjects(spec.metrics);
  if (metrics.length === 0)
    return { resource: 'cpu', target: asInteger(spec.targetCPUUtilizationPercentage) ?? DEFAULT_TARGET };
  const [metric, ...others] = metrics;
  const { name, target } = objectOrEmpty(metric?.resource);
  const percent = asInteger(objectOrEmpty(target).averageUtilization);
  const resource = name === 'cpu' || name === 'memory' ? name : undefined;
  return others.length > 0 || percent === undefined || percent <= 0 || resource === undefined
    ? undefined
    : { resource, target: percent };
}

type Policy = { readonly type: 'Pods' | 'Percent'; readonly value: number };

/** Upstream: autoscaling v2 scaleUpRules, scaleDownRules. */
const UP: readonly Policy[] = [
  { type: 'Pods', value: 4 },
  { type: 'Percent', value: 100 },
];
const DOWN: readonly Policy[] = [{ type: 'Percent', value: 100 }];

/** How many replicas one round may add or take away. Upstream: calculateScaleUpLimitWithScalingRules. */
function changeOf(rules: UnknownObject, replicas: number, defaults: readonly Policy[]): number {
  if (rules.selectPolicy === 'Disabled') return 0;
  const written = asObjects(rules.policies).flatMap((it): readonly Policy[] => {
    const value = asInteger(it.value);
    return value !== undefined && (it.type === 'Pods' || it.type === 'Percent') ? [{ type: it.type, value }] : [];
  });
  const policies = written.length > 0 ? written : defaults;
  const changes = policies.map(it => (it.type === 'Pods' ? it.value : Math.ceil((replicas * it.value) / 100)));
  return rules.selectPolicy === 'Min' ? smallest(changes) : largest(changes);
}

function roundsOf({ stabilizationWindowSeconds }: UnknownObject, seconds: number): number {
  return Math.min(MOST_ROUNDS, Math.ceil((asInteger(stabilizationWindowSeconds) ?? seconds) / ROUND_SECONDS));
}

/**
 * The replicas that the metric asks for. `usage`: of each Pod, in the unit of `request`. Upstream:
 * ReplicaCalculator.GetResourceReplicas.
 */
export function replicasFor(usage: readonly number[], request: number, { target }: HorizontalModel): number {
  const used = usage.reduce((sum, it) => sum + it, 0);
  const ratio = Math.trunc((used * 100) / (usage.length * request)) / target;
  return Math.abs(1 - ratio) <= TOLERANCE ? usage.length : Math.ceil(ratio * usage.length);
}

/**
 * The replicas after one round. `recent`: what the last rounds asked for, the newest last. Upstream:
 * HorizontalController.normalizeDesiredReplicasWithBehaviors.
 */
export function boundedReplicas(
  now: number,
  asked: number,
  recent: readonly number[],
  { minReplicas, maxReplicas, most, least, upRounds, downRounds }: HorizontalModel,
): number {
  const window = (rounds: number): readonly number[] => [asked, ...(rounds === 0 ? [] : recent.slice(-rounds))];
  const up = smallest(window(upRounds));
  const down = largest(window(downRounds));
  const stable = Math.min(Math.max(now, up), down);
  const limited = Math.min(Math.max(stable, least(now)), most(now));
  return Math.min(Math.max(limited, minReplicas), maxReplicas);
}
