import { posix } from 'node:path';
import type { CliWorld } from '../world';
import { STANDARD_INPUT } from './collect';

/**
 * How many YAML files lie in the folders of the files that are named and were not read. A folder that is named is read
 * whole.
 */
export async function filesBeside(
  paths: readonly string[],
  read: ReadonlySet<string>,
  world: Pick<CliWorld, 'entry' | 'list' | 'absolute'>,
): Promise<number> {
  const known = new Set([...read].map(it => world.absolute(it)));
  const folders = new Set<string>();
  for (const path of paths) {
    if (path !== STANDARD_INPUT && (await world.entry(path, 'anywhere')).kind === 'file')
      folders.add(posix.dirname(path));
  }
  let count = 0;
  for (const folder of folders) {
    const listed = await world.list(folder);
    if ('failure' in listed) continue;
    const beside = listed.value.filter(it => it.kind === 'file' && /\.ya?ml$/.test(it.name));
    count += beside.filter(it => !known.has(world.absolute(posix.join(folder, it.name)))).length;
  }
  return count;
}
