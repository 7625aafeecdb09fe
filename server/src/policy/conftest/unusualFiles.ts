import { compareText } from '../../base/compareText';
import { lazyByObject } from '../../base/lazy';
import { type FilesVersion, filesChangedBetween } from '../../workspace/filesVersion';
import type { Snapshot } from '../../workspace/workspace';
import { type FileWithObjects, fileWithObjects, isOrdinary } from './documents';

/** The unusual files of one version of a snapshot, by uri. */
interface Known {
  readonly version: FilesVersion;
  readonly files: ReadonlyMap<string, FileWithObjects>;
}

interface Memory {
  /** Of a snapshot with all files. */
  whole?: Known;
  /** Of parts of it, by what they include; parts of a part, such as what is deployed of an environment, count as that. */
  readonly parts: WeakMap<object, Known>;
}

const memoryOf = lazyByObject((_: object): Memory => ({ parts: new WeakMap() }));

/**
 * The files that Conftest may read otherwise than object by object, in the order of their uris. With each edit only changed files
 * are looked at.
 * @param owner What the files looked at last are kept with; they are let go with it.
 */
export function unusualFiles(snapshot: Snapshot, owner: object): readonly FileWithObjects[] {
  const memory = memoryOf(owner);
  const version = snapshot.version();
  const part = version.included[0];
  const last = part === undefined ? memory.whole : memory.parts.get(part);
  const changed = last && filesChangedBetween(last.version, version);
  const files = new Map(changed && last.files);
  for (const uri of changed ?? snapshot.files.keys()) {
    const file = fileWithObjects(uri, snapshot);
    if (file === undefined || isOrdinary(file)) files.delete(uri);
    else files.set(uri, file);
  }
  const now: Known = { version, files };
  if (part === undefined) memory.whole = now;
  else memory.parts.set(part, now);
  return [...files.values()].sort((a, b) => compareText(a.file.uri, b.file.uri));
}
