import type { ManifestFile } from '../../../manifest/manifest';
import { jsonBrackets } from '../../../text/jsonBrackets';

/** A foldable range of lines, counted from 0; the first line stays visible. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'document' | 'comment' | 'block';
}

/**
 * Folds mappings, lists, blocks of text, runs of comments, and documents if there are several. Uses only the indentation of
 * lines, so that folds are stable while the text is broken elsewhere.
 */
export function foldingRangesOf(file: ManifestFile): readonly FoldingRange[] {
  const lines = file.text.split(/\r\n|\r|\n/);
  return file.format === 'json' ? bracketsOf(lines) : [...blocksOf(lines), ...commentsOf(lines), ...documentsOf(lines)];
}

const isBlank = (line: string): boolean => /^\s*$/.test(line);
const isComment = (line: string): boolean => /^\s*#/.test(line);
const isMark = (line: string): boolean => /^(?:---|\.\.\.)(?:\s|$)/.test(line);

interface Open {
  readonly line: number;
  readonly level: number;
}

function blocksOf(lines: readonly string[]): readonly FoldingRange[] {
  const found: FoldingRange[] = [];
  const open: Open[] = [];
  let last = 0;
  const closeFrom = (level: number): void => {
    while (open.length > 0 && open.at(-1)!.level >= level) {
      const { line } = open.pop()!;
      if (last > line) found.push({ startLine: line, endLine: last, kind: 'block' });
    }
  };
  for (const [i, line] of lines.entries()) {
    if (isBlank(line) || isComment(line)) continue;
    const indent = line.search(/\S/);
    const level = isMark(line) ? -1 : levelOf(line, indent);
    closeFrom(level);
    if (level >= 0) open.push({ line: i, level });
    last = i;
  }
  closeFrom(-1);
  return found;
}

/** A list may have its dashes in the column of its key. */
const levelOf = (line: string, indent: number): number =>
  /^-(?:\s|$)/.test(line.slice(indent)) ? indent + 0.5 : indent;

function commentsOf(lines: readonly string[]): readonly FoldingRange[] {
  const found: FoldingRange[] = [];
  for (let i = 0; i < lines.length; i++) {
    const start = i;
    while (i + 1 < lines.length && isComment(lines[start]!) && isComment(lines[i + 1]!)) i++;
    if (i > start) found.push({ startLine: start, endLine: i, kind: 'comment' });
  }
  return found;
}

function documentsOf(lines: readonly string[]): readonly FoldingRange[] {
  const marks = [...lines.entries()].filter(([, it]) => /^---(?:\s|$)/.test(it)).map(([i]) => i);
  if (marks.length === 0) return [];
  return [...(marks[0] === 0 ? [] : [0]), ...marks].flatMap((start, i, starts) => {
    const next = starts[i + 1] ?? lines.length;
    const end = lastWritten(lines, start, next);
    const isText = lines.slice(start + 1, end + 1).some(it => !isBlank(it) && !isComment(it));
    return end > start && isText ? [{ startLine: start, endLine: end, kind: 'document' as const }] : [];
  });
}

function lastWritten(lines: readonly string[], start: number, next: number): number {
  let end = next - 1;
  while (end > start && isBlank(lines[end]!)) end--;
  return end;
}

/** Braces and brackets of JSON over several lines; the closing line stays visible. */
function bracketsOf(lines: readonly string[]): readonly FoldingRange[] {
  const found: FoldingRange[] = [];
  const open: number[] = [];
  for (const [i, line] of lines.entries()) {
    for (const { bracket } of jsonBrackets(line)) {
      if (bracket === '{' || bracket === '[') {
        open.push(i);
        continue;
      }
      const startLine = open.pop() ?? i;
      if (i - 1 > startLine) found.push({ startLine, endLine: i - 1, kind: 'block' });
    }
  }
  return found;
}
