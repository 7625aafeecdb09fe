import type { KustomizationGraph } from '../workspace/kustomize';

/** What stands at a path. */
export interface FoundPlace {
  readonly uri: string;
  readonly what: 'file' | 'folder' | 'nothing';
}

/** What somebody has found at paths that no manifest of the workspace has, by uri. */
export type Places = ReadonlyMap<string, FoundPlace['what']>;

export function placesAfter(places: Places, found: readonly FoundPlace[]): Places {
  if (found.every(it => places.get(it.uri) === it.what)) return places;
  return new Map([...places, ...found.map(it => [it.uri, it.what] as const)]);
}

/** Paths that kustomizations name and that lead to no manifest and to no kustomization, each once. */
export function wantedPlaces({ kustomizations, exists, inFolder }: KustomizationGraph): readonly string[] {
  const named = [...kustomizations.values()].flatMap(it => it.paths.flatMap(({ uri }) => uri ?? []));
  return [...new Set(named)].filter(it => !exists(it) && inFolder(it) === undefined);
}
