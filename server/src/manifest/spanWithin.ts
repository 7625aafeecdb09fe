import type { Span } from '../text/span';
import type { FieldPath, SpanPart } from './fieldPath';
import type { ManifestObject } from './manifest';
import { scalarPositions } from './scalarPositions';
import { valueAt } from './valueAt';

/** A field, or a part of its string value, in UTF-16 units of the value. */
export interface FieldPart {
  readonly at: FieldPath;
  readonly part: SpanPart;
  readonly within?: Span | undefined;
}

/** The span of it in the text of its file; the whole value where the text is not known. */
export function spanWithin(manifest: ManifestObject, field: FieldPart, text: string | undefined): Span {
  const { at, part, within } = field;
  const span = manifest.spanOf(at, part);
  const value = valueAt(manifest.value, at);
  const source = text?.slice(span.start, span.end);
  if (within === undefined || typeof value !== 'string' || source === undefined) return span;
  const positionOf = scalarPositions(source, value);
  const start = span.start + positionOf(within.start);
  return { start, end: Math.max(start + 1, span.start + positionOf(within.end)) };
}
