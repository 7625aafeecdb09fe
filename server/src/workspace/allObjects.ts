import type { WorkspaceObject } from './object';
import type { Snapshot } from './workspace';

/** The objects of all files, file by file. */
export const allObjects = (snapshot: Snapshot): readonly WorkspaceObject[] =>
  [...snapshot.files.keys()].flatMap(uri => snapshot.objectsIn(uri));
