/** Half-open range of UTF-16 offsets in one file's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Whether two spans share an offset or an end. */
export const isTouching = (a: Span, b: Span): boolean => a.start <= b.end && b.start <= a.end;

/** The whole of any text. */
export const EVERYWHERE: Span = { start: 0, end: Number.POSITIVE_INFINITY };

export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** Applies edits that do not overlap; their order in the list does not matter. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .sort((a, b) => b.span.start - a.span.start)
    .reduce((acc, { span, newText }) => acc.slice(0, span.start) + newText + acc.slice(span.end), text);
}
