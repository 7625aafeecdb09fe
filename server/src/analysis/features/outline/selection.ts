import { FieldPath } from '../../../manifest/fieldPath';
import type { Span } from '../../../text/span';
import { objectAt } from '../../../workspace/objectAt';
import type { Snapshot } from '../../../workspace/workspace';

/** The spans to which a selection expands: the key or value, its entry, what is around it, object, document, file. */
export function selectionRangesAt(snapshot: Snapshot, uri: string, offset: number): readonly Span[] {
  const file = snapshot.files.get(uri);
  if (file === undefined) return [];
  const document = file.documents.find(({ span }) => span.start <= offset && offset <= span.end);
  const around = [...(document ? [document.span] : []), { start: 0, end: file.text.length }];
  const object = objectAt(snapshot, uri, offset);
  const at = object?.manifest.pathAt(offset);
  if (object === undefined || at === undefined) return growing(around, offset);
  const { manifest } = object;
  const { segments } = at.path;
  const paths = segments.map((_, i) => FieldPath.of(...segments.slice(0, segments.length - i)));
  const inner = paths.flatMap((path, i) => [
    ...(i === 0 && at.part === 'key' ? [manifest.spanOf(path, 'key')] : [manifest.spanOf(path, 'value')]),
    manifest.spanOf(path, 'entry'),
  ]);
  return growing([...inner, manifest.span, ...around], offset);
}

/** The spans that contain the offset, each larger than the one before. */
function growing(spans: readonly Span[], offset: number): readonly Span[] {
  const kept: Span[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    const isAround = span.start <= offset && offset <= span.end && span.end > span.start;
    const isWider = !last || (span.start <= last.start && last.end <= span.end && size(span) > size(last));
    if (isAround && isWider) kept.push(span);
  }
  return kept;
}

const size = ({ start, end }: Span): number => end - start;
