import { constants, type Stats } from 'node:fs';
import { lstat, open, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Larger files are not read; `syntax/too-large` of the manifest room speaks of those that an editor hands over. */
export const MAX_BYTES = 32 * 1024 * 1024;

/** Where a path may lead: below some folders, whose uris these are, or anywhere. */
export type Reach = 'anywhere' | readonly string[];

export type Read = { readonly text: string } | { readonly failure: string };

/** Links that lead to links are followed this often, as Linux does (MAXSYMLINKS). */
const MAX_LINKS = 40;

/** The path of a `file:` uri; undefined for another scheme, and for a host that this system cannot reach by a path. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/**
 * The text of a regular file within reach. Nothing outside of the reach is looked at, not even to follow a link, and
 * devices, pipes and sockets are not opened. Never rejects.
 */
export async function readWithin(path: string, reach: Reach): Promise<Read> {
  const found = await find(path, reach);
  if ('failure' in found) return { failure: found.failure };
  if (!found.stats.isFile()) return { failure: `${path} is no regular file` };
  return readRegular(found.path, path);
}

/** What stands at a path within reach; undefined where that may not be looked at. */
export async function lookWithin(path: string, reach: Reach): Promise<'file' | 'folder' | 'nothing' | undefined> {
  const found = await find(path, reach);
  if ('failure' in found) return found.isOutside ? undefined : 'nothing';
  return found.stats.isDirectory() ? 'folder' : 'file';
}

type Found =
  | { readonly path: string; readonly stats: Stats }
  | { readonly failure: string; readonly isOutside: boolean };

/** Follows links one step at a time, so that each target is judged before it is touched. */
async function find(path: string, reach: Reach): Promise<Found> {
  const outside = { failure: `${path} is outside of the folders that are open`, isOutside: true };
  const roots = reach === 'anywhere' ? [] : reach.flatMap(it => pathOf(it) ?? []);
  let target = resolve(path);
  try {
    for (let links = 0; links <= MAX_LINKS; links++) {
      const root = roots.find(it => isWithin(target, it));
      if (reach !== 'anywhere' && root === undefined) return outside;
      const link = await firstLink(target, root ?? dirname(target));
      if (link === undefined) return { path: target, stats: await lstat(target) };
      target = link;
    }
    return { failure: `the links of ${path} go in a circle`, isOutside: false };
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
    return { failure: isMissing ? `there is no file ${path}` : `${path} cannot be read`, isOutside: false };
  }
}

/** Where the first link below a root leads, with the rest of the path behind it; undefined where no step is a link. */
async function firstLink(path: string, root: string): Promise<string | undefined> {
  const steps = relative(root, path).split(sep).filter(Boolean);
  let at = root;
  for (const [index, step] of steps.entries()) {
    at = join(at, step);
    if (!(await lstat(at)).isSymbolicLink()) continue;
    return join(resolve(dirname(at), await readlink(at)), ...steps.slice(index + 1));
  }
  return undefined;
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Opens without following a link and without waiting for the other end of a pipe, as the file may have been swapped. */
async function readRegular(path: string, name: string): Promise<Read> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { failure: `${name} is no regular file` };
      if (stats.size > MAX_BYTES) return { failure: `${name} is too large` };
      return { text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch {
    return { failure: `${name} cannot be read` };
  }
}
