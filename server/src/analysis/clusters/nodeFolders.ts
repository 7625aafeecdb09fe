import { folderOf, isBelow } from '../../workspace/paths';
import type { Snapshot } from '../../workspace/workspace';

/** A folder whose Nodes could serve more than the folder itself. */
export interface NodeFolder {
  /** The uri of the folder. */
  readonly uri: string;
  readonly nodes: number;
  /** Uris of folders and files that no Nodes serve yet; with `uri` they would be one environment. */
  readonly serves: readonly string[];
}

/**
 * Folders with Nodes, where there are several, so that the Pods of other folders have no nodes. Those of a single one serve
 * all files (`folderRoots`).
 * @param root the uri of the folder of the workspace, below which files are looked at
 */
export function nodeFolders(snapshot: Snapshot, root: string): readonly NodeFolder[] {
  const counts = new Map<string, number>();
  for (const { manifest } of snapshot.objectsOf('', 'Node')) {
    const folder = folderOf(manifest.uri);
    if (isBelow(folder, root)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  if (counts.size < 2) return [];
  const topOf = (uri: string): string => {
    const rest = uri.slice(root.length + 1);
    return rest.includes('/') ? `${root}/${rest.slice(0, rest.indexOf('/'))}` : uri;
  };
  const hasNodes = (uri: string): boolean => [...counts.keys()].some(it => it === uri || isBelow(it, uri));
  const tops = [...snapshot.files.keys()].filter(it => isBelow(it, root)).map(topOf);
  const serves = [...new Set(tops)].filter(it => !hasNodes(it)).sort();
  if (serves.length === 0) return [];
  return [...counts].sort().map(([uri, nodes]) => ({ uri, nodes, serves }));
}
