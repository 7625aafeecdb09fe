import type { ManifestFile } from '../../manifest/manifest';
import { fileRolesOf, isInRenderedChart } from '../../workspace/fileRoles';

export interface DeployedFiles {
  /** The files of no chart that is rendered: templates need not be YAML. */
  readonly manifests: readonly ManifestFile[];
  /** Those of them whose objects come to a cluster as they are written. */
  readonly deployed: readonly ManifestFile[];
}

/** What is rendered from kustomizations and charts takes the place of its sources, where it is among the files. */
export function deployedFiles(files: readonly ManifestFile[]): DeployedFiles {
  const roles = fileRolesOf(new Map(files.map(it => [it.uri, it])));
  const manifests = files.filter(it => !isInRenderedChart(it.uri, roles));
  return { manifests, deployed: manifests.filter(roles.isDeployed) };
}
