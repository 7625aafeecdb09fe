import type { Snapshot } from './workspace';

/** Whether a file of any role contains an object of some API groups, each of which has a domain. */
export function holdsGroup({ objectsOfGroup }: Snapshot, groups: ReadonlySet<string>): boolean {
  for (const group of groups) if (objectsOfGroup(group).length > 0) return true;
  return false;
}
