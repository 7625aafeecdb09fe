import { isKnownPath, KUSTOMIZATION_NAMES, type KustomizationGraph } from '../../workspace/kustomize';
import { resolverIn } from '../../workspace/paths';

/** What is on disk at a path. */
export interface PathKind {
  readonly uri: string;
  /** `kustomization`: a folder with a kustomization file that is not indexed. */
  readonly what: 'file' | 'folder' | 'kustomization' | 'nothing';
}

/** What is on disk at paths where the workspace has no manifest, by uri. */
export type PathKinds = ReadonlyMap<string, PathKind['what']>;

/** What is on disk at some paths. Paths that may not be read are left out. */
export async function findPathKinds(
  uris: readonly string[],
  pathKind: (uri: string) => Promise<'file' | 'folder' | 'nothing' | undefined>,
): Promise<readonly PathKind[]> {
  const kindAt = async (uri: string): Promise<readonly PathKind[]> => {
    const what = await pathKind(uri);
    if (what !== 'folder') return what === undefined ? [] : [{ uri, what }];
    const inFolder = resolverIn(uri);
    const inside = await Promise.all(KUSTOMIZATION_NAMES.map(it => pathKind(inFolder(it))));
    return [{ uri, what: inside.includes('file') ? 'kustomization' : 'folder' }];
  };
  return (await Promise.all(uris.map(kindAt))).flat();
}

/** A file may have come while its path was looked at: what was found there is outdated already. */
export function pathKindsAfter(before: PathKinds, found: readonly PathKind[], graph: KustomizationGraph): PathKinds {
  if (found.every(it => before.get(it.uri) === it.what)) return before;
  return withoutKnownPaths(new Map([...before, ...found.map(it => [it.uri, it.what] as const)]), graph);
}

/** Without the paths at which the workspace has a manifest or a kustomization now: what was found there is outdated. */
export function withoutKnownPaths(before: PathKinds, graph: KustomizationGraph): PathKinds {
  const left = [...before].filter(([uri]) => !isKnownPath(graph, uri));
  return left.length === before.size ? before : new Map(left);
}

/** Distinct paths in kustomizations that lead to no known manifest and no known kustomization. */
export function wantedPaths(graph: KustomizationGraph): readonly string[] {
  const named = [...graph.kustomizations.values()].flatMap(it => it.paths.flatMap(({ uri }) => uri ?? []));
  return [...new Set(named)].filter(it => !isKnownPath(graph, it));
}
