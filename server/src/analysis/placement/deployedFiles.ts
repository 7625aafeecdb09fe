import type { ManifestFile } from '../../manifest/manifest';
import { type FileRole, fileRolesOf } from '../../workspace/fileRoles';
import { isBelow } from '../../workspace/paths';
import { renderedUri } from '../../workspace/rendered/names';

/** Roles of files whose objects do not come to a cluster as they are written. */
const NOT_DEPLOYED: ReadonlySet<FileRole> = new Set(['source', 'patch', 'kustomization', 'settings', 'data']);

export interface DeployedFiles {
  /** The files of no chart that is rendered: templates need not be YAML. */
  readonly manifests: readonly ManifestFile[];
  /**
   * Those of them whose objects come to a cluster as they are written: no patches, generators, transformers and values, and no
   * sources of a kustomization that is rendered.
   */
  readonly deployed: readonly ManifestFile[];
}

/** What is rendered from kustomizations and charts takes the place of its sources, where it is among the files. */
export function deployedFiles(files: readonly ManifestFile[]): DeployedFiles {
  const roles = fileRolesOf(new Map(files.map(it => [it.uri, it])));
  const renderedCharts = [...roles.charts].filter(it => roles.rendered.has(renderedUri(it)));
  const isChartFile = ({ uri }: ManifestFile): boolean => renderedCharts.some(it => isBelow(uri, it));
  const manifests = files.filter(it => !isChartFile(it));
  return { manifests, deployed: manifests.filter(it => !NOT_DEPLOYED.has(roles.of(it))) };
}
