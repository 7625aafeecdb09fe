import { posix } from 'node:path';
import type { Bounds } from '../../disk/within';
import { complain } from '../complain';
import type { Borders, CliWorld, OuterWorld, Skipped } from '../world';

/** How far what the arguments of a command line name may lead; of a file, what lies beside it. */
export async function boundsOfArguments(paths: readonly string[], world: CliWorld): Promise<Bounds> {
  const folderOf = async (path: string): Promise<string> =>
    path === '-' || (await world.entry(path, 'anywhere')).kind === 'folder'
      ? path.replace(/^-$/, '.')
      : posix.dirname(path);
  return joinedBounds(await Promise.all(paths.map(async it => world.borders.around(await folderOf(it)))));
}

/** What was skipped, for JSON; nothing where nothing was. */
export function skippedIn({ borders }: { readonly borders: Borders }): { readonly skipped?: readonly Skipped[] } {
  const skipped = borders.skipped();
  return skipped.length === 0 ? {} : { skipped };
}

/** Bounds that each of some allow. */
export function joinedBounds(all: readonly Bounds[]): Bounds {
  return all.includes('anywhere') ? 'anywhere' : [...new Set(all.flat())];
}

/** What lifts the borders. */
export const ALLOW_OUTSIDE = '--allow-outside';

/** What lets programs of the kubeconfig be run for a cluster that a file of the workspace names. */
export const ALLOW_EXEC = '--allow-exec';

/** Why a path that a file names is not read, as a clause. */
export const OUTSIDE = `it lies outside of the repository, or of the folder where there is none, and ${ALLOW_OUTSIDE} was not given`;

const REASON = `is a link that leads out of the folder and of its repository, and is skipped; ${ALLOW_OUTSIDE} follows it`;

export function createBorders(world: OuterWorld, outside: 'allowed' | 'refused'): Borders {
  const skipped = new Map<string, Skipped>();
  const known = new Map<string, Promise<Bounds>>();
  const tops = new Map<string, Promise<string | undefined>>();

  /** Many arguments lie in few folders. */
  function topOf(folder: string): Promise<string | undefined> {
    const found = tops.get(folder) ?? topFrom(folder, world);
    tops.set(folder, found);
    return found;
  }

  async function boundsOf(folder: string): Promise<Bounds> {
    const real = await world.real(folder);
    return [...new Set([world.absolute(folder), (await topOf(real)) ?? real])];
  }

  function boundsIn(folder: string): Promise<Bounds> {
    if (outside === 'allowed') return Promise.resolve('anywhere');
    const found = known.get(folder) ?? boundsOf(folder);
    known.set(folder, found);
    return found;
  }

  /** Up to where a file that is called a configuration or a test may look. */
  async function topAround(folder: string): Promise<string> {
    const [start, present] = [world.absolute(folder), world.absolute('.')];
    const top = await topOf(start);
    return top ?? (isIn(start, present) && !isIn(world.home, present) ? present : start);
  }

  return {
    async named(path) {
      const top = outside === 'allowed' ? undefined : await topOf(posix.dirname(world.absolute(path)));
      return top === undefined ? 'anywhere' : [top];
    },
    of: boundsIn,
    async around(folder) {
      if (outside === 'allowed') return 'anywhere';
      return joinedBounds([await boundsIn(folder), [await topAround(folder)]]);
    },
    async searched(folder) {
      return outside === 'allowed' ? '/' : topAround(folder);
    },
    skip(path) {
      const key = world.absolute(path);
      if (skipped.has(key)) return;
      skipped.set(key, { path, reason: REASON });
      complain(world, `${path} ${REASON}.`);
    },
    skipped: () => [...skipped.values()],
  };
}

/** The top of the repository that a folder is in. One that holds the user's own folder is no border: dotfiles may be such. */
async function topFrom(folder: string, world: OuterWorld): Promise<string | undefined> {
  let at = folder;
  while (!isIn(world.home, at)) {
    if ((await world.entry(posix.join(at, '.git'), 'anywhere')).kind !== 'missing') return at;
    const parent = posix.dirname(at);
    // Above the letter of a disk there is nothing.
    if (parent === at || parent === '.') return undefined;
    at = parent;
  }
  return undefined;
}

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
