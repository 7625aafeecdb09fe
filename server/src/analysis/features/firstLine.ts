import { FieldPath } from '../../manifest/fieldPath';
import type { Span } from '../../text/span';
import type { WorkspaceObject } from '../../workspace/object';

/** The first line of an object, above which lenses are shown, whichever field is first. */
export function firstLineOf({ manifest }: Pick<WorkspaceObject, 'manifest'>): Span {
  const fields = Object.keys(manifest.value).map(it => manifest.spanOf(FieldPath.of(it), 'key'));
  return fields.reduce((first, it) => (it.start < first.start ? it : first), manifest.spanOf(FieldPath.root, 'value'));
}
