import type { WorkspaceObject } from '../../workspace/object';
import type { DeployedPlacement, Placements } from './placements';

/** An object whose Pods are placed, and the environment in which they are. */
export interface PlacedInEnvironment<T> {
  readonly environment: T;
  readonly placed: DeployedPlacement;
}

/**
 * Where the Pods of a written object are placed: in the first environment where it is deployed as it is written, else once for
 * each overlay of any environment that renders it, by the names of the overlays.
 */
export function placedIn<T extends { readonly placements: Placements }>(
  environments: readonly T[],
  object: WorkspaceObject,
): readonly PlacedInEnvironment<T>[] {
  const found = new Map<object, PlacedInEnvironment<T>>();
  for (const environment of environments) {
    for (const placed of environment.placements.ofObject(object)) {
      const key = placed.object.manifest;
      if (!found.has(key)) found.set(key, { environment, placed });
    }
  }
  const nameOf = ({ placed }: PlacedInEnvironment<T>): string => placed.overlay ?? '';
  return [...found.values()].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}
