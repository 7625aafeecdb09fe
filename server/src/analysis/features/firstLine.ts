import { FieldPath } from '../../manifest/fieldPath';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';

/** Lenses stand above the line they are given: the object's first, whichever field that is. */
export function firstLineOf({ manifest }: WorkspaceObject): Span {
  const fields = Object.keys(manifest.value).map(it => manifest.spanOf(FieldPath.of(it), 'key'));
  return fields.reduce((first, it) => (it.start < first.start ? it : first), manifest.spanOf(FieldPath.root, 'value'));
}
