import type { ManifestFile } from '../manifest/manifest';
import type { FileRoles } from './fileRoles';
import type { FilesVersion } from './filesVersion';
import type { NamedBy } from './kustomize';
import type { WorkspaceObject } from './object';
import type { ReferenceIndex } from './references/index';

/** All files at one time. Immutable: a change creates a new snapshot that shares what has not changed. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, ManifestFile>;
  /** For `filesChangedBetween`. */
  version(): FilesVersion;
  /** The roles of files for Kustomize and Helm: objects in patches and settings are in no index. */
  readonly roles: FileRoles;
  /**
   * What refers to a file, or to the folder of a kustomization file, in the kustomizations that are seen. Where the files are
   * a guess and none of them does, in all others.
   */
  namersOf(uri: string): readonly NamedBy[];
  /** A file that one of these reads. */
  fileOfNamer(uri: string): ManifestFile | undefined;
  objectsIn(uri: string): readonly WorkspaceObject[];
  /** Objects of a group and kind, of any version; '' is the core group. */
  objectsOf(group: string, kind: string): readonly WorkspaceObject[];
  /**
   * Objects of files of any role of a group with a domain, such as `kyverno.io`; none of the core group, `apps` and `batch`, of which
   * there are too many.
   */
  objectsOfGroup(group: string): readonly WorkspaceObject[];
  /** The objects with a name; a namespaced kind needs a namespace. Several objects if one is defined more than once. */
  find(group: string, kind: string, namespace: string | undefined, name: string): readonly WorkspaceObject[];
  /**
   * Whether a missing object is certain not to exist (a snapshot, a live cluster, or the configuration declares the
   * sources complete): rules about missing objects then report errors, else information.
   */
  readonly complete: boolean;
  /** The namespace of objects without one; when absent, it is not known, and `default` is used. */
  readonly namespace?: string;
  /** The references among objects. */
  readonly references: ReferenceIndex;
}
