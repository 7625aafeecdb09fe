import type { JsonObject } from '../../../../../base/json';
import { records } from '../../../../../kube/goFields';
import type { FieldPath } from '../../../../../manifest/fieldPath';

export const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;

/** Every container with its path, in the order of upstream's VisitContainersWithPath. */
export function containersOf(spec: JsonObject, at: FieldPath): readonly { container: JsonObject; at: FieldPath }[] {
  return CONTAINER_LISTS.flatMap(name => {
    const list = at.child(name);
    return records(spec, name).map((container, i) => ({ container, at: list.index(i) }));
  });
}
