import type { ClusterContent } from '../../cluster/sources/content';
import type { Rendering } from '../../workspace/rendered/render';
import type { Settings } from '../configuration/settings';
import type { PathKind } from './pathKinds';

/** A folder whose files do not see those of other folders. */
export interface WorkspaceFolder {
  /** '' holds whatever is in no other folder. */
  readonly uri: string;
  /** The file that configures it, to be given among the files; absent: a berth.yaml at its root, when there is one. */
  readonly configuration?: string;
  /** Of its environments only this one counts; absent: all. */
  readonly environment?: string;
}

/** A change of the world: files that are new or have new text, files that are gone, new settings, other folders. */
export interface WorkspaceChange {
  readonly files?: readonly { readonly uri: string; readonly text: string | undefined }[];
  readonly settings?: Settings;
  /** What goes above the settings and every configuration: the options of a command line. */
  readonly above?: (configured: Settings) => Settings;
  readonly folders?: readonly WorkspaceFolder[];
  /** What stands at `wantedPlaces`; it holds until it is told anew. */
  readonly places?: readonly PathKind[];
  /** What came of `renderJobs`; they hold until the next ones of the same source. */
  readonly rendered?: readonly Rendering[];
  /** Kustomizations and charts whose renderings count no more. */
  readonly unrendered?: readonly string[];
  /** What sources of clusters hold now, by the keys of `clusterWishes`; undefined: nobody asks any more. */
  readonly clusters?: readonly { readonly key: string; readonly content: ClusterContent | undefined }[];
}
