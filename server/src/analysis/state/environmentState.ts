import type { KnownCluster } from '../../cluster/sources/known';
import type { ManifestFile } from '../../manifest/manifest';
import type { Snapshot } from '../../workspace/workspace';
import type { Environment } from './environments';
import type { PathKinds } from './pathKinds';
import type { PlacementMemory } from './placementMemory';
import type { ProblemCache } from './problemCache';
import type { Renderings } from './renderings';
import type { SharedIndex } from './sharedIndex';

/** One environment at one moment. */
export interface EnvironmentState extends SharedIndex {
  readonly environment: Environment;
  /** What it sees of the ground's files. */
  readonly snapshot: Snapshot;
  /** What it sees of any snapshot of its ground. */
  readonly view: (ground: Snapshot) => Snapshot;
  /** The file of its scheduler configuration, where it names one that is there. */
  readonly schedulerConfig: ManifestFile | undefined;
  readonly baseline: ManifestFile | undefined;
  readonly placed: PlacementMemory;
  readonly places: PathKinds;
  /** The same without what is rendered, and with what it is rendered from: where names are followed and changed. */
  readonly written: Snapshot;
  readonly renderings: Renderings;
  readonly memory: ProblemCache;
  /** What its source holds, where that is neither the embedded cluster nor the workspace. */
  readonly cluster: KnownCluster | undefined;
}
