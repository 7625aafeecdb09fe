import { compareText } from '../base/compareText';
import type { WorkspaceObject } from './object';
import type { Snapshot } from './workspace';

/** Whether a file of any role contains an object of some API groups, each of which has a domain. */
export function holdsGroup({ objectsOfGroup }: Snapshot, groups: ReadonlySet<string>): boolean {
  for (const group of groups) if (objectsOfGroup(group).length > 0) return true;
  return false;
}

/** The objects of these groups in files of any role, file by file in the order of their uris. */
export function objectsOfGroups(
  { objectsOfGroup, objectsIn }: Snapshot,
  groups: ReadonlySet<string>,
): readonly WorkspaceObject[] {
  const holders = new Set([...groups].flatMap(objectsOfGroup).map(it => it.manifest.uri));
  return [...holders].sort(compareText).flatMap(uri => objectsIn(uri).filter(it => groups.has(it.group)));
}
