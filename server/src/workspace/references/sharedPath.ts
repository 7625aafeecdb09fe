import { lazyByText } from '../../base/lazy';
import { FieldPath, type Segment } from '../../manifest/fieldPath';

/** Longer lists are rare, and paths into them are many. */
const SHARED_INDEXES = 16;

const pathOfKey = lazyByText(key => FieldPath.of(...(JSON.parse(key) as Segment[])));

/**
 * The same path, one for all objects that have it: references of thousands of objects stand at a few dozen paths. Fields are
 * those of the table of references and indexes are bounded, so that the paths that are kept are bounded, too.
 */
export function sharedPath(path: FieldPath): FieldPath {
  const { segments } = path;
  const isShared = segments.every(it => typeof it === 'string' || (typeof it === 'number' && it < SHARED_INDEXES));
  return isShared ? pathOfKey(JSON.stringify(segments)) : path;
}
