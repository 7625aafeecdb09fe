import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Where a path may lead: below some folders, given by path, or anywhere. */
export type Bounds = 'anywhere' | readonly string[];

/** Larger files are not read; `syntax/too-large` of the manifest room reports those that an editor passes in. */
export const MAX_BYTES = 32 * 1024 * 1024;

/** Why nothing is returned for a path. `failure`: Node's error. */
export type Trouble =
  | { readonly trouble: 'outside' | 'circle' | 'irregular' | 'large' }
  | { readonly trouble: 'failure'; readonly error: NodeJS.ErrnoException };

export type FoundPath = { readonly path: string; readonly stats: Stats } | Trouble;

/** How many links to links are followed, as in Linux (MAXSYMLINKS). */
const MAX_LINKS = 40;

/**
 * What exists at a path, with the path that has no link below the folders. Follows links one step at a time and checks
 * each target before it is accessed: nothing out of bounds is accessed, not even to follow a link. Never throws.
 */
export function findWithin(path: string, bounds: Bounds): FoundPath {
  let target = resolve(path);
  let roots = bounds === 'anywhere' ? [] : bounds;
  try {
    for (let links = 0; links <= MAX_LINKS; links++) {
      const root = roots.find(it => isWithin(target, it));
      if (bounds !== 'anywhere' && (root === undefined || holdsGit(relative(root, target))))
        return { trouble: 'outside' };
      const { stats, link } = lookAlong(target, root ?? dirname(target));
      if (stats === undefined)
        return { trouble: 'failure', error: { name: 'Error', message: 'ENOENT', code: 'ENOENT' } };
      if (link === undefined) return { path: target, stats };
      // The targets of links are real paths.
      if (links === 0 && bounds !== 'anywhere') roots = [...bounds, ...bounds.map(realPath)];
      target = link;
    }
    return { trouble: 'circle' };
  } catch (error) {
    return { trouble: 'failure', error: error as NodeJS.ErrnoException };
  }
}

/** The path without links; the path itself if nothing exists there. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}

/** The bytes of a regular file within bounds; devices, pipes and sockets are not opened. Never throws. */
export function readWithin(path: string, bounds: Bounds, most = MAX_BYTES): { readonly bytes: Buffer } | Trouble {
  const found = findWithin(path, bounds);
  if ('trouble' in found) return found;
  return found.stats.isFile() ? readRegular(found.path, NO_LINK, most) : { trouble: 'irregular' };
}

/** The bytes of a known regular file, or of a link to one, anywhere. Never throws. */
export function readKnown(path: string, most = MAX_BYTES): { readonly bytes: Buffer } | Trouble {
  return readRegular(path, NO_WAIT, most);
}

/**
 * Without waiting for the other end of a pipe, and without following a link, since a file may be replaced after it was
 * found.
 */
const NO_WAIT = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
export const NO_LINK = NO_WAIT | (constants.O_NOFOLLOW ?? 0);

function readRegular(path: string, flags: number, most: number): { readonly bytes: Buffer } | Trouble {
  try {
    const file = openSync(path, flags);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) return { trouble: 'irregular' };
      return stats.size > most ? { trouble: 'large' } : { bytes: readFileSync(file) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return { trouble: 'failure', error: error as NodeJS.ErrnoException };
  }
}

/**
 * The last step that was checked on the way from a root to a path below it; for a link, its target with the rest of the
 * path. No `stats`: nothing exists. A kustomization may refer to very many such files, and an exception costs more than
 * the check.
 */
function lookAlong(path: string, root: string): { readonly stats?: Stats | undefined; readonly link?: string } {
  const steps = relative(root, path).split(sep).filter(Boolean);
  if (steps.length === 0) return { stats: lstatSync(path, { throwIfNoEntry: false }) };
  let at = root;
  let stats: Stats | undefined;
  for (const [index, step] of steps.entries()) {
    const folder = at;
    at = join(at, step);
    stats = lstatSync(at, { throwIfNoEntry: false });
    const isWay = index === steps.length - 1 || stats?.isDirectory() || stats?.isSymbolicLink();
    if (stats === undefined || !isWay) return {};
    if (!stats.isSymbolicLink()) continue;
    const real = join(realPath(root), relative(root, folder));
    return { stats, link: join(resolve(real, readlinkSync(at)), ...steps.slice(index + 1)) };
  }
  return { stats };
}

/** Git keeps credentials in its own folder (.git/config), and a link inside a repository may lead there. */
const holdsGit = (way: string): boolean => way.split(sep).some(it => /^(?:\.git|git~1)$/i.test(it));

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
