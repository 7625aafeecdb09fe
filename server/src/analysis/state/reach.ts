import type { Environments } from './environments';
import type { SharedIndex } from './sharedIndex';

/** In so many environments a file is checked however much there is. */
export const FEWEST_ENVIRONMENTS = 10;

/** Objects of files in more environments than `FEWEST_ENVIRONMENTS`, by the number of these environments. */
export type Reach = ReadonlyMap<number, number>;

interface Indexed {
  readonly environments: Environments;
  readonly indexes: ReadonlyMap<string, SharedIndex>;
}

/** The reach of some files of a workspace. */
export function reachOf(uris: Iterable<string>, workspace: Indexed): Reach {
  const reach = new Map<number, number>();
  for (const uri of uris) add(reach, uri, workspace, 1);
  return reach;
}

/** The reach after a change of some files that leaves the environments as they are. */
export function reachAfter(
  before: Indexed & { readonly reach: Reach },
  indexes: Indexed['indexes'],
  uris: readonly string[],
): Reach {
  const reach = new Map(before.reach);
  for (const uri of new Set(uris)) {
    add(reach, uri, before, -1);
    add(reach, uri, { environments: before.environments, indexes }, 1);
  }
  return reach;
}

function add(reach: Map<number, number>, uri: string, { environments, indexes }: Indexed, sign: 1 | -1): void {
  const own = environments.of(uri);
  const [first] = own;
  if (first === undefined || own.length <= FEWEST_ENVIRONMENTS) return;
  const objects = indexes.get(first.index)?.snapshot.objectsIn(uri).length ?? 0;
  reach.set(own.length, (reach.get(own.length) ?? 0) + sign * objects);
}

/**
 * In how many environments each file is checked, and how many checks of one object that may be over all files. These are
 * few steps, as all files may have other problems once an edit leads to another one.
 */
const LIMITS = [
  { environments: Number.POSITIVE_INFINITY, most: 50_000 },
  { environments: 500, most: 50_000 },
  { environments: 200, most: 50_000 },
  { environments: 100, most: 200_000 },
  { environments: 50, most: 200_000 },
  { environments: 20, most: 200_000 },
];

/**
 * In how many of its environments each file is checked: a repository chooses the objects and the environments, and their
 * product is what a check costs. It follows from numbers of the whole workspace, so that neither the order of files nor
 * that of edits matters.
 */
export function environmentsAllowed(reach: Reach): number {
  const checksIn = (most: number): number =>
    [...reach].reduce((sum, [environments, objects]) => sum + objects * Math.min(environments, most), 0);
  return LIMITS.find(it => checksIn(it.environments) <= it.most)?.environments ?? FEWEST_ENVIRONMENTS;
}
