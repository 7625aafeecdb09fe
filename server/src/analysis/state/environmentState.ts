import type { ClusterIndex } from '../../cluster/sources/clusterIndex';
import type { ManifestFile } from '../../manifest/manifest';
import type { Snapshot } from '../../workspace/workspace';
import type { ClusterKinds } from './clusterKinds';
import type { Environment } from './environments';
import type { PathKinds } from './pathKinds';
import type { PlacementMemory } from './placementMemory';
import type { ProblemCache } from './problemCache';
import type { Renderings } from './renderings';
import type { SharedIndex } from './sharedIndex';

/** What an environment has in all states of the workspace until the environments change. */
export interface EnvironmentMemory {
  /** The part that the environment sees of any snapshot of its index. */
  readonly visiblePart: (snapshot: Snapshot) => Snapshot;
  readonly placementMemory: PlacementMemory;
  /** For reading what policies will be asked, between whose steps others may place. */
  readonly readingMemory: PlacementMemory;
}

/** An environment in one state of the workspace. */
export interface EnvironmentState extends SharedIndex, EnvironmentMemory {
  readonly environment: Environment;
  /** The part of the index that the environment sees. */
  readonly snapshot: Snapshot;
  /** The file of its scheduler configuration; undefined: none is named, or it does not exist. */
  readonly schedulerConfig: ManifestFile | undefined;
  readonly baseline: ManifestFile | undefined;
  readonly pathKinds: PathKinds;
  /** The files as people write them, with sources instead of rendered documents; for navigation and renames. */
  readonly written: Snapshot;
  readonly renderings: Renderings;
  readonly problemCache: ProblemCache;
  /** The content of its external cluster source; undefined: the embedded cluster, or nodes of the workspace. */
  readonly cluster: ClusterIndex | undefined;
  /** The kinds that only this cluster defines; undefined if it adds none. `kube` includes them. */
  readonly clusterKinds: ClusterKinds | undefined;
}
