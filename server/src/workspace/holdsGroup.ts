import type { Snapshot } from './workspace';

/** Whether a file of any role contains an object of some API groups. Builds no list. */
export function holdsGroup({ files, objectsIn }: Snapshot, groups: ReadonlySet<string>): boolean {
  for (const uri of files.keys()) {
    for (const { group } of objectsIn(uri)) if (groups.has(group)) return true;
  }
  return false;
}
