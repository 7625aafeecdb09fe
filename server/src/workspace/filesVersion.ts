import type { LayeredMap } from '../base/layeredMap';

/** What tells which files differ between two snapshots. It keeps the text of changed files alive, and no index. */
export interface FilesVersion {
  /** By uri: what is known of a file alone, its role included. */
  readonly entries: LayeredMap<string, object>;
  /** What the views on the way to the files include, by identity. */
  readonly included: readonly ((uri: string) => boolean)[];
}

/**
 * The files that two snapshots may have with other objects or another role, or that one of them lacks; in time in proportion to
 * their number. undefined: these may be all.
 */
export function filesChangedBetween(a: FilesVersion, b: FilesVersion): readonly string[] | undefined {
  const isSameView = a.included.length === b.included.length && a.included.every((it, i) => it === b.included[i]);
  const changed = isSameView ? b.entries.changedSince(a.entries) : undefined;
  return changed && [...changed].filter(uri => b.included.every(includes => includes(uri)));
}
