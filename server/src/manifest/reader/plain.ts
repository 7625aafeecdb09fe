import { scalarNode, type YamlNode } from './node';
import {
  afterBreak,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  CR,
  HASH,
  isBlankOrEnd,
  isBreakOrEnd,
  LF,
  OPEN_BRACE,
  OPEN_BRACKET,
  type ReaderState,
  SPACE,
  TAB,
} from './reading';

/** The end of the plain text on its line: before `: `, ` #` or the line break. */
export function endOfPlain(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === LF || code === CR || Number.isNaN(code)) return at;
    if (code === COLON && isBlankOrEnd(text.charCodeAt(at + 1))) return at;
    if (code === HASH && at > from && isBlankOrEnd(text.charCodeAt(at - 1))) return at;
    at++;
  }
}

function endOfFlowPlain(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (isBreakOrEnd(code) || code === COMMA) return at;
    if (code === OPEN_BRACE || code === CLOSE_BRACE || code === OPEN_BRACKET || code === CLOSE_BRACKET) return at;
    if (code === COLON && endsFlowKey(text.charCodeAt(at + 1))) return at;
    if (code === HASH && at > from && isBlankOrEnd(text.charCodeAt(at - 1))) return at;
    at++;
  }
}

function endsFlowKey(code: number): boolean {
  return isBlankOrEnd(code) || code === COMMA || code === CLOSE_BRACE || code === CLOSE_BRACKET;
}

function withoutTrailingBlanks(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && (text.charCodeAt(end - 1) === SPACE || text.charCodeAt(end - 1) === TAB)) end--;
  return end;
}

/**
 * Reads a plain scalar with its continuation lines, which are indented deeper than `indent`. It ends before a line that
 * reads as `key: value`, which cannot continue a text.
 */
export function readPlain(r: ReaderState, indent: number): YamlNode {
  const { text } = r;
  const start = r.at;
  const stop = endOfPlain(text, start);
  let end = withoutTrailingBlanks(text, start, stop);
  r.at = end;
  if (!isBreakOrEnd(text.charCodeAt(stop)) || stop >= text.length) {
    return scalarNode(start, end, text.slice(start, end), 'plain');
  }
  let content = '';
  let from = start;
  let lineBreak = stop;
  for (;;) {
    const { at, breaks, lineStart, column } = nextText(text, lineBreak);
    if (at >= text.length || column <= indent || text.charCodeAt(at) === HASH) break;
    const lineStop = endOfPlain(text, at);
    if (text.charCodeAt(lineStop) === COLON) break;
    content += text.slice(from, end) + folded(breaks);
    from = at;
    end = withoutTrailingBlanks(text, at, lineStop);
    r.at = end;
    r.lineStart = lineStart;
    if (!isBreakOrEnd(text.charCodeAt(lineStop))) break;
    lineBreak = lineStop;
  }
  return scalarNode(start, end, content + text.slice(from, end), 'plain');
}

/**
 * Reads a plain scalar inside brackets or braces. Its lines may have any indentation, but it ends before a line that
 * reads as `key: value` in column `indent` or left of it; -1 for no such limit.
 */
export function readFlowPlain(r: ReaderState, indent: number): YamlNode {
  const { text } = r;
  const start = r.at;
  let stop = endOfFlowPlain(text, start);
  let end = withoutTrailingBlanks(text, start, stop);
  let content = '';
  let from = start;
  while (stop < text.length && isBreakOrEnd(text.charCodeAt(stop))) {
    const { at, breaks, lineStart } = nextText(text, stop);
    const next = endOfFlowPlain(text, at);
    if (next === at || text.charCodeAt(at) === HASH) break;
    if (at - lineStart <= indent && text.charCodeAt(endOfPlain(text, at)) === COLON) break;
    content += text.slice(from, end) + folded(breaks);
    from = at;
    end = withoutTrailingBlanks(text, at, next);
    r.lineStart = lineStart;
    stop = next;
  }
  r.at = end;
  return scalarNode(start, end, content + text.slice(from, end), 'plain');
}

/** Where the text continues after line breaks, and on which line; `column` counts blanks, not tabs. */
function nextText(text: string, lineBreak: number) {
  let at = lineBreak;
  let breaks = 0;
  let lineStart = at;
  let column = 0;
  while (at < text.length && isBreakOrEnd(text.charCodeAt(at))) {
    at = afterBreak(text, at);
    breaks++;
    lineStart = at;
    while (text.charCodeAt(at) === SPACE) at++;
    column = at - lineStart;
    while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at++;
  }
  return { at, breaks, lineStart, column };
}

/** The value of line breaks inside a plain scalar. */
const folded = (breaks: number): string => (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1));
