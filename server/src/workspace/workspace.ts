import type { ManifestFile } from '../manifest/manifest';
import type { FileRoles } from './fileRoles';
import type { WorkspaceObject } from './object';
import type { ReferenceIndex } from './references/index';

/** All files at one moment. Immutable: a change makes a new snapshot that shares what did not change. */
export interface Snapshot {
  readonly files: ReadonlyMap<string, ManifestFile>;
  /** What the files are to Kustomize and Helm: objects of patches and of settings are in no index. */
  readonly roles: FileRoles;
  objectsIn(uri: string): readonly WorkspaceObject[];
  /** Objects of a group and kind, whatever their version; '' is the core group. */
  objectsOf(group: string, kind: string): readonly WorkspaceObject[];
  /** A namespaced kind wants a namespace; every match, as one may be written twice. */
  find(group: string, kind: string, namespace: string | undefined, name: string): readonly WorkspaceObject[];
  /**
   * Whether "defined nowhere" is known (a snapshot, a live cluster, or configuration says that the sources are
   * complete): rules of absence report errors then, else information.
   */
  readonly complete: boolean;
  /** Where objects without a namespace are sent; absent: nobody says, and `default` stands for it. */
  readonly namespace?: string;
  /** Who names what. */
  readonly references: ReferenceIndex;
}
