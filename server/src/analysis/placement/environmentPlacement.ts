import type { UnknownObject } from '../../base/json';
import { lazy, lazyByObject } from '../../base/lazy';
import { type Memo, noMemo } from '../../base/memo';
import type { Steps } from '../../base/steps';
import type { Changed, ClusterChange } from '../../cluster/changes';
import type { ClusterModel } from '../../cluster/clusterModel';
import { makerKey, type Owner, ownersIn, podsByMaker } from '../../cluster/owners';
import type { PodModel } from '../../cluster/pods/podModel';
import type { RefusedWorkload, RejectedPod, Scenario } from '../../cluster/scenario';
import { groupOfPodKind } from '../../kube/podTemplates';
import type { PodSpec } from '../../kube/types';
import { settledAfter } from '../../scheduler/queries';
import type { Attempt, GroupAttempt, QueuedPod } from '../../scheduler/result';
import type { RunOptions, Simulation } from '../../scheduler/scenario';
import type { Study } from '../../scheduler/whatIf/counterfactuals';
import { foldedNames } from '../../text/foldedNames';
import type { WorkspaceObject } from '../../workspace/object';
import type { Snapshot } from '../../workspace/workspace';
import type { ClusterLabel } from './clusterLabel';
import type { UnadmittedObject } from './refusedObjects';
import type { RunInputs } from './runInputs';
import type { Strategy } from './strategy';

/** What the scheduler decides for everything in one environment. */
export interface EnvironmentPlacement {
  readonly source: ClusterLabel;
  /** Before the run. */
  readonly cluster: ClusterModel;
  /** Pods that ran before, then those that were to be placed. */
  readonly pods: readonly PodModel[];
  /** Pods that admission refused; of a workload's equal Pods only the first. */
  readonly rejected: readonly RejectedPod[];
  /** Written objects that the API server refuses: they are not in the cluster, and their Pods take no room. */
  readonly refused: readonly RefusedSource[];
  /** Workloads that policies refuse. */
  readonly refusedWorkloads: readonly RefusedWorkload[];
  /** The last attempt of each Pod that was to be placed, by Pod id. */
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly notes: readonly string[];
  /** All attempts in the order in which the queue gave the Pods out. */
  readonly attemptsInOrder: readonly Attempt[];
  /** Cycles of groups in the order tried. */
  readonly groups: readonly GroupAttempt[];
  readonly profiles: Simulation['profiles'];
  readonly gates: Simulation['gates'];
  /** The same environment with some of its objects changed. */
  changed(change: (object: UnknownObject) => UnknownObject): EnvironmentPlacement;
  /** The same environment after something happened to its cluster, or with another way to score. */
  tried(wanted: Tried): TriedPlacement;
  /** The same, step by step. */
  trying(wanted: Tried): Steps<TriedPlacement>;
  /** What it started from, for another thread; with the configuration that is tried, before its way to score. */
  inputsFor(wanted: Tried): RunInputs;
  /** What it is worked out from. */
  readonly inputs: { readonly objects: readonly UnknownObject[]; readonly run: RunOptions };
  /** The same environment with these objects in place of its own; kept under the key, the latest few of them. */
  over(key: string, objects: () => Steps<Changed>): Steps<TriedPlacement>;
  /** Whether an object is of this environment and counts: of several workloads of one name the first does. */
  counts(object: WorkspaceObject): boolean;
  /** To ask what would give a Pod a node, and why things are as they are. */
  study(): Study;
  /** The same in steps. */
  studying(): Steps<Study>;
  /** What is there after the run, with nothing left to place. */
  settled(): Scenario;
  /** Where a Pod runs after the run; undefined for a pending or an evicted one. */
  nodeOf(pod: string): string | undefined;
  /** The Pod that pushed this one out. */
  evictedBy(pod: string): string | undefined;
  /** How kube-scheduler's queue holds a Pod without a node. */
  queued(pod: string): QueuedPod | undefined;
  /** The Pods that this one pushed out, most important first. */
  victimsOf(pod: string): readonly string[];
  /** The workload at the top: a Deployment where the Pod belongs to its ReplicaSet. */
  ownerOf(pod: PodModel): Owner | undefined;
  /** The nearest first. */
  ownersOf(pod: Pick<PodModel, 'source'>): readonly Owner[];
  /** Ids of the Pods that an object is or makes, in the order in which they were to be placed. */
  podsOf(object: WorkspaceObject): readonly string[];
  /** The refusal of an object that the API server does not take. */
  refusalOf(object: WorkspaceObject): RefusedSource | undefined;
  /** The name of a node without what the names of all nodes share. */
  shortNameOf(node: string): string;
  /** The object of the workspace that the Pod comes from. */
  sourceOf(pod: PodModel, snapshot: Snapshot): WorkspaceObject | undefined;
}

/** An object that never comes into the cluster. */
export interface RefusedSource extends UnadmittedObject {
  /** The Pods that it would be or make. */
  readonly pods: () => { readonly first: string; readonly count: number };
  /** Of its Pods as written; undefined if it does not have the right shape. */
  readonly spec: () => PodSpec | undefined;
}

export interface Tried {
  readonly changes: readonly ClusterChange[];
  readonly strategy?: Strategy;
  /** In place of the environment's own. */
  readonly schedulerConfiguration?: UnknownObject;
  /** The profile that places all Pods, whatever their schedulerName. */
  readonly profile?: string;
}

export interface TriedPlacement {
  readonly placement: EnvironmentPlacement;
  /** NAMESPACE/NAME of Pods that no controller creates again. */
  readonly lost: readonly string[];
  /** What could not be done, a clause each. */
  readonly problems: readonly string[];
}

/** What is asked of a placement that is more than to read the run. */
export type PlacementQueries = Pick<
  EnvironmentPlacement,
  'changed' | 'inputs' | 'over' | 'tried' | 'trying' | 'inputsFor' | 'counts' | 'study' | 'studying' | 'refused'
>;

/** For another run of the same environment. */
export function queriesOf(placement: PlacementQueries): PlacementQueries {
  const { changed, inputs, over, tried, trying, inputsFor, counts, study, studying, refused } = placement;
  return { changed, inputs, over, tried, trying, inputsFor, counts, study, studying, refused };
}

/** What earlier runs of the placement have kept, for whatever else is asked of its objects. */
export const memoryOf = ({ inputs }: Pick<EnvironmentPlacement, 'inputs'>): Memo =>
  inputs.run.memory?.objects ?? noMemo();

/** Reads the result of a run; `notes` are added to those of the run. */
export function environmentPlacement(
  source: ClusterLabel,
  { scenario, result, profiles, gates }: Simulation,
  notes: readonly string[],
  asking: PlacementQueries,
): EnvironmentPlacement {
  const attempts = new Map(result.attempts.map(it => [it.pod, it]));
  const runningOn = new Map(scenario.cluster.running.map(it => [it.id, it.nodeName]));
  const evicted = new Set(result.evicted);
  const owners = ownersIn(scenario.cluster);
  const queue = new Map((result.queue ?? []).map(it => [it.pod, it]));
  const evictors = new Map([
    ...result.attempts.flatMap(it => (it.preemption?.victims ?? []).map(victim => [victim, it.pod] as const)),
    ...(result.groups ?? []).flatMap(it => (it.victims ?? []).map(victim => [victim, it.group] as const)),
  ]);
  const victims = lazy(() => {
    const byPod = new Map<string, readonly string[]>();
    for (const { pod, preemption } of result.attempts) {
      const going = preemption?.victims?.filter(it => evicted.has(it)) ?? [];
      if (going.length > 0) byPod.set(pod, [...(byPod.get(pod) ?? []), ...going]);
    }
    return byPod;
  });
  const pods = [...scenario.cluster.running, ...scenario.pending];
  const ids = lazy(() => new Set([...pods.map(it => it.id), ...attempts.keys()]));
  const madePods = lazy(() => podsByMaker([...pods, ...scenario.rejected], owners));
  const shortNames = lazy(() => foldedNames(scenario.cluster.nodes.map(it => it.name)));
  const refusals = lazy(() => new Map(asking.refused.map(it => [it.object.manifest, it])));
  return {
    source,
    cluster: scenario.cluster,
    pods,
    rejected: scenario.rejected,
    refusedWorkloads: scenario.refusedWorkloads ?? [],
    attempts,
    notes: [...new Set([...notes, ...result.notes.map(it => (it.pod ? `${it.pod}: ${it.message}` : it.message))])],
    attemptsInOrder: result.attempts,
    groups: result.groups ?? [],
    profiles,
    gates,
    ...asking,
    nodeOf: pod => (evicted.has(pod) ? undefined : (result.placements[pod] ?? runningOn.get(pod))),
    victimsOf: pod => victims().get(pod) ?? [],
    settled: lazy(() => settledAfter(scenario, result)),
    evictedBy: pod => (evicted.has(pod) ? evictors.get(pod) : undefined),
    queued: pod => queue.get(pod),
    ownerOf: pod => owners(pod).at(-1),
    ownersOf: owners,
    podsOf({ kind, namespace = 'default', name = '' }) {
      const id = `${namespace}/${name}`;
      if (kind === 'Pod') return ids().has(id) ? [id] : [];
      return (madePods().get(makerKey(kind, namespace, name)) ?? []).map(it => it.id);
    },
    shortNameOf: node => shortNames()(node),
    refusalOf: ({ manifest }) => refusals().get(manifest),
    sourceOf: sourceFinder(owners, asking.counts),
  };
}

/** Other folders may write a Pod or a workload of the same name. */
function sourceFinder(
  ownersOf: EnvironmentPlacement['ownersOf'],
  counts: EnvironmentPlacement['counts'],
): EnvironmentPlacement['sourceOf'] {
  const find = (snapshot: Snapshot, group: string, kind: string, { namespace, name }: Named) =>
    snapshot.find(group, kind, namespace, name).find(counts);
  // The Pods of a workload have one list of owners.
  const known = new WeakMap<Snapshot, Map<readonly Owner[], WorkspaceObject | undefined>>();
  const ofOwners = (owners: readonly Owner[], namespace: string, snapshot: Snapshot): WorkspaceObject | undefined => {
    const found = known.get(snapshot) ?? new Map<readonly Owner[], WorkspaceObject | undefined>();
    known.set(snapshot, found);
    if (!found.has(owners)) {
      const all = owners.map(({ kind, name }) => find(snapshot, groupOfPodKind(kind) ?? '', kind, { namespace, name }));
      found.set(
        owners,
        all.findLast(it => it !== undefined),
      );
    }
    return found.get(owners);
  };
  // Nearly no Pod of a workload has the name of one that is written: the index is asked about few of them.
  const writtenNames = lazyByObject((snapshot: Snapshot) => new Set(snapshot.objectsOf('', 'Pod').map(it => it.name)));
  return (pod, snapshot) => {
    const written = writtenNames(snapshot).has(pod.name) ? find(snapshot, '', 'Pod', pod) : undefined;
    return written ?? ofOwners(ownersOf(pod), pod.namespace, snapshot);
  };
}

type Named = Pick<PodModel, 'namespace' | 'name'>;
