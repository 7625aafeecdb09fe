import type { Dirent } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type IgnoreLevel, type IgnoreWorld, isIgnored, levelOf, levelsAbove } from '../analysis/known';

const NEVER_ENTERED = new Set(['node_modules', '.git', '.hg', '.svn', '.terraform', 'vendor', 'dist', 'out']);
const WANTED = /\.(ya?ml|json|rego)$|(?:^|[\\/])(?:Kustomization|conftest\.toml)$/i;

const disk: IgnoreWorld = {
  exists: path =>
    access(path).then(
      () => true,
      () => false,
    ),
  readText: path => readFile(path, 'utf8').catch(() => undefined),
};

/**
 * Paths of all *.yaml, *.yml, *.json, *.rego and conftest.toml below a folder, a chunk for each folder; what ignore files leave out is
 * passed by, and links are not followed.
 */
export async function* findManifests(folder: string): AsyncIterable<readonly string[]> {
  yield* manifestsIn(folder, await levelsAbove(forward(folder), disk));
}

async function* manifestsIn(folder: string, above: readonly IgnoreLevel[]): AsyncIterable<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch {
    // A folder that can't be read holds nothing for us; the others go on.
    return;
  }
  const names = entries.map(it => it.name);
  const levels = [...above, ...(await levelOf(forward(folder), disk, names))];
  const isSeen = (name: string, kind: 'file' | 'folder'): boolean =>
    !isIgnored(forward(join(folder, name)), kind, levels);
  const files = entries.filter(it => it.isFile() && WANTED.test(it.name) && isSeen(it.name, 'file'));
  if (files.length > 0) yield files.map(it => join(folder, it.name));
  for (const { name } of entries.filter(it => it.isDirectory() && !NEVER_ENTERED.has(it.name))) {
    if (isSeen(name, 'folder')) yield* manifestsIn(join(folder, name), levels);
  }
}

/**
 * Whether `findManifests` on some folders would pass a file by. Ignore files are read once for all questions: ask anew
 * for the next round.
 */
export function passedBy(folders: readonly string[]): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<readonly IgnoreLevel[] | undefined>>();
  const levelsIn = (folder: string): Promise<readonly IgnoreLevel[] | undefined> => {
    const found = known.get(folder) ?? readLevels(folder);
    known.set(folder, found);
    return found;
  };
  /** undefined for a folder that is not entered, or lies in none of those that are asked for. */
  const readLevels = async (folder: string): Promise<readonly IgnoreLevel[] | undefined> => {
    const own = await levelOf(forward(folder), disk);
    if (folders.includes(folder)) return [...(await levelsAbove(forward(folder), disk)), ...own];
    const parent = dirname(folder);
    const above = parent === folder ? undefined : await levelsIn(parent);
    const isEntered = above && !NEVER_ENTERED.has(baseName(folder)) && !isIgnored(forward(folder), 'folder', above);
    return isEntered ? [...above, ...own] : undefined;
  };
  return async path => {
    const levels = await levelsIn(dirname(path));
    return levels === undefined || isIgnored(forward(path), 'file', levels);
  };
}

const forward = (path: string): string => path.replaceAll('\\', '/');

const baseName = (path: string): string => forward(path).slice(forward(path).lastIndexOf('/') + 1);
