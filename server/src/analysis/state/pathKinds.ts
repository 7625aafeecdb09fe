import { KUSTOMIZATION_NAMES, type KustomizationGraph } from '../../workspace/kustomize';
import { resolveIn } from '../../workspace/paths';

/** What stands at a path. */
export interface FoundPlace {
  readonly uri: string;
  /** `kustomization`: a folder with a kustomization file that is not indexed. */
  readonly what: 'file' | 'folder' | 'kustomization' | 'nothing';
}

/** What somebody has found at paths that no manifest of the workspace has, by uri. */
export type Places = ReadonlyMap<string, FoundPlace['what']>;

/** Finds out what stands at some paths; those that nobody may look at are left out. */
export async function lookAtPlaces(
  uris: readonly string[],
  lookAt: (uri: string) => Promise<'file' | 'folder' | 'nothing' | undefined>,
): Promise<readonly FoundPlace[]> {
  const placeAt = async (uri: string): Promise<readonly FoundPlace[]> => {
    const what = await lookAt(uri);
    if (what !== 'folder') return what === undefined ? [] : [{ uri, what }];
    const inside = await Promise.all(KUSTOMIZATION_NAMES.map(it => lookAt(resolveIn(uri, it))));
    return [{ uri, what: inside.includes('file') ? 'kustomization' : 'folder' }];
  };
  return (await Promise.all(uris.map(placeAt))).flat();
}

export function placesAfter(places: Places, found: readonly FoundPlace[]): Places {
  if (found.every(it => places.get(it.uri) === it.what)) return places;
  return new Map([...places, ...found.map(it => [it.uri, it.what] as const)]);
}

/** Paths that kustomizations name and that lead to no manifest and to no kustomization, each once. */
export function wantedPlaces({ kustomizations, exists, inFolder }: KustomizationGraph): readonly string[] {
  const named = [...kustomizations.values()].flatMap(it => it.paths.flatMap(({ uri }) => uri ?? []));
  return [...new Set(named)].filter(it => !exists(it) && inFolder(it) === undefined);
}
