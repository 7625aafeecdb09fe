import type { ManifestObject } from '../manifest/manifest';

/** An object of the workspace with its identity. */
export interface WorkspaceObject {
  readonly manifest: ManifestObject;
  readonly apiVersion: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** As written, or the environment's default for a namespaced kind; undefined for a cluster-scoped one. */
  readonly namespace?: string;
  readonly name?: string;
}
