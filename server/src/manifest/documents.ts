import { jsonBrackets } from '../text/jsonBrackets';

/** The range of one document's text in its file. */
export interface DocumentPiece {
  readonly start: number;
  readonly end: number;
  /** End of the document's content: before a `...` line, else equal to `end`. */
  readonly contentEnd: number;
}

/**
 * Splits a file into documents. A line that begins with `---` ends one anywhere, even inside a block scalar. Upstream:
 * k8s.io/apimachinery/pkg/util/yaml.YAMLReader, which splits at lines of `---` with nothing but blanks or a comment
 * after it, and JSON streams, which need no separator. Here, as in YAML itself, `--- value` begins a document as well
 * (upstream would silently read only the first of the two), an empty document between two `---` counts, and comments
 * and directives above the first `---` are not a document. Text after `...` belongs to no document.
 */
export function splitDocuments(text: string): DocumentPiece[] {
  const pieces: DocumentPiece[] = [];
  let start = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let isFirst = true;
  for (let mark = nextMark(text, start); mark !== -1; mark = nextMark(text, mark + 3)) {
    if (!isFirst || !isPrefix(text, start, mark)) pushPieces(pieces, text, start, mark);
    isFirst = false;
    start = afterMark(text, mark);
  }
  if (!isFirst || !isBlank(text, start)) pushPieces(pieces, text, start, text.length);
  return pieces;
}

/** Offset of the next line that begins with `---` and a blank, a line break, or the end. */
function nextMark(text: string, from: number): number {
  let at = from;
  if (at > 1 || !text.startsWith('---', at)) at = lineMark(text, at);
  while (at !== -1 && !/^(?:[ \t\r\n]|$)/.test(text.slice(at + 3, at + 4))) at = lineMark(text, at + 1);
  return at;
}

function lineMark(text: string, from: number): number {
  const at = text.indexOf('\n---', from);
  return at === -1 ? -1 : at + 1;
}

/** Start of the document after a `---`: the next line, or the rest of this one if it contains more than a comment. */
function afterMark(text: string, mark: number): number {
  const rest = /[ \t]*(?:#[^\n]*)?(?:\r?\n|\r|$)/y;
  rest.lastIndex = mark + 3;
  return rest.test(text) ? rest.lastIndex : mark + 3;
}

function isBlank(text: string, from: number): boolean {
  const blank = /\s*/y;
  blank.lastIndex = from;
  blank.test(text);
  return blank.lastIndex === text.length;
}

/** Whether a range contains only blank lines, comments and directives. */
function isPrefix(text: string, start: number, end: number): boolean {
  return !/^[ \t]*[^\s#%]|^[ \t]+%/m.test(text.slice(start, end));
}

function pushPieces(pieces: DocumentPiece[], text: string, start: number, end: number): void {
  const stop = endMark(text, start, end);
  const ends = jsonEnds(text, start, stop);
  let from = start;
  for (const at of ends) {
    pieces.push({ start: from, end: at, contentEnd: at });
    from = at;
  }
  pieces.push({ start: from, end, contentEnd: stop });
}

/** Start of the `...` line that ends a document early, or its end. */
function endMark(text: string, start: number, end: number): number {
  const body = text.slice(start, end);
  if (!body.includes('...')) return end;
  const match = /^\.\.\.(?=[ \t\r\n]|$(?![\s\S]))/m.exec(body);
  return match === null ? end : start + match.index;
}

/** Ends of JSON objects that are followed by another one without a `---`, as in a JSON stream. */
function jsonEnds(text: string, start: number, end: number): number[] {
  const open = /\s*\{/y;
  open.lastIndex = start;
  if (!open.test(text)) return [];
  if (!hasNeighbours(text, start, end)) return [];
  const ends: number[] = [];
  let depth = 0;
  for (const { bracket, at } of jsonBrackets(text, start)) {
    if (at >= end) break;
    depth += bracket === '{' || bracket === '[' ? 1 : -1;
    const after = at + 1;
    if (depth === 0 && /^\s*\{/.test(text.slice(after, Math.min(end, after + 200)))) ends.push(after);
  }
  return ends;
}

function hasNeighbours(text: string, start: number, end: number): boolean {
  return /\}\s*\{/.test(text.slice(start, end));
}
