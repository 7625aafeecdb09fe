import { layeredMap } from '../../base/layeredMap';
import { jsonText } from '../../base/printed';
import { clusterIndex } from '../../cluster/sources/clusterIndex';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import { reparseManifests } from '../../manifest/reparse';
import { isKustomizationName } from '../../workspace/kustomize';
import type { FileChange } from '../../workspace/snapshot';
import type { Settings } from '../configuration/settings';
import type { ChangedFile, WorkspaceChange } from './change';
import { areSameFolders, configuredFolders } from './configuredFolders';
import { withEnvironmentStates } from './environmentStates';
import { divideIntoEnvironments, type Environments } from './environments';
import { type KubeOfSettings, kubeOf } from './facts';
import { gatesKey } from './indexKey';
import { pathKindsAfter, withoutKnownPaths } from './pathKinds';
import { environmentsAllowed, reachAfter, reachOf } from './reach';
import { renderingsAfter } from './renderings';
import { emptyIndex, indexesWith, indexHolding } from './sharedIndex';
import { configurationsOf, manifestsOf, type WorkspaceInputs, type WorkspaceState } from './workspaceState';
import type { AnalysisWorld } from './world';

type World = Pick<AnalysisWorld, 'readPack' | 'absolute'>;

/** A workspace without files. */
export function initialState(settings: Settings, world: World): WorkspaceState {
  const inputs: WorkspaceInputs = {
    settings,
    above: it => it,
    folders: [{ uri: '', read: undefined }],
    files: layeredMap(),
    clusters: new Map(),
    renderings: new Map(),
    pathKinds: new Map(),
  };
  return stateFrom(inputs, world);
}

/** The state after a change. It shares with the previous state what the change does not touch. */
export function applyChange(before: WorkspaceState, change: WorkspaceChange, world: World): WorkspaceState {
  const { renderings, files: virtual } = renderingsAfter(before.renderings, change);
  const changed = [...(change.files ?? []), ...virtual].map(
    (it): FileChange => ({ uri: it.uri, file: fileAfter(before.files.get(it.uri), it) }),
  );
  const files = before.files.with(changed.map(({ uri, file }) => [uri, file]));
  const inputs: WorkspaceInputs = {
    settings: change.settings ?? before.settings,
    above: change.above ?? before.above,
    folders: configuredFolders(change.folders ?? before.folders, files, before.folders),
    files,
    clusters: clustersAfter(before.clusters, change.clusters ?? []),
    renderings,
    pathKinds: pathKindsAfter(before.pathKinds, change.pathKinds ?? [], before.environments.graph),
  };
  if (!hasSameConfiguration(inputs, before) || !haveSameVersions(inputs, before))
    return stateFrom(inputs, world, before);
  if (changed.length > 0) return afterFileChanges({ ...before, ...inputs }, before, changed, world);
  return afterOutsideAnswers(before, inputs, change);
}

function fileAfter(previous: ManifestFile | undefined, { uri, text, parsed }: ChangedFile): ManifestFile | undefined {
  if (text === undefined) return undefined;
  if (previous === undefined) return parsed ?? parseManifests(uri, text);
  return previous.text === text ? previous : reparseManifests(previous, text);
}

function clustersAfter(
  before: WorkspaceState['clusters'],
  changed: NonNullable<WorkspaceChange['clusters']>,
): WorkspaceState['clusters'] {
  if (changed.length === 0) return before;
  const clusters = new Map(before);
  for (const { key, content } of changed) {
    if (content === undefined) clusters.delete(key);
    else clusters.set(key, clusterIndex(content));
  }
  return clusters;
}

const hasSameConfiguration = (now: WorkspaceInputs, before: WorkspaceInputs): boolean =>
  now.settings === before.settings && now.above === before.above && areSameFolders(now.folders, before.folders);

/** Whether the clusters of the environments tell the same versions as before. */
function haveSameVersions(now: WorkspaceInputs, { clusters, environments }: WorkspaceState): boolean {
  if (now.clusters === clusters) return true;
  const keys = environments.all.flatMap(({ cluster }) => (cluster === undefined ? [] : [cluster.key]));
  return keys.every(it => toldBy(now.clusters.get(it)) === toldBy(clusters.get(it)));
}

/** What settings follow of a cluster. */
const toldBy = (cluster: ReturnType<WorkspaceState['clusters']['get']>): string =>
  jsonText([cluster?.content.kubernetesVersion, cluster?.content.featureGates]);

/** Only clusters, renderings without text, or kinds of paths changed, and no file. */
function afterOutsideAnswers(
  before: WorkspaceState,
  { clusters, renderings, pathKinds }: WorkspaceInputs,
  change: WorkspaceChange,
): WorkspaceState {
  const isUsed = (change.clusters ?? []).some(({ key }) => before.environments.all.some(it => it.cluster?.key === key));
  if (isUsed || pathKinds !== before.pathKinds)
    return withEnvironmentStates({ ...before, clusters, renderings, pathKinds });
  // A cluster that only the preview tries changes no problems.
  return clusters === before.clusters ? before : { ...before, clusters, touched: [] };
}

/**
 * The state of these inputs, with new environments. Only the indexes of environments with the same facts are taken over
 * from the previous state.
 */
function stateFrom(inputs: WorkspaceInputs, world: World, previous?: WorkspaceState): WorkspaceState {
  const environments = environmentsFor(inputs, world);
  const members = new Map<string, { readonly settings: Settings; readonly files: Map<string, ManifestFile> }>();
  for (const { index, settings } of environments.all) members.set(index, { settings, files: new Map() });
  for (const [uri, file] of manifestsOf(inputs)) {
    for (const { index } of environments.of(uri)) members.get(index)?.files.set(uri, file);
  }
  const indexes = new Map(
    [...members].map(([key, { settings, files }]) => {
      const index = previous?.indexes.get(key) ?? emptyIndex(settings, factsFor(settings, world, previous));
      return [key, indexHolding(index, files)] as const;
    }),
  );
  const reach = reachOf(manifestsOf(inputs).keys(), { environments, indexes });
  return withEnvironmentStates({
    ...inputs,
    pathKinds: withoutKnownPaths(inputs.pathKinds, environments.graph),
    environments,
    indexes,
    reach,
    memories: { environments: undefined, of: new Map() },
    clusterKinds: new Map(),
    problemCaches: new Map(),
    touched: undefined,
  });
}

/** Reading facts is slow: they are taken from the previous state where it has the same version and gates. */
function factsFor(settings: Settings, world: World, previous: WorkspaceState | undefined): KubeOfSettings {
  const gates = gatesKey(settings);
  const environment = previous?.environments.all.find(
    it => it.settings.kubernetesVersion === settings.kubernetesVersion && gatesKey(it.settings) === gates,
  );
  const same = environment && previous?.indexes.get(environment.index);
  if (same === undefined) return kubeOf(world, settings);
  return { kube: same.defined.facts, problems: same.problems, notes: same.notes };
}

/** @param state The previous state with the new inputs. */
function afterFileChanges(
  state: WorkspaceState,
  before: WorkspaceState,
  changed: readonly FileChange[],
  world: World,
): WorkspaceState {
  const configurations = new Set(configurationsOf(state).map(it => it.uri));
  const manifests = changed.filter(it => !configurations.has(it.uri));
  const environments = manifests.some(it => mayChangeEnvironments(it, before))
    ? environmentsFor(state, world, before.environments)
    : before.environments;
  const indexes = indexesWith(before.indexes, environments, manifests);
  const isOtherSet = manifests.some(({ uri, file }) => before.files.has(uri) !== (file !== undefined));
  // A configuration has a problem for each of its paths that matches no file.
  const checked = isOtherSet ? [...configurations] : [];
  const { files, clusters } = before;
  const step = { indexes: before.indexes, files, clusters, changed: [...changed.map(it => it.uri), ...checked] };
  const isSameDivision = environments === before.environments;
  const pathKinds = isSameDivision ? state.pathKinds : withoutKnownPaths(state.pathKinds, environments.graph);
  const isSameOutside = state.renderings === before.renderings && pathKinds === before.pathKinds;
  const isStep = isSameDivision && isSameOutside;
  const reach = isSameDivision
    ? reachAfter(
        before,
        indexes,
        manifests.map(it => it.uri),
      )
    : reachOf(manifestsOf(state).keys(), { environments, indexes });
  const next = withEnvironmentStates({ ...state, pathKinds, environments, indexes, reach }, isStep ? step : undefined);
  return environmentsAllowed(reach) === environmentsAllowed(before.reach) ? next : { ...next, touched: undefined };
}

function mayChangeEnvironments({ uri, file }: FileChange, { files, environments }: WorkspaceState): boolean {
  if (isKustomizationName(uri)) return true;
  const { isOfFlux } = environments.graph;
  if (isOfFlux(file) || isOfFlux(files.get(uri))) return true;
  if (file === undefined) return files.has(uri);
  return !files.has(uri) && !environments.expects(uri);
}

function environmentsFor(inputs: WorkspaceInputs, world: World, previous?: Environments): Environments {
  const { clusters } = inputs;
  const options = {
    settings: inputs.settings,
    above: inputs.above,
    absolute: world.absolute ?? (it => it),
    // What environments keep holds the clusters, and no file of these inputs.
    clusterOf: (key: string) => clusters.get(key)?.content,
  };
  return divideIntoEnvironments(inputs.folders, manifestsOf(inputs), options, previous);
}
