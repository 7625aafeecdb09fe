import type { ManifestFile } from '../manifest/manifest';
import type { FileRole } from './fileRoles';
import type { WorkspaceObject } from './object';
import type { FileReferences } from './references/index';

export interface FileEntry {
  readonly file: ManifestFile;
  readonly role: FileRole;
  readonly objects: readonly WorkspaceObject[];
  /** The objects by `contentId`. */
  readonly byContent: () => ReadonlyMap<object, WorkspaceObject>;
  readonly parts: Parts;
}

/** The entries of some objects for each index, by key. */
export interface Parts extends FileReferences {
  readonly kinds: () => ReadonlyMap<string, readonly WorkspaceObject[]>;
  readonly names: () => ReadonlyMap<string, readonly WorkspaceObject[]>;
  /** By group, of those groups that have a domain. */
  readonly groups: () => ReadonlyMap<string, readonly WorkspaceObject[]>;
}
