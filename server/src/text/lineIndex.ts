/** A position in a text as in the Language Server Protocol: lines and UTF-16 units, both from 0. */
export interface LinePosition {
  readonly line: number;
  readonly character: number;
}

export interface LineIndex {
  readonly lineCount: number;
  /** The position of an offset; an offset outside the text is moved to its nearest end. */
  position(offset: number): LinePosition;
  /** The offset of a position; a character beyond the line's end means the line's end (before its line break). */
  offset(position: LinePosition): number;
}

/** Indexes the lines of a text. Line breaks are LF, CRLF and a lone CR, as in the protocol. */
export function lineIndex(text: string): LineIndex {
  const starts = text.includes('\r') ? startsWithCarriageReturns(text) : startsOfLines(text);
  return {
    lineCount: starts.length,
    position: offset => {
      const at = Math.max(0, Math.min(offset, text.length));
      const line = lineOf(starts, at);
      return { line, character: at - starts[line]! };
    },
    offset: ({ line, character }) => {
      if (line < 0) return 0;
      const start = starts[line];
      if (start === undefined) return text.length;
      return Math.min(start + Math.max(0, character), endOfLine(text, starts[line + 1] ?? text.length, start));
    },
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function startsWithCarriageReturns(text: string): number[] {
  const starts = [0];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === 10 || (char === 13 && text.charCodeAt(at + 1) !== 10)) starts.push(at + 1);
  }
  return starts;
}

/** Index of the last start at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function endOfLine(text: string, nextStart: number, start: number): number {
  let end = nextStart;
  while (end > start && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--;
  return end;
}
