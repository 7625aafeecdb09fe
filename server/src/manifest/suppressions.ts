import type { SuppressionComment } from './manifest';

const MARK = 'berth-ignore';
const COMMENT = /^#+\s*berth-ignore\s+([\w./-]*\w)\s*:?\s*(.*)$/;

/**
 * The `# berth-ignore CODE: reason` among the comments of a text, in its offsets. The reason may be missing and is ''
 * then. What is silenced is the comment's own line, or, for a comment alone on its line, the next line that is
 * neither blank nor a comment.
 */
export function findSuppressions(text: string, comments: readonly number[]): SuppressionComment[] {
  if (!text.includes(MARK)) return [];
  const offsets = [...new Set(comments)].sort((a, b) => a - b);
  return offsets.flatMap(start => {
    const end = lineEnd(text, start);
    const match = COMMENT.exec(text.slice(start, end).trimEnd());
    if (match === null) return [];
    const [all, code, reason] = match;
    const span = { start, end: start + all.length };
    return [{ code: code!, reason: reason!.trim(), span, target: targetOf(text, start, end) }];
  });
}

function lineEnd(text: string, from: number): number {
  const breaks = /[\r\n]|$(?![\s\S])/g;
  breaks.lastIndex = from;
  return breaks.exec(text)?.index ?? text.length;
}

function targetOf(text: string, comment: number, end: number): { start: number; end: number } {
  const lineStart = Math.max(text.lastIndexOf('\n', comment - 1), text.lastIndexOf('\r', comment - 1)) + 1;
  const isAlone = comment === 0 || text.slice(lineStart, comment).trim() === '';
  if (!isAlone) return { start: lineStart, end };
  const below = /(?:\s*#[^\r\n]*)*\s*/y;
  below.lastIndex = end;
  below.test(text);
  const token = below.lastIndex;
  const start = Math.max(text.lastIndexOf('\n', token - 1), text.lastIndexOf('\r', token - 1), end - 1) + 1;
  return { start: Math.min(start, token), end: lineEnd(text, token) };
}
