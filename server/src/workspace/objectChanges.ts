import type { ManifestObject } from '../manifest/manifest';
import type { FileEntry } from './fileEntry';
import type { WorkspaceObject } from './object';

/** The changes of the objects of one file. */
interface ObjectChanges {
  /** Removed objects; all if the order of the others changed. */
  readonly removed: readonly WorkspaceObject[];
  /** Added objects; all if the order of the others changed. */
  readonly added: readonly WorkspaceObject[];
  /** The order decides which of several objects with one name comes first. */
  readonly order: 'same' | 'other';
}

const NO_OBJECTS: readonly WorkspaceObject[] = [];

export function objectChanges(before: FileEntry | undefined, now: FileEntry | undefined): ObjectChanges {
  const [old, current] = [before?.objects ?? NO_OBJECTS, now?.objects ?? NO_OBJECTS];
  if (before?.role !== now?.role) return { removed: old, added: current, order: 'same' };
  // An edit leaves most objects at both ends as they are.
  const most = Math.min(old.length, current.length);
  let start = 0;
  while (start < most && idOf(old[start]) === idOf(current[start])) start += 1;
  let end = 0;
  while (end < most - start && idOf(old.at(-1 - end)) === idOf(current.at(-1 - end))) end += 1;
  const [left, came] = [old.slice(start, old.length - end), current.slice(start, current.length - end)];
  const isKept = (it: WorkspaceObject): boolean => before?.byContent().has(it.manifest.contentId) === true;
  const stays = (it: WorkspaceObject): boolean => now?.byContent().has(it.manifest.contentId) === true;
  const [stayed, kept] = [left.filter(stays), came.filter(isKept)];
  const isInOrder = stayed.length === kept.length && stayed.every((it, i) => idOf(it) === idOf(kept[i]));
  return {
    removed: isInOrder ? left.filter(it => !stays(it)) : old,
    added: isInOrder ? came.filter(it => !isKept(it)) : current,
    order: isInOrder ? 'same' : 'other',
  };
}

const idOf = (object: WorkspaceObject | undefined): object | undefined => object?.manifest.contentId;

/** Unchanged objects at another position of the text. */
export function movedObjects(before: FileEntry | undefined, now: FileEntry): readonly WorkspaceObject[] {
  if (before?.role !== now.role) return NO_OBJECTS;
  return now.objects.filter(({ manifest }) => {
    const old = before.byContent().get(manifest.contentId);
    return old !== undefined && !isAtSamePosition(manifest, old.manifest);
  });
}

/** Whether an object is at its earlier position, so that earlier spans are valid. */
export function isAtSamePosition(a: ManifestObject, b: ManifestObject | undefined): boolean {
  return a === b || (a.span.start === b?.span.start && a.document === b.document && a.item === b.item);
}
