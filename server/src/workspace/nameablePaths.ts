import { keysFrom } from '../base/layeredMap';
import { isKustomizationName, type Kustomization } from './kustomize';
import { folderOf, isBelow, relativePath, startIn } from './paths';
import { isRenderedUri } from './rendered/names';
import type { Snapshot } from './workspace';

/** How many levels up folders with kustomizations are searched for: `../../base` is common, more is not. */
const LEVELS_UP = 3;

/**
 * The paths that a kustomization may refer to, as they would be written: files below its folder, and folders with
 * kustomizations.
 */
export function nameablePaths({ uri: own, folder }: Kustomization, { files, roles }: Snapshot): readonly string[] {
  const isNameable = (uri: string): boolean =>
    uri !== own && isBelow(uri, folder) && !isRenderedUri(uri) && !isKustomizationName(uri);
  const below = keysFrom(files, startIn(folder)).filter(isNameable);
  const folders = [...roles.kustomizations.kustomizations.keys()].flatMap(uri => {
    const path = relativePath(folder, folderOf(uri));
    const isFar = path === '' || path.startsWith('../'.repeat(LEVELS_UP + 1));
    return isFar || !files.has(uri) ? [] : [path];
  });
  return [...below.map(it => relativePath(folder, it)), ...folders];
}
