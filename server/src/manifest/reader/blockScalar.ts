import { t } from '../../base/l10n';
import { scalarNode, type YamlNode } from './node';
import {
  afterBreak,
  endOfLine,
  GREATER,
  HASH,
  isBlankOrEnd,
  type ReaderState,
  report,
  SPACE,
  TAB,
  trimmedEnd,
} from './reading';

/** Reads a `|` or `>` scalar whose lines are indented deeper than `indent`. */
export function readBlockScalar(r: ReaderState, indent: number): YamlNode {
  const { text } = r;
  const start = r.at;
  const isFolded = text.charCodeAt(start) === GREATER;
  const header = readHeader(r, start);
  let stop = r.at;
  let at = afterBreak(text, r.at);
  let blockIndent = header.indent > 0 ? Math.max(indent, 0) + header.indent : -1;
  const lines: string[] = [];
  let end = trimmedEnd(text, start, r.at);
  while (at < text.length) {
    const lineEnd = endOfLine(text, at);
    const content = firstNonSpace(text, at, lineEnd);
    const isEmpty = content === lineEnd;
    if (blockIndent === -1 && !isEmpty) {
      // Upstream refuses a tab after too few blanks; here it is text of the first line.
      if (content - at <= Math.max(indent, -1)) break;
      blockIndent = content - at;
    }
    if (!isEmpty && content - at < blockIndent) break;
    const from = isEmpty && blockIndent === -1 ? lineEnd : Math.min(at + blockIndent, lineEnd);
    lines.push(text.slice(from, lineEnd));
    if (!isEmpty || from < lineEnd) end = lineEnd;
    stop = lineEnd;
    r.lineStart = at;
    if (lineEnd >= text.length) break;
    at = afterBreak(text, lineEnd);
  }
  r.at = stop;
  const breaks = lines.length - (stop < text.length ? 0 : 1);
  const content = contentOf(lines, isFolded ? fold : inLines, header.chomp, breaks);
  return scalarNode(start, Math.max(end, start + 1), content, 'quoted');
}

function firstNonSpace(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && text.charCodeAt(at) === SPACE) at++;
  return at;
}

interface Header {
  readonly indent: number;
  readonly chomp: '' | '+' | '-';
}

/** Reads indentation and chomping of the header and stops at the end of its line. */
function readHeader(r: ReaderState, start: number): Header {
  const lineEnd = endOfLine(r.text, start);
  let at = start + 1;
  let indent = 0;
  let chomp: Header['chomp'] = '';
  for (; at < lineEnd; at++) {
    const char = r.text[at]!;
    if (char === '+' || char === '-') chomp = char;
    else if (char >= '1' && char <= '9') indent = Number(char);
    else break;
  }
  while (r.text.charCodeAt(at) === SPACE || r.text.charCodeAt(at) === TAB) at++;
  const isComment = r.text.charCodeAt(at) === HASH;
  if (isComment) r.comments.push(at);
  else if (at < lineEnd) {
    const mark = r.text[start]!;
    const message = (): string =>
      t`Nothing may follow ${mark} on its line: write the text on the lines below, indented.`;
    report(r, 'syntax/yaml', message, at, trimmedEnd(r.text, at, lineEnd));
  }
  r.at = lineEnd;
  return { indent, chomp };
}

/** The text of lines, with the number of line breaks after each. */
function contentOf(
  lines: readonly string[],
  join: (lines: readonly string[]) => string,
  chomp: Header['chomp'],
  breaks: number,
): string {
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last--;
  const body = join(lines.slice(0, last));
  if (chomp === '-') return body;
  const left = breaks - Math.max(0, last - 1);
  if (chomp === '+') return body + '\n'.repeat(Math.max(0, left));
  return last > 0 && left > 0 ? `${body}\n` : body;
}

const inLines = (lines: readonly string[]): string => lines.join('\n');

/** Folding of `>`: single breaks between lines that begin with text become blanks. */
function fold(lines: readonly string[]): string {
  let out = '';
  let empty = 0;
  let previousIsMore = false;
  let isFirst = true;
  for (const line of lines) {
    if (line === '') {
      empty++;
      continue;
    }
    const isMore = isBlankOrEnd(line.charCodeAt(0));
    if (isFirst) out += '\n'.repeat(empty);
    else if (isMore || previousIsMore) out += '\n'.repeat(empty + 1);
    else out += empty === 0 ? ' ' : '\n'.repeat(empty);
    out += line;
    empty = 0;
    previousIsMore = isMore;
    isFirst = false;
  }
  return out;
}
