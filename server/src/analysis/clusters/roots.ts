import { keyListOf } from '../../base/layeredMap';
import { lazyByObject } from '../../base/lazy';
import { grouped } from '../../base/multiMap';
import { folderOf, isBelow } from '../../workspace/paths';
import type { Snapshot } from '../../workspace/workspace';

/** The division of files into clusters, each of which has a root. */
export interface ClusterRoots {
  /** The root of the nodes for a file's Pods, if there were Nodes among the files. */
  nodesOf(uri: string): string;
  /** The roots of nodes. */
  readonly withNodes: ReadonlySet<string>;
  /** The root of the cluster in which a file is placed. */
  of(uri: string): string;
  /** Uris, sorted. */
  filesOf(root: string): readonly string[];
}

/** The root of a cluster of all files. */
const WHOLE = '';

/** All files are one cluster. */
export function wholeRoots(snapshot: Snapshot): ClusterRoots {
  const nodes = snapshot.objectsOf('', 'Node').length;
  return {
    nodesOf: () => WHOLE,
    withNodes: new Set(nodes > 0 ? [WHOLE] : []),
    of: () => WHOLE,
    filesOf: () => sorted(keyListOf(snapshot.files)),
  };
}

const sorted = lazyByObject((uris: readonly string[]) => uris.toSorted());

const byFolder = lazyByObject((uris: readonly string[]) => grouped(uris, folderOf));

/**
 * If one folder alone holds Nodes, these serve all files. With several, the files below each of them are one cluster, and
 * each other folder is a cluster of its own. Where nodes are `elsewhere` than in the files, each folder is a cluster.
 */
export function folderRoots(snapshot: Snapshot, nodes: 'here' | 'elsewhere'): ClusterRoots {
  const { sources } = snapshot.roles;
  /** What is rendered belongs to the folder of its kustomization or chart. */
  const written = (uri: string): string => sources.get(uri) ?? uri;
  const roots = new Set(snapshot.objectsOf('', 'Node').map(it => folderOf(written(it.manifest.uri))));
  if (nodes === 'here' && roots.size === 1) return wholeRoots(snapshot);
  const nearest = (uri: string): string => nearestOf(written(uri), roots);
  const rootOf = nodes === 'here' ? nearest : (uri: string) => folderOf(written(uri));
  /** The files of a folder, with what is rendered from a kustomization or chart in it. */
  const inFolder = (folder: string): readonly string[] => [
    ...(byFolder(keyListOf(snapshot.files)).get(folder) ?? []).filter(it => !sources.has(it)),
    ...[...sources].flatMap(([uri, source]) => (folderOf(source) === folder && snapshot.files.has(uri) ? [uri] : [])),
  ];
  const servedBy = (root: string): readonly string[] =>
    keyListOf(snapshot.files).filter(it => isBelow(written(it), root) && nearest(it) === root);
  return {
    nodesOf: nearest,
    withNodes: roots,
    of: rootOf,
    filesOf: root => [...(nodes === 'here' && roots.has(root) ? servedBy(root) : inFolder(root))].sort(),
  };
}

/** The nearest folder with nodes above a file, or its own folder. */
function nearestOf(uri: string, roots: ReadonlySet<string>): string {
  for (let folder = folderOf(uri); ; folder = folderOf(folder)) {
    if (roots.has(folder)) return folder;
    if (folder === folderOf(folder)) return folderOf(uri);
  }
}
