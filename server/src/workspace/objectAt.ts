import type { WorkspaceObject } from './object';
import type { Snapshot } from './workspace';

/** The object whose text contains an offset. */
export function objectAt(snapshot: Snapshot, uri: string, offset: number): WorkspaceObject | undefined {
  return snapshot.objectsIn(uri).find(({ manifest: { span } }) => span.start <= offset && offset <= span.end);
}
