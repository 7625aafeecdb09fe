import type { ClusterContent } from '../../cluster/sources/content';
import type { ManifestFile } from '../../manifest/manifest';
import type { Rendering } from '../../workspace/rendered/render';
import type { Settings } from '../configuration/settings';
import type { PathKind } from './pathKinds';

/** A folder. Its files do not see files of other folders. */
export interface WorkspaceFolder {
  /** '': holds all files that are in no other folder. */
  readonly uri: string;
  /** The uri of its configuration, which must be among the files; absent: a berth.yaml at its root, if there is one. */
  readonly configuration?: string;
  /** The only environment to use; absent: all. */
  readonly environment?: string;
}

/** A new or changed file; text undefined: the file was removed. */
export interface ChangedFile {
  readonly uri: string;
  readonly text: string | undefined;
  /** Of its text, by `AnalysisHost.parsed`; absent: the text is parsed when the change is applied. */
  readonly parsed?: ManifestFile;
}

/** A change of the inputs of the workspace. What is absent stays as it is. */
export interface WorkspaceChange {
  readonly files?: readonly ChangedFile[];
  readonly settings?: Settings;
  /** Overrides on top of the settings and every configuration: the options of a command line. */
  readonly above?: (configured: Settings) => Settings;
  readonly folders?: readonly WorkspaceFolder[];
  /** What is on disk at `wantedPaths`; valid until the next change of the same path. */
  readonly pathKinds?: readonly PathKind[];
  /** Results of `renderJobs`; valid until the next result of the same source. */
  readonly rendered?: readonly Rendering[];
  /** Kustomizations and charts whose renderings are dropped. */
  readonly unrendered?: readonly string[];
  /** Contents of cluster sources, by the key of their `clusterRequests`; undefined: no longer requested. */
  readonly clusters?: readonly { readonly key: string; readonly content: ClusterContent | undefined }[];
}
