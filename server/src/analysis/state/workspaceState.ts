import type { LayeredMap } from '../../base/layeredMap';
import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import type { ManifestFile } from '../../manifest/manifest';
import type { Configuration } from '../configuration/configuration';
import type { Settings } from '../configuration/settings';
import type { ClusterKinds } from './clusterKinds';
import type { ConfiguredFolder } from './configuredFolders';
import type { EnvironmentMemory, EnvironmentState } from './environmentState';
import type { Environment, Environments } from './environments';
import type { PathKinds } from './pathKinds';
import type { ProblemCache } from './problemCache';
import type { Reach } from './reach';
import type { Renderings } from './renderings';
import type { SharedIndex } from './sharedIndex';

/** What the client has given: settings, folders, files, and answers from outside. */
export interface WorkspaceInputs {
  readonly settings: Settings;
  /** Overrides on top of the settings and every configuration: the options of a command line. */
  readonly above: (configured: Settings) => Settings;
  readonly folders: readonly ConfiguredFolder[];
  /** All files, including configurations. */
  readonly files: LayeredMap<string, ManifestFile>;
  /** Contents of cluster sources, by the key of their request. */
  readonly clusters: ReadonlyMap<string, ClusterIndex>;
  /** What is on disk at paths where the workspace has no manifest. */
  readonly pathKinds: PathKinds;
  /** Results of rendering; the rendered texts are among the files. */
  readonly renderings: Renderings;
}

/** The immutable state of the workspace: its inputs, and what is derived from them. */
export interface WorkspaceState extends WorkspaceInputs {
  readonly environments: Environments;
  /** By `indexKey` of the settings. */
  readonly indexes: ReadonlyMap<string, SharedIndex>;
  readonly reach: Reach;
  /** That of one of `environments`, made when it is first asked for. */
  readonly stateOf: (environment: Environment) => EnvironmentState;
  /** In the order of `environments.all`. */
  readonly environmentStates: () => readonly EnvironmentState[];
  /** What the environments take over from state to state, by their ids. */
  readonly memories: {
    readonly environments: Environments | undefined;
    readonly of: ReadonlyMap<string, EnvironmentMemory>;
  };
  /** Those that only clusters define, for each pair of an index and a cluster. */
  readonly clusterKinds: ReadonlyMap<string, ClusterKinds>;
  /** By the keys of `indexes`. */
  readonly problemCaches: ReadonlyMap<string, ProblemCache>;
  /** Files whose problems may differ from the previous state; undefined: all. */
  readonly touched: readonly string[] | undefined;
}

export function configurationsOf({ folders }: Pick<WorkspaceState, 'folders'>): readonly Configuration[] {
  return folders.flatMap(it => it.read ?? []);
}

/** All files except the configurations of folders. */
export function manifestsOf(inputs: Pick<WorkspaceInputs, 'files' | 'folders'>): ReadonlyMap<string, ManifestFile> {
  const configurations = configurationsOf(inputs);
  if (configurations.length === 0) return inputs.files;
  const manifests = new Map(inputs.files);
  for (const { uri } of configurations) manifests.delete(uri);
  return manifests;
}
