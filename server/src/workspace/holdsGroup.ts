import type { Snapshot } from './workspace';

/** Whether any file of any role holds an object of some API groups. Nothing is collected for the answer. */
export function holdsGroup({ files, objectsIn }: Snapshot, groups: ReadonlySet<string>): boolean {
  for (const uri of files.keys()) {
    for (const { group } of objectsIn(uri)) if (groups.has(group)) return true;
  }
  return false;
}
