import { lazy, lazyByObject } from '../../base/lazy';
import { asDeployed, asWritten, snapshotSubset } from '../../workspace/view';
import { LOADING } from '../clusters/loading';
import { type ClusterKinds, clusterKinds } from './clusterKinds';
import { isSameKinds } from './customKinds';
import type { EnvironmentMemory, EnvironmentState } from './environmentState';
import type { Environment, Environments } from './environments';
import { createPlacementMemory } from './placementMemory';
import { createProblemCache, type ProblemCache } from './problemCache';
import { type IncrementalChange, type SharedIndex, touchedIndexes } from './sharedIndex';
import type { WorkspaceInputs, WorkspaceState } from './workspaceState';

/** The difference to the previous state where its environments are the same. */
export interface FileStep extends IncrementalChange, Pick<WorkspaceInputs, 'files' | 'clusters'> {}

type Bare = Omit<WorkspaceState, 'environmentStates' | 'stateOf'>;

/**
 * The state with the states of its environments, which take over what `state` has of the previous one: memories of
 * placements, kinds of clusters, and problem caches. Of thousands of environments an edit makes those states that are asked for.
 * @param step How the state differs from the previous one; absent: it may differ in everything.
 */
export function withEnvironmentStates(state: Bare, step?: FileStep): WorkspaceState {
  const memories = memoriesFor(state.environments, state.memories);
  const kinds = kindsOfClusters(state);
  const dropped = step === undefined ? new Set<string>() : changedEnvironments(state, step, kinds);
  const touched = new Set<string>(step?.changed);
  const touchedIn = touchedIndexes(state.indexes, step);
  let isAll = step === undefined || dropped.size > 0;
  const carriedOver = ([key, { snapshot }]: readonly [string, SharedIndex]): readonly [string, ProblemCache] => {
    const change = touchedIn.get(key);
    const kept = change && state.problemCaches.get(key)?.carryOver(snapshot, change, step?.changed ?? [], dropped);
    isAll ||= kept === undefined;
    for (const uri of kept?.uris ?? []) touched.add(uri);
    return [key, kept?.cache ?? createProblemCache(snapshot)];
  };
  const problemCaches = new Map([...state.indexes].map(carriedOver));
  const next = { ...state, memories, clusterKinds: kinds, problemCaches, touched: isAll ? undefined : [...touched] };
  return { ...next, ...statesIn(next) };
}

/** What the states of environments are made of. */
type Parts = Pick<
  WorkspaceState,
  'files' | 'clusters' | 'renderings' | 'pathKinds' | 'indexes' | 'memories' | 'clusterKinds' | 'problemCaches'
>;

/** A function of its own, whose closures keep no more than these parts: a whole state would lead on to the ones before it. */
function statesIn({
  environments: { all },
  files,
  clusters,
  renderings,
  pathKinds,
  indexes,
  memories,
  clusterKinds,
  problemCaches,
}: Bare): Pick<WorkspaceState, 'environmentStates' | 'stateOf'> {
  const parts = { files, clusters, renderings, pathKinds, indexes, memories, clusterKinds, problemCaches };
  const stateOf = lazyByObject((environment: Environment) => environmentState(environment, parts));
  return { stateOf, environmentStates: lazy(() => all.map(stateOf)) };
}

function environmentState(environment: Environment, parts: Parts): EnvironmentState {
  const { files, clusters, renderings, pathKinds } = parts;
  const index = parts.indexes.get(environment.index)!;
  const memory = parts.memories.of.get(environment.id)!;
  const ofCluster = parts.clusterKinds.get(kindsKey(environment));
  const { snapshot } = index;
  const isAlone = memory.visiblePart === asDeployed;
  const isRendered = snapshot.roles.rendered.size > 0;
  const visible = memory.visiblePart(snapshot);
  const { kube, documented, cache, properties } = ofCluster ?? index;
  const { defined, problems, notes } = index;
  const { visiblePart, placementMemory, readingMemory } = memory;
  // Written out, as spreading takes most of the time where there are thousands of environments.
  return {
    kube,
    documented,
    defined,
    problems,
    notes,
    cache,
    properties,
    visiblePart,
    placementMemory,
    readingMemory,
    clusterKinds: ofCluster,
    environment,
    // Where nothing is rendered, people write what is deployed.
    written: isRendered ? asWritten(isAlone ? snapshot : snapshotSubset(snapshot, environment)) : visible,
    snapshot: visible,
    schedulerConfig: files.get(environment.schedulerConfig ?? ''),
    baseline: files.get(environment.baseline ?? ''),
    cluster: environment.cluster && (clusters.get(environment.cluster.key) ?? LOADING),
    renderings,
    pathKinds,
    problemCache: parts.problemCaches.get(environment.index)!,
  };
}

/** What environments take over as long as there is one of the same id. */
function memoriesFor(environments: Environments, before: WorkspaceState['memories']): WorkspaceState['memories'] {
  if (before.environments === environments) return before;
  const of = environments.all.map((it): readonly [string, EnvironmentMemory] => {
    const last = before.of.get(it.id);
    const visiblePart = environments.isAlone(it) ? asDeployed : visiblePartOf(it);
    const placementMemory = last?.placementMemory ?? createPlacementMemory();
    const readingMemory = last?.readingMemory ?? createPlacementMemory();
    return [it.id, { visiblePart, placementMemory, readingMemory }];
  });
  return { environments, of: new Map(of) };
}

/** A function of its own, because a closure in the scope of the previous states would keep all of them alive. */
function visiblePartOf({ includes, uris, among, origin }: Environment): EnvironmentState['visiblePart'] {
  const isGuess = origin === 'guessed';
  return snapshot => asDeployed(snapshotSubset(snapshot, { includes, uris, among, isGuess }));
}

/** Environments with the same index and the same cluster have the same kinds. */
const kindsKey = ({ index, cluster }: Environment): string => `${index} ${cluster?.key}`;

/** The kinds of clusters, by the `kindsKey` of the environments; those of a cluster that adds none are missing. */
function kindsOfClusters(state: Bare): WorkspaceState['clusterKinds'] {
  const found = new Map<string, ClusterKinds | undefined>();
  for (const it of state.environments.all) {
    if (it.cluster === undefined) continue;
    const key = kindsKey(it);
    const index = state.indexes.get(it.index);
    if (found.has(key) || index === undefined) continue;
    found.set(key, clusterKinds(index, state.clusters.get(it.cluster.key), state.clusterKinds.get(key)));
  }
  return new Map([...found].flatMap(([key, it]) => (it === undefined ? [] : [[key, it] as const])));
}

/** The ids of environments that differ in more than what is touched in their index. */
function changedEnvironments(
  { environments, files, clusters, clusterKinds: before }: Bare,
  step: FileStep,
  kinds: WorkspaceState['clusterKinds'],
): ReadonlySet<string> {
  const isSameFile = (uri: string | undefined): boolean => uri === undefined || files.get(uri) === step.files.get(uri);
  const isSame = (it: Environment): boolean => {
    const { cluster, schedulerConfig, baseline } = it;
    if (!isSameFile(schedulerConfig) || !isSameFile(baseline)) return false;
    if (cluster === undefined) return true;
    const [last, now] = [before.get(kindsKey(it)), kinds.get(kindsKey(it))];
    return (
      clusters.get(cluster.key) === step.clusters.get(cluster.key) && isSameKinds(last?.kinds ?? [], now?.kinds ?? [])
    );
  };
  return new Set(environments.all.filter(it => !isSame(it)).map(it => it.id));
}
