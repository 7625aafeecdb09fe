import { isKustomizationName, type Kustomization } from './kustomize';
import { folderOf, isBelow, relativePath } from './paths';
import { isRenderedUri } from './rendered/names';
import type { Snapshot } from './workspace';

/** How many levels up folders with kustomizations are searched for: `../../base` is common, more is not. */
const LEVELS_UP = 3;

/**
 * The paths that a kustomization may refer to, as they would be written: files below its folder, and folders with
 * kustomizations.
 */
export function nameablePaths({ uri: own, folder }: Kustomization, { files }: Snapshot): readonly string[] {
  return [...files.keys()].flatMap(uri => {
    if (uri === own || isRenderedUri(uri)) return [];
    if (!isKustomizationName(uri)) return isBelow(uri, folder) ? [relativePath(folder, uri)] : [];
    const path = relativePath(folder, folderOf(uri));
    return path === '' || path.startsWith('../'.repeat(LEVELS_UP + 1)) ? [] : [path];
  });
}
