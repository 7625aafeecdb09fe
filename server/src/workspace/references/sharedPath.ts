import { lazyByText } from '../../base/lazy';
import { FieldPath, type Segment } from '../../manifest/fieldPath';

/** Longer lists are rare, and the number of paths into them would be large. */
const SHARED_INDEXES = 16;

const pathOfKey = lazyByText(key => FieldPath.of(...(JSON.parse(key) as Segment[])));

/**
 * One shared copy of a path: the references of thousands of objects are at a few dozen paths. Fields come from the
 * table of references and indexes are bounded, so the number of shared paths is bounded, too.
 */
export function sharedPath(path: FieldPath): FieldPath {
  const { segments } = path;
  const isShared = segments.every(it => typeof it === 'string' || (typeof it === 'number' && it < SHARED_INDEXES));
  return isShared ? pathOfKey(JSON.stringify(segments)) : path;
}
