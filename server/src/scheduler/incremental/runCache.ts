import { createMemo, type Memo } from '../../base/memo';
import { isSameList, isSameValue } from '../../base/sameValue';
import type { Steps } from '../../base/steps';
import type { ClusterModel } from '../../cluster/clusterModel';
import { controllersIn } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { Scenario } from '../../cluster/scenario';
import type { Profiles } from '../configuration/profiles';
import { type NodeInfo, nodeInfos } from '../framework/nodeInfo';
import { type SchedulingState, stateWith } from '../framework/schedulingState';
import { type SharedWork, sharedWork } from '../framework/sharedWork';
import type { Entity, Gangs } from '../gangs/queue';
import { isEquivalentForScheduling, isSameController, withCurrentPods } from './podEquivalence';

/** Cache that runs over one environment leave for the next run; decisions are the same without it. */
export interface RunMemory {
  readonly objects: Memo;
  run?: LastRun;
}

export const createRunMemory = (): RunMemory => ({ objects: createMemo() });

/** The progress of a run: its state, and the entities to retry at the end. */
export interface RunProgress {
  /** The cluster before the first cycle. */
  readonly cluster: ClusterModel;
  readonly state: SchedulingState;
  readonly retries: readonly Entity[];
}

export interface LastRun {
  readonly start: RunStart;
  /** In queue order. */
  readonly entities: readonly Entity[];
  /** Index among the entities → progress before the cycle of that entity; with many entities only some are kept. */
  readonly progress: ReadonlyMap<number, RunProgress>;
}

/** The inputs of a run. */
export interface RunStart {
  readonly scenario: Scenario;
  readonly profiles: Profiles;
  readonly nodes: readonly NodeInfo[];
  readonly work: SharedWork;
  /** Whether a Pod's cycle depends on the cycles before it only. */
  readonly isSequential: boolean;
}

/** A run's inputs, reusing the nodes and the cached answers of the last run as far as they are still valid. */
export function startOf(scenario: Scenario, profiles: Profiles, gangs: Gangs, last?: RunStart): RunStart {
  const { cluster } = scenario;
  const nodes = nodeInfos(cluster, last?.nodes);
  const holds = last !== undefined && last.profiles === profiles && hasSameEnvironment(last.scenario, scenario);
  const hasGroups = gangs.batch.size > 0 || (gangs.native?.size ?? 0) > 0;
  const isSequential = !hasGroups && [...profiles.values()].every(it => it.permit.length + it.queueSort.length === 0);
  return { scenario, profiles, nodes, work: holds ? last.work.forNextRun() : sharedWork(nodes.length), isSequential };
}

/** Kinds that affect placement only through their Pods, or through selectors that are part of the cache keys. */
const ONLY_THROUGH_PODS: ReadonlySet<string> = new Set([
  ...['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'],
  ...['HorizontalPodAutoscaler', 'Service', 'Ingress', 'ConfigMap', 'Secret', 'ServiceAccount'],
]);

/**
 * Whether everything is equal that answers about a node and its Pods can depend on, apart from running and pending
 * Pods.
 */
function hasSameEnvironment(a: Scenario, b: Scenario): boolean {
  const kinds = new Set([...a.cluster.objects.keys(), ...b.cluster.objects.keys()]);
  const claiming = ({ pending }: Scenario): readonly PodModel[] => pending.filter(it => it.spec.resourceClaims);
  return (
    isSameList(a.cluster.nodes, b.cluster.nodes) &&
    [...kinds].every(it => ONLY_THROUGH_PODS.has(it) || hasSameObjects(a.cluster, b.cluster, it)) &&
    isSameValue([...a.cluster.namespaces], [...b.cluster.namespaces]) &&
    isSameList(claiming(a), claiming(b))
  );
}

function hasSameObjects(a: ClusterModel, b: ClusterModel, kind: string): boolean {
  return isSameList(a.objects.get(kind) ?? [], b.objects.get(kind) ?? []);
}

/**
 * How much of the last run the new one can reuse: a run is a fold over the queue, so all cycles before the first
 * changed Pod are the same. undefined: nothing.
 */
export function* resumePoint(
  start: RunStart,
  nominated: SchedulingState['nominated'],
  entities: readonly Entity[],
  last: LastRun | undefined,
): Steps<{ readonly resumeAt: number; readonly progress: RunProgress } | undefined> {
  const first = last?.progress.get(0)?.state;
  if (!last || !first || !start.isSequential || !isAsBefore(start, last.start)) return undefined;
  if (!isSameList([...first.nominated.values()], [...nominated.values()])) return undefined;
  const isSame = sameCycles(last.start, start);
  let upTo = 0;
  for (; isSame(last.entities[upTo]?.pods[0], entities[upTo]?.pods[0]); upTo += 1) if (upTo % 32 === 0) yield;
  const resumeAt = [...last.progress.keys()].reduce((most, it) => (it <= upTo && it > most ? it : most), 0);
  const { cluster: before, state, retries } = last.progress.get(resumeAt)!;
  const { cluster } = start.scenario;
  const models = new Map(entities.map(({ pods: [pod] }) => [pod!.id, pod!]));
  const isOld = (it: PodModel): boolean => models.get(it.id)?.source !== it.source;
  const podsToRetry = [...state.nominated.values(), ...retries.flatMap(it => it.pods)];
  // A Pod that is retried keeps the model of its first attempt.
  if (podsToRetry.some(isOld)) return undefined;
  const now = stateWith(state, {
    cluster: withChangesOf(state.cluster, before, cluster),
    work: start.work,
    nodes: withCurrentPods(state.nodes, models),
  });
  return { resumeAt, progress: { cluster, state: now, retries } };
}

/** The new run's cluster with the changes that the old run's cycles made to theirs. */
function withChangesOf(done: ClusterModel, old: ClusterModel, now: ClusterModel): ClusterModel {
  const taken = (Object.keys(done) as (keyof ClusterModel)[]).filter(it => done[it] !== old[it]);
  if (taken.length === 0) return now;
  return { ...now, ...Object.fromEntries(taken.map(it => [it, done[it]])) };
}

const isAsBefore = (now: RunStart, before: RunStart): boolean =>
  before.isSequential && isSameList(before.nodes, now.nodes) && differsInPendingOnly(before, now);

function differsInPendingOnly(before: ConfiguredScenario, now: ConfiguredScenario): boolean {
  const [a, b] = [before.scenario, now.scenario];
  return (
    before.profiles === now.profiles &&
    isSameList(a.cluster.running, b.cluster.running) &&
    isSameValue(optionsOf(a), optionsOf(b)) &&
    hasSameObjects(a.cluster, b.cluster, 'Service') &&
    hasSameEnvironment(a, b)
  );
}

/** A scenario with what places its Pods. */
type ConfiguredScenario = Pick<RunStart, 'scenario' | 'profiles'>;

/** Whether Pods get the same nodes in both, in whatever order they arrive. Both have to be read with the same memory. */
export function hasSameCycles(before: ConfiguredScenario, now: ConfiguredScenario): boolean {
  const [pods, others] = [before.scenario.pending, now.scenario.pending];
  if (pods.length !== others.length || !differsInPendingOnly(before, now)) return false;
  const isSame = sameCycles(before, now);
  return pods.every((it, i) => isSame(it, others[i]));
}

function optionsOf({ options }: Scenario): unknown {
  return { ...options, admissionPlugins: [...options.admissionPlugins] };
}

/** Whether a cycle has the same result as in the last run. */
function sameCycles(
  before: ConfiguredScenario,
  now: ConfiguredScenario,
): (old: PodModel | undefined, pod: PodModel | undefined) => boolean {
  const [old, cluster] = [before.scenario.cluster, now.scenario.cluster];
  const [controllerThen, controllerNow] = [controllersIn(old), controllersIn(cluster)];
  const isAlike = isEquivalentForScheduling(cluster);
  // Extenders get the complete Pod.
  const hasExtenders = [...now.profiles.values()].some(it => it.extenders);
  return (then, pod) =>
    then !== undefined &&
    pod !== undefined &&
    (then === pod || (!hasExtenders && isAlike(then, pod))) &&
    isSameController(controllerThen(then), controllerNow(pod));
}

/** Limit on the number of nodes in all kept states together. */
const MAX_KEPT_NODES = 1_000_000;

/** Whether the progress before a cycle is worth keeping. */
export function isKept(index: number, count: number, nodes: number): boolean {
  const every = Math.max(1, Math.ceil((count * Math.max(nodes, count)) / MAX_KEPT_NODES));
  return index % every === 0;
}
