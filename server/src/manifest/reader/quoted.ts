import { scalarNode, type YamlNode } from './node';
import {
  afterBreak,
  BACKSLASH,
  CR,
  DOUBLE_QUOTE,
  endOfLine,
  LF,
  type ReaderState,
  report,
  SINGLE_QUOTE,
  SPACE,
  TAB,
  trimmedEnd,
} from './reading';

/** Offset after the closing quote, or -1 if there is none; `multiline` if it is on a later line. */
export function endOfQuoted(text: string, start: number): { readonly end: number; readonly multiline: boolean } {
  const quote = text.charCodeAt(start);
  let multiline = false;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || code === CR) multiline = true;
    else if (code === BACKSLASH && quote === DOUBLE_QUOTE) at++;
    else if (code === quote) {
      if (quote === DOUBLE_QUOTE || text.charCodeAt(at + 1) !== SINGLE_QUOTE) return { end: at + 1, multiline };
      at++;
    }
  }
  return { end: -1, multiline };
}

/** Reads a quoted scalar. An unclosed one ends with its first line, so that the lines below are still read. */
export function readQuoted(r: ReaderState, mayFollow: (code: number) => boolean): YamlNode {
  const start = r.at;
  const found = endOfQuoted(r.text, start);
  const isClosed = found.end !== -1 && !(found.multiline && !mayFollow(nextToken(r.text, found.end)));
  if (!isClosed) return readUnclosed(r);
  r.at = found.end;
  if (found.multiline) r.lineStart = startOfLine(r.text, found.end);
  return scalarNode(start, found.end, contentOf(r, start, found.end), 'quoted');
}

function nextToken(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at++;
  return text.charCodeAt(at);
}

export function startOfLine(text: string, offset: number): number {
  let at = offset;
  while (at > 0 && text.charCodeAt(at - 1) !== LF && text.charCodeAt(at - 1) !== CR) at--;
  return at;
}

function readUnclosed(r: ReaderState): YamlNode {
  const start = r.at;
  const end = trimmedEnd(r.text, start + 1, endOfLine(r.text, start));
  const quote = r.text[start]!;
  report(
    r,
    'syntax/unclosed',
    () => `This quote is never closed: add a closing ${quote} at the end of the text.`,
    start,
    end,
  );
  r.at = end;
  return scalarNode(start, end, r.text.slice(start + 1, end), 'quoted');
}

function contentOf(r: ReaderState, start: number, end: number): string {
  const raw = r.text.slice(start + 1, end - 1);
  if (r.text.charCodeAt(start) === SINGLE_QUOTE) {
    const folded = /[\r\n]/.test(raw) ? foldLines(raw) : raw;
    return folded.includes("'") ? folded.replaceAll("''", "'") : folded;
  }
  if (!/[\\\r\n]/.test(raw)) return raw;
  return unescapeDouble(r, raw, start + 1);
}

/** Line folding of quoted text: one line break is a space, n + 1 of them are n line breaks. */
function foldLines(raw: string): string {
  return raw.replace(/[ \t]*(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))*[ \t]*/g, it => foldedBreaks(it));
}

function foldedBreaks(blank: string): string {
  const breaks = blank.match(/\r\n|\n|\r/g)?.length ?? 0;
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const HEX_LENGTH: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function unescapeDouble(r: ReaderState, raw: string, offset: number): string {
  let out = '';
  let at = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (code === BACKSLASH) {
      const next = raw[at + 1] ?? '';
      if (next === '\n' || next === '\r') {
        at = afterBreak(raw, at + 1);
        while (raw[at] === ' ' || raw[at] === '\t') at++;
        continue;
      }
      const simple = ESCAPES[next];
      const hexLength = HEX_LENGTH[next];
      const hex = hexLength === undefined ? '' : raw.slice(at + 2, at + 2 + hexLength);
      if (simple !== undefined) {
        out += simple;
        at += 2;
      } else if (hexLength !== undefined && hex.length === hexLength && /^[0-9a-fA-F]+$/.test(hex)) {
        const point = Number.parseInt(hex, 16);
        out += point <= 0x10ffff ? String.fromCodePoint(point) : '\ufffd';
        at += 2 + hexLength;
      } else {
        const message = (): string =>
          `\\${next} is no escape that YAML knows: write \\\\ for a backslash, or use single quotes.`;
        report(r, 'syntax/escape', message, offset + at, offset + at + 2);
        out += `\\${next}`;
        at += 2;
      }
      continue;
    }
    const blank = isBlankOrBreak(code) ? blankRun(raw, at) : '';
    if (blank !== '') {
      out += /[\r\n]/.test(blank) ? foldedBreaks(blank) : blank;
      at += blank.length;
      continue;
    }
    const from = at;
    while (at < raw.length && !isBlankOrBreak(raw.charCodeAt(at)) && raw.charCodeAt(at) !== BACKSLASH) at++;
    out += raw.slice(from, at);
  }
  return out;
}

function isBlankOrBreak(code: number): boolean {
  return code === SPACE || code === TAB || code === LF || code === CR;
}

function blankRun(raw: string, from: number): string {
  let at = from;
  while (isBlankOrBreak(raw.charCodeAt(at))) at++;
  return raw.slice(from, at);
}
