import { asDeployed, asWritten, snapshotSubset } from '../../workspace/view';
import { LOADING } from '../clusters/loading';
import { type ClusterKinds, clusterKinds } from './clusterKinds';
import { isSameKinds } from './customKinds';
import type { EnvironmentState } from './environmentState';
import type { Environment } from './environments';
import { createPlacementMemory } from './placementMemory';
import { createProblemCache } from './problemCache';
import { type IncrementalChange, indexKey, type SharedIndex, touchedIndexes } from './sharedIndex';
import type { WorkspaceState } from './workspaceState';

/**
 * The state with the states of its environments, which take over problem caches and placements from `state.environmentStates`.
 * @param step How the state differs from the previous one; absent: it may differ in everything.
 */
export function withEnvironmentStates(state: WorkspaceState, step?: IncrementalChange): WorkspaceState {
  const { environments, indexes } = state;
  const users = usersOf(environments.all);
  const before = new Map(state.environmentStates.map(it => [it.environment.id, it]));
  const touchedIn = touchedIndexes(indexes, step);
  const touched = new Set<string>(step?.changed);
  let isAll = step === undefined;
  const environmentStates = environments.all.flatMap((environment): readonly EnvironmentState[] => {
    const key = indexKey(environment.settings);
    const index = indexes.get(key);
    if (index === undefined) return [];
    const last = before.get(environment.id);
    const inputs = inputsOf(environment, index, users.get(key) ?? 0, state, last?.clusterKinds);
    const change = last !== undefined && hasSameInputs(last, inputs) ? touchedIn.get(key) : undefined;
    const kept = change && last?.problemCache.carryOver(index.snapshot, change, step?.changed ?? []);
    isAll ||= kept === undefined;
    for (const uri of kept?.uris ?? []) touched.add(uri);
    const problemCache = kept?.cache ?? createProblemCache(index.snapshot);
    const placementMemory = last?.placementMemory ?? createPlacementMemory();
    const readingMemory = last?.readingMemory ?? createPlacementMemory();
    return [{ ...inputs, problemCache, placementMemory, readingMemory }];
  });
  return { ...state, environmentStates, touched: isAll ? undefined : [...touched] };
}

/** How many environments use an index, by its key. */
function usersOf(environments: readonly Environment[]): ReadonlyMap<string, number> {
  const users = new Map<string, number>();
  for (const { settings } of environments) {
    const key = indexKey(settings);
    users.set(key, (users.get(key) ?? 0) + 1);
  }
  return users;
}

type EnvironmentInputs = Omit<EnvironmentState, 'problemCache' | 'placementMemory' | 'readingMemory'>;

function inputsOf(
  environment: Environment,
  index: SharedIndex,
  users: number,
  { files, clusters, renderings, pathKinds }: WorkspaceState,
  last: ClusterKinds | undefined,
): EnvironmentInputs {
  const isAlone = users === 1;
  const cluster = environment.cluster && (clusters.get(environment.cluster.key) ?? LOADING);
  const ofCluster = clusterKinds(index, cluster, last);
  const visiblePart = isAlone ? asDeployed : visiblePartOf(environment);
  return {
    ...index,
    ...(ofCluster && factsOf(ofCluster)),
    clusterKinds: ofCluster,
    environment,
    visiblePart,
    written: asWritten(isAlone ? index.snapshot : snapshotSubset(index.snapshot, environment)),
    snapshot: visiblePart(index.snapshot),
    schedulerConfig: files.get(environment.schedulerConfig ?? ''),
    baseline: files.get(environment.baseline ?? ''),
    cluster,
    renderings,
    pathKinds,
  };
}

const factsOf = ({ kube, documented, cache, properties }: ClusterKinds) => ({ kube, documented, cache, properties });

/** Whether environments differ in no more than what is touched in their index. */
const hasSameInputs = (a: EnvironmentInputs, b: EnvironmentInputs): boolean =>
  isSameKinds(a.clusterKinds?.kinds ?? [], b.clusterKinds?.kinds ?? []) &&
  a.cluster === b.cluster &&
  a.schedulerConfig === b.schedulerConfig &&
  a.baseline === b.baseline;

/** A function of its own, because a closure in the scope of the previous states would keep all of them alive. */
function visiblePartOf({ includes, uris }: Environment): EnvironmentState['visiblePart'] {
  return snapshot => asDeployed(snapshotSubset(snapshot, { includes, uris }));
}
