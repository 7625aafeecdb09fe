import { t } from '../../base/l10n';
import type { YamlNode } from './node';

/** A problem of one document, with offsets of the document's own text. */
export interface ProblemLog {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly severity: 'error' | 'warning';
  /** How many other problems of the same code in the document are counted but not listed. */
  readonly more?: number;
}

/** Problems of a text that begins so much later in another one. */
export function moveBy(delta: number): (problem: ProblemLog) => ProblemLog {
  return it => ({ ...it, start: it.start + delta, end: it.end + delta });
}

/** How many problems of one document are listed; a broken text can have one at each character. */
export const MOST_LISTED = 1_000;

/** How many of the last problems are searched for one of the same code; there are fewer codes. */
export const LAST_LISTED = 32;

/** Adds a problem or, if enough are listed, counts it with the last one of its code, and makes none. */
export function addFound(problems: CountedProblem[], code: string, make: () => ProblemLog): void {
  const from = problems.length < MOST_LISTED ? problems.length : problems.length - LAST_LISTED;
  for (let i = problems.length - 1; i >= from; i--) {
    const last = problems[i]!;
    if (last.code !== code) continue;
    if (last.more === undefined) problems[i] = { ...last, more: 1 };
    else last.more += 1;
    return;
  }
  problems.push(make());
}

/** A problem of a document that is still being read. */
type CountedProblem = Omit<ProblemLog, 'more'> & { more?: number };

/** The state of reading one document: the current offset and what has been found so far. */
export interface ReaderState {
  readonly text: string;
  at: number;
  /** Offset of the start of the current line. */
  lineStart: number;
  /** Offset of the current line's first token, if the reader came to this line by skipping blanks. */
  first: number;
  /** Offset of the last tab in the indentation of a line; -1 if there was none. */
  tab: number;
  /** The end of the blanks at the beginning of a line, for the line for which it was last computed. */
  indent: { readonly line: number; readonly end: number };
  depth: number;
  readonly problems: ProblemLog[];
  /** Offsets of the `#` of every comment so far. */
  readonly comments: number[];
  readonly anchors: Map<string, YamlNode>;
  /**
   * The ends of the block sequences that are fields of the root: the line of the next token, or the end of the text.
   */
  readonly ends: Map<YamlNode, number>;
}

/** The maximum nesting: all later passes over a value are recursive. */
export const MAX_DEPTH = 500;

export class TooDeep extends Error {}

/** The state before a text is read; `depth` counts the enclosing collections. */
export function startReading(text: string, depth = 0): ReaderState {
  return {
    text,
    at: 0,
    lineStart: 0,
    first: 0,
    tab: -1,
    indent: { line: -1, end: -1 },
    depth,
    problems: [],
    comments: [],
    anchors: new Map(),
    ends: new Map(),
  };
}

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const PERCENT = 37;
export const AMPERSAND = 38;
export const SINGLE_QUOTE = 39;
export const ASTERISK = 42;
export const COMMA = 44;
export const DASH = 45;
export const COLON = 58;
export const GREATER = 62;
export const QUESTION = 63;
export const AT = 64;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const BACKTICK = 96;
export const OPEN_BRACE = 123;
export const PIPE = 124;
export const CLOSE_BRACE = 125;

export function atEnd(r: ReaderState): boolean {
  return r.at >= r.text.length;
}

/** Whether a character code is blank, a line break, or the end of the text (charCodeAt gives NaN there). */
export function isBlankOrEnd(code: number): boolean {
  return code === SPACE || code === LF || code === CR || code === TAB || Number.isNaN(code);
}

export function isBreakOrEnd(code: number): boolean {
  return code === LF || code === CR || Number.isNaN(code);
}

/** Offset of the line break (or the end of the text) at or after an offset. */
export function endOfLine(text: string, from: number): number {
  let at = from;
  while (!isBreakOrEnd(text.charCodeAt(at))) at++;
  return at;
}

/** Offset of the start of the line that contains an offset. */
export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && !isBreakOrEnd(text.charCodeAt(at - 1))) at--;
  return at;
}

/** Offset of the start of the next line, for an offset at a line break or the end. */
export function afterBreak(text: string, at: number): number {
  if (text.charCodeAt(at) === CR && text.charCodeAt(at + 1) === LF) return at + 2;
  return Math.min(at + 1, text.length);
}

/** Moves over blanks, comments and line breaks to the next token. */
export function skipBlank(r: ReaderState): void {
  const text = r.text;
  let at = r.at;
  let crossed = false;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === SPACE) at++;
    else if (code === LF || code === CR) {
      at = afterBreak(text, at);
      r.lineStart = at;
      crossed = true;
    } else if (code === TAB) {
      if (at < endOfIndent(r)) r.tab = at;
      at++;
    } else if (code === HASH && (at === 0 || isBlankOrEnd(text.charCodeAt(at - 1)))) {
      r.comments.push(at);
      at = endOfLine(text, at);
    } else break;
  }
  r.at = at;
  if (crossed) r.first = at;
}

/** The end of the blanks at the beginning of the current line, computed once for each line. */
function endOfIndent(r: ReaderState): number {
  if (r.indent.line === r.lineStart) return r.indent.end;
  let end = r.lineStart;
  while (r.text.charCodeAt(end) === SPACE || r.text.charCodeAt(end) === TAB) end++;
  r.indent = { line: r.lineStart, end };
  return end;
}

/** Column of the current token; a tab in the indentation is reported and counts as two blanks. */
export function column(r: ReaderState): number {
  if (r.tab < r.lineStart) return r.at - r.lineStart;
  if (!r.problems.some(it => it.code === 'syntax/tab')) {
    report(
      r,
      'syntax/tab',
      () => t('YAML does not allow tabs in indentation: replace the tab by spaces.'),
      r.tab,
      r.tab + 1,
    );
  }
  let column = 0;
  for (let at = r.lineStart; at < r.at; at++) column += r.text.charCodeAt(at) === TAB ? 2 : 1;
  return column;
}

/** Whether a `-` at the current offset begins a list item. */
export function onDash(r: ReaderState): boolean {
  return r.text.charCodeAt(r.at) === DASH && isBlankOrEnd(r.text.charCodeAt(r.at + 1));
}

export function report(r: ReaderState, code: string, message: () => string, start: number, end: number): void {
  const severity = 'error';
  addFound(r.problems, code, () => ({ code, message: message(), start, end: Math.max(end, start), severity }));
}

export function skipLine(r: ReaderState): void {
  r.at = endOfLine(r.text, r.at);
}

/** Enters one more level of nesting. Throws TooDeep, which the reader of the document turns into a problem. */
export function enter(r: ReaderState): void {
  r.depth++;
  if (r.depth > MAX_DEPTH) throw new TooDeep();
}

/** The end of the text of a line that begins at an offset, without trailing blanks. */
export function trimmedEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && isBlankOrEnd(text.charCodeAt(end - 1))) end--;
  return end;
}
