import { type Dirent, promises } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type IgnoreLevel,
  type IgnoreWorld,
  isEntered,
  isFileRead,
  isIgnored,
  levelOf,
  levelsAbove,
} from '../analysis/metadata';
import { type FileReach, readWithin } from './disk';
import type { IgnoreScope } from './indexing';

const ignoreWorld = (reach: FileReach): IgnoreWorld => ({
  exists: path =>
    promises.lstat(path).then(
      () => true,
      () => false,
    ),
  async readText(path) {
    const read = await readWithin(path, reach);
    return 'text' in read ? read.text : undefined;
  },
});

/** Ignore files above a folder; none where only the folder itself may be read. */
async function ignoredAbove(folder: string, scope: IgnoreScope): Promise<readonly IgnoreLevel[]> {
  return scope === 'folders' ? [] : levelsAbove(forward(folder), ignoreWorld('anywhere'));
}

/**
 * Paths of all *.yaml, *.yml, *.json, *.rego and conftest.toml below a folder, one chunk per folder. Ignored files are left
 * out, and links are not followed.
 */
export async function* findManifests(folder: string, scope: IgnoreScope): AsyncIterable<readonly string[]> {
  yield* manifestsIn(folder, await ignoredAbove(folder, scope), ignoreWorld([pathToFileURL(folder).href]));
}

async function* manifestsIn(
  folder: string,
  above: readonly IgnoreLevel[],
  disk: IgnoreWorld,
): AsyncIterable<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await promises.readdir(folder, { withFileTypes: true });
  } catch {
    // An unreadable folder counts as empty.
    return;
  }
  const names = entries.map(it => it.name);
  const levels = [...above, ...(await levelOf(forward(folder), disk, names))];
  const isSeen = (name: string, kind: 'file' | 'folder'): boolean =>
    !isIgnored(forward(join(folder, name)), kind, levels);
  const files = entries.filter(it => it.isFile() && isFileRead(it.name) && isSeen(it.name, 'file'));
  if (files.length > 0) yield files.map(it => join(folder, it.name));
  for (const { name } of entries.filter(it => it.isDirectory())) {
    const inner = join(folder, name);
    if (isSeen(name, 'folder') && (await isEntered(forward(inner), disk))) yield* manifestsIn(inner, levels, disk);
  }
}

/**
 * Whether `findManifests` on some folders leaves out a file. Ignore files are read once per returned function, so that a new
 * one is needed after they changed.
 */
export function excludedFrom(folders: readonly string[], scope: IgnoreScope): (path: string) => Promise<boolean> {
  const disk = ignoreWorld(folders.map(it => pathToFileURL(it).href));
  const known = new Map<string, Promise<readonly IgnoreLevel[] | undefined>>();
  const levelsIn = (folder: string): Promise<readonly IgnoreLevel[] | undefined> => {
    const found = known.get(folder) ?? readLevels(folder);
    known.set(folder, found);
    return found;
  };
  /** undefined for a folder that is not entered, or that is in none of the given folders. */
  const readLevels = async (folder: string): Promise<readonly IgnoreLevel[] | undefined> => {
    if (!folders.some(it => folder === it || folder.startsWith(`${it}${sep}`))) return undefined;
    const own = await levelOf(forward(folder), disk);
    if (folders.includes(folder)) return [...(await ignoredAbove(folder, scope)), ...own];
    const parent = dirname(folder);
    const above = parent === folder ? undefined : await levelsIn(parent);
    if (above === undefined || isIgnored(forward(folder), 'folder', above)) return undefined;
    // Nothing is asked of what is behind a link, which may be outside.
    const isSeen = !(await isLink(folder)) && (await isEntered(forward(folder), disk));
    return isSeen ? [...above, ...own] : undefined;
  };
  return async path => {
    const levels = await levelsIn(dirname(path));
    return levels === undefined || isIgnored(forward(path), 'file', levels) || isLink(path);
  };
}

const isLink = (path: string): Promise<boolean> =>
  promises.lstat(path).then(
    it => it.isSymbolicLink(),
    () => false,
  );

const forward = (path: string): string => path.replaceAll('\\', '/');
