import { type LayeredMap, layeredMap } from '../../base/layeredMap';
import { type KnownCluster, knownCluster } from '../../cluster/sources/known';
import type { ManifestFile } from '../../manifest/manifest';
import { parseManifests } from '../../manifest/parse';
import { reparseManifests } from '../../manifest/reparse';
import { isKustomizationName } from '../../workspace/kustomize';
import type { FileChange } from '../../workspace/snapshot';
import { asDeployed, asWritten, viewOf } from '../../workspace/view';
import { LOADING } from '../clusters/loading';
import { CONFIGURATION_NAMES, type Configuration, readConfiguration } from '../configuration/configuration';
import type { Settings } from '../configuration/settings';
import type { WorkspaceChange, WorkspaceFolder } from './change';
import type { EnvironmentState } from './environmentState';
import { type ConfiguredFolder, divided, type Environment, type Environments } from './environments';
import { kubeOf } from './facts';
import { type PathKinds, pathKindsAfter } from './pathKinds';
import { createPlacementMemory } from './placementMemory';
import { createProblemCache } from './problemCache';
import { type Renderings, renderingsAfter } from './renderings';
import type { IncrementalChange, SharedIndex } from './sharedIndex';
import { emptyIndex, holding, indexesWith, keyOf, touchedIndexes } from './sharedIndex';
import type { AnalysisWorld } from './world';

/** Everything one moment stands on. Replaced as a whole, never changed. */
export interface WorkspaceState {
  readonly settings: Settings;
  readonly above: (configured: Settings) => Settings;
  readonly folders: readonly ConfiguredFolder[];
  /** All files, those of configurations among them. */
  readonly files: LayeredMap<string, ManifestFile>;
  readonly environments: Environments;
  readonly grounds: ReadonlyMap<string, SharedIndex>;
  /** What the sources of clusters hold, by the key of their wish. */
  readonly clusters: ReadonlyMap<string, KnownCluster>;
  /** What stands at paths that no manifest of the workspace has. */
  readonly places: PathKinds;
  /** What came of rendering; its texts are among the files. */
  readonly renderings: Renderings;
  /** In the order of `environments.all`. */
  readonly scenes: readonly EnvironmentState[];
  /** Files whose problems may be others than in the moment before; undefined: all. */
  readonly touched: readonly string[] | undefined;
}

type World = Pick<AnalysisWorld, 'readPack' | 'absolute'>;

export function initialState(settings: Settings, world: World): WorkspaceState {
  const folders = [{ uri: '', read: undefined }];
  return settled(
    {
      settings,
      above: it => it,
      folders,
      files: layeredMap(),
      clusters: new Map(),
      renderings: new Map(),
      places: new Map(),
    },
    world,
  );
}

/** The moment after a change; what the change does not touch is shared with the one before. */
export function applyChange(moment: WorkspaceState, change: WorkspaceChange, world: World): WorkspaceState {
  const { settings = moment.settings, above = moment.above } = change;
  const { renderings, files: virtual } = renderingsAfter(moment.renderings, change);
  const places = pathKindsAfter(moment.places, change.places ?? []);
  const changed = [...(change.files ?? []), ...virtual].map(
    ({ uri, text }): FileChange => ({ uri, file: parsed(moment.files.get(uri), uri, text) }),
  );
  const files = moment.files.with(changed.map(({ uri, file }) => [uri, file]));
  const folders = withConfigurations(change.folders ?? moment.folders, files, moment.folders);
  const clusters = withClusters(moment.clusters, change.clusters ?? []);
  const isSame = settings === moment.settings && above === moment.above && areSame(folders, moment.folders);
  if (!isSame) return settled({ settings, above, folders, files, clusters, renderings, places }, world, moment);
  if (changed.length === 0) {
    const isWanted = (change.clusters ?? []).some(it => moment.scenes.some(scene => isOn(scene, it.key)));
    if (isWanted || places !== moment.places) return withScenes({ ...moment, clusters, renderings, places });
    // What the preview alone tries is nobody's cluster, and no file has other problems for it.
    return clusters === moment.clusters ? moment : { ...moment, clusters, touched: [] };
  }
  return withChangedFiles({ ...moment, folders, files, clusters, renderings, places }, moment, changed, world);
}

const isOn = ({ environment }: EnvironmentState, key: string): boolean => environment.cluster?.key === key;

function withClusters(
  before: WorkspaceState['clusters'],
  given: NonNullable<WorkspaceChange['clusters']>,
): WorkspaceState['clusters'] {
  if (given.length === 0) return before;
  const clusters = new Map(before);
  for (const { key, content } of given) {
    if (content === undefined) clusters.delete(key);
    else clusters.set(key, knownCluster(content));
  }
  return clusters;
}

type Given = Pick<WorkspaceState, 'settings' | 'above' | 'folders' | 'files' | 'clusters' | 'renderings' | 'places'>;

/** After other settings or configurations nothing holds but the indexes of those who stand on the same facts as before. */
function settled(given: Given, world: World, previous?: WorkspaceState): WorkspaceState {
  const environments = environmentsFor(given, world);
  const wanted = new Map<string, Wanted>();
  for (const { settings } of environments.all) wanted.set(keyOf(settings), { settings, files: new Map() });
  for (const [uri, file] of manifestsOf(given)) {
    for (const { settings } of environments.of(uri)) wanted.get(keyOf(settings))?.files.set(uri, file);
  }
  const grounds = new Map(
    [...wanted].map(([key, { settings, files }]) => {
      const known = previous?.grounds.get(key) ?? emptyIndex(settings, factsFor(settings, world, previous));
      return [key, holding(known, files)] as const;
    }),
  );
  return withScenes({ ...given, environments, grounds, scenes: [], touched: undefined });
}

/** What a ground shall be made of. */
interface Wanted {
  readonly settings: Settings;
  readonly files: Map<string, ManifestFile>;
}

function withChangedFiles(
  moment: WorkspaceState,
  before: Pick<WorkspaceState, 'files' | 'environments' | 'renderings'>,
  changed: readonly FileChange[],
  world: World,
): WorkspaceState {
  const configurations = new Set(moment.folders.map(it => it.read?.uri));
  const manifests = changed.filter(it => !configurations.has(it.uri));
  const isOther = manifests.some(({ uri, file }) => {
    if (isKustomizationName(uri) || (file === undefined && before.files.has(uri))) return true;
    return file !== undefined && !before.files.has(uri) && !moment.environments.expects(uri);
  });
  const environments = isOther ? environmentsFor(moment, world, moment.environments) : moment.environments;
  const grounds = indexesWith(moment.grounds, environments, manifests);
  const isOtherSet = manifests.some(({ uri, file }) => before.files.has(uri) !== (file !== undefined));
  // Which paths of a configuration name nothing hangs on what is there.
  const checked = isOtherSet ? [...configurations].flatMap(it => it ?? []) : [];
  const step = { grounds: moment.grounds, changed: [...changed.map(it => it.uri), ...checked] };
  const isStep = environments === before.environments && moment.renderings === before.renderings;
  return withScenes({ ...moment, environments, grounds }, isStep ? step : undefined);
}

function environmentsFor(given: Given, world: World, previous?: Environments): Environments {
  const options = { settings: given.settings, above: given.above, absolute: world.absolute ?? (it => it) };
  return divided(given.folders, manifestsOf(given), options, previous);
}

function manifestsOf({ files, folders }: Given): ReadonlyMap<string, ManifestFile> {
  const configurations = folders.flatMap(it => it.read?.uri ?? []);
  if (configurations.length === 0) return files;
  const manifests = new Map(files);
  for (const uri of configurations) manifests.delete(uri);
  return manifests;
}

function withScenes(moment: WorkspaceState, step?: IncrementalChange): WorkspaceState {
  const { environments, grounds, files, clusters, renderings, places } = moment;
  const users = new Map<string, number>();
  for (const it of environments.all) users.set(keyOf(it.settings), (users.get(keyOf(it.settings)) ?? 0) + 1);
  const before = new Map(moment.scenes.map(it => [it.environment.id, it]));
  const touchedIn = touchedIndexes(grounds, step);
  const touched = new Set<string>(step?.changed);
  let isAll = step === undefined;
  const scenes = environments.all.flatMap((environment): readonly EnvironmentState[] => {
    const key = keyOf(environment.settings);
    const ground = grounds.get(key);
    if (ground === undefined) return [];
    const view = users.get(key) === 1 ? asDeployed : viewWithin(environment);
    const written = asWritten(users.get(key) === 1 ? ground.snapshot : viewOf(ground.snapshot, environment.includes));
    const schedulerConfig = files.get(environment.schedulerConfig ?? '');
    const baseline = files.get(environment.baseline ?? '');
    const cluster = environment.cluster && (clusters.get(environment.cluster.key) ?? LOADING);
    const last = before.get(environment.id);
    const isKept =
      last?.kube === ground.kube &&
      last.cluster === cluster &&
      last?.schedulerConfig === schedulerConfig &&
      last?.baseline === baseline;
    const change = isKept ? touchedIn.get(key) : undefined;
    const kept = change && last?.memory.carryOver(ground.snapshot, change, step?.changed ?? []);
    isAll ||= kept === undefined;
    for (const uri of kept?.uris ?? []) touched.add(uri);
    const memory = kept?.memory ?? createProblemCache(ground.snapshot);
    const placed = last?.placed ?? createPlacementMemory();
    const own = { snapshot: view(ground.snapshot), schedulerConfig, baseline, cluster, memory, placed };
    return [{ ...ground, environment, view, written, ...own, renderings, places }];
  });
  return { ...moment, scenes, touched: isAll ? undefined : [...touched] };
}

/** Made here, out of reach of the scenes of the moment before: a closure beside those would keep all earlier moments alive. */
function viewWithin({ includes }: Environment): EnvironmentState['view'] {
  return ground => asDeployed(viewOf(ground, includes));
}

/** Facts take long to read: those of the same version and gates are read once. */
function factsFor(settings: Settings, world: World, previous: WorkspaceState | undefined): ReturnType<typeof kubeOf> {
  const isSame = (it: Settings): boolean =>
    it.kubernetesVersion === settings.kubernetesVersion &&
    JSON.stringify(Object.entries(it.featureGates).sort()) ===
      JSON.stringify(Object.entries(settings.featureGates).sort());
  const known = previous?.scenes.find(it => isSame(it.environment.settings));
  return known === undefined ? kubeOf(world, settings) : { kube: known.defined.facts, problems: known.problems };
}

/** Folders with what their configurations say; a configuration whose text is the same is not read again. */
function withConfigurations(
  folders: readonly WorkspaceFolder[],
  files: WorkspaceState['files'],
  before: readonly ConfiguredFolder[],
): readonly ConfiguredFolder[] {
  return folders.map(({ uri, configuration, environment }) => {
    const names = configuration === undefined ? CONFIGURATION_NAMES.map(it => `${uri}/${it}`) : [configuration];
    const found = uri === '' && configuration === undefined ? undefined : names.find(it => files.has(it));
    const file = files.get(found ?? '');
    const known = before.find(it => it.read !== undefined && it.read.file === file)?.read;
    const read = known ?? (file && readConfiguration(file));
    return { uri, ...(configuration && { configuration }), ...(environment && { environment }), read };
  });
}

function areSame(now: readonly ConfiguredFolder[], before: readonly ConfiguredFolder[]): boolean {
  return now.length === before.length && now.every((it, i) => areAlike(it, before[i]));
}

/** Whether two folders are divided and judged alike; a configuration may be written in another way. */
function areAlike(a: ConfiguredFolder, b: ConfiguredFolder | undefined): boolean {
  if (a.uri !== b?.uri || a.configuration !== b.configuration || a.environment !== b.environment) return false;
  const said = ({ read }: ConfiguredFolder): string => JSON.stringify([read?.uri, read?.settings, read?.environments]);
  return a.read === b.read || said(a) === said(b);
}

function parsed(previous: ManifestFile | undefined, uri: string, text: string | undefined): ManifestFile | undefined {
  if (text === undefined) return undefined;
  if (previous?.text === text) return previous;
  return previous ? reparseManifests(previous, text) : parseManifests(uri, text);
}

/** All configurations of a moment. */
export function configurationsOf({ folders }: Pick<WorkspaceState, 'folders'>): readonly Configuration[] {
  return folders.flatMap(it => it.read ?? []);
}
