import { KUSTOMIZATION_NAMES, type KustomizationGraph } from '../../workspace/kustomize';
import { resolveIn } from '../../workspace/paths';

/** What stands at a path. */
export interface PathKind {
  readonly uri: string;
  /** `kustomization`: a folder with a kustomization file that is not indexed. */
  readonly what: 'file' | 'folder' | 'kustomization' | 'nothing';
}

/** What somebody has found at paths that no manifest of the workspace has, by uri. */
export type PathKinds = ReadonlyMap<string, PathKind['what']>;

/** Finds out what stands at some paths; those that nobody may look at are left out. */
export async function findPathKinds(
  uris: readonly string[],
  lookAt: (uri: string) => Promise<'file' | 'folder' | 'nothing' | undefined>,
): Promise<readonly PathKind[]> {
  const placeAt = async (uri: string): Promise<readonly PathKind[]> => {
    const what = await lookAt(uri);
    if (what !== 'folder') return what === undefined ? [] : [{ uri, what }];
    const inside = await Promise.all(KUSTOMIZATION_NAMES.map(it => lookAt(resolveIn(uri, it))));
    return [{ uri, what: inside.includes('file') ? 'kustomization' : 'folder' }];
  };
  return (await Promise.all(uris.map(placeAt))).flat();
}

export function pathKindsAfter(places: PathKinds, found: readonly PathKind[]): PathKinds {
  if (found.every(it => places.get(it.uri) === it.what)) return places;
  return new Map([...places, ...found.map(it => [it.uri, it.what] as const)]);
}

/** Paths that kustomizations name and that lead to no manifest and to no kustomization, each once. */
export function wantedPaths({ kustomizations, exists, inFolder }: KustomizationGraph): readonly string[] {
  const named = [...kustomizations.values()].flatMap(it => it.paths.flatMap(({ uri }) => uri ?? []));
  return [...new Set(named)].filter(it => !exists(it) && inFolder(it) === undefined);
}
