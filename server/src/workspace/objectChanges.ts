import type { ManifestObject } from '../manifest/manifest';
import type { FileEntry } from './fileEntry';
import type { WorkspaceObject } from './object';

/** The changes of the objects of one file. */
export interface ObjectChanges {
  /** Removed objects; all if the order of the others changed. */
  readonly removed: readonly WorkspaceObject[];
  /** Added objects; all if the order of the others changed. */
  readonly added: readonly WorkspaceObject[];
  /** Unchanged objects at another position of the text. */
  readonly moved: readonly WorkspaceObject[];
  /** The order decides which of several objects with one name comes first. */
  readonly order: 'same' | 'other';
}

export function objectChanges(before: FileEntry | undefined, now: FileEntry | undefined): ObjectChanges {
  const old = new Map((before?.objects ?? []).map(it => [it.manifest.contentId, it]));
  const isKept = ({ manifest }: WorkspaceObject): boolean => before?.role === now?.role && old.has(manifest.contentId);
  const kept = (now?.objects ?? []).filter(isKept);
  const keptIds = new Set(kept.map(it => it.manifest.contentId));
  const stayed = (before?.objects ?? []).filter(it => keptIds.has(it.manifest.contentId));
  const isInOrder =
    stayed.length === kept.length && stayed.every((it, i) => it.manifest.contentId === kept[i]?.manifest.contentId);
  return {
    removed: isInOrder
      ? (before?.objects ?? []).filter(it => !keptIds.has(it.manifest.contentId))
      : (before?.objects ?? []),
    added: isInOrder ? (now?.objects ?? []).filter(it => !isKept(it)) : (now?.objects ?? []),
    moved: kept.filter(it => !isAtSamePosition(it.manifest, old.get(it.manifest.contentId)?.manifest)),
    order: isInOrder ? 'same' : 'other',
  };
}

/** Whether an object is at its earlier position, so that earlier spans are valid. */
export function isAtSamePosition(a: ManifestObject, b: ManifestObject | undefined): boolean {
  return a === b || (a.span.start === b?.span.start && a.document === b.document && a.item === b.item);
}
