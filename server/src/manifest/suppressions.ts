import type { Span } from '../text/span';
import type { SuppressionComment } from './manifest';
import { endOfLine, startOfLine } from './reader/reading';

const MARK = 'berth-ignore';
/** The reason may hold what other programs take for line breaks: it is the rest, or blanks could be divided in many ways. */
const COMMENT = /^#+\s*berth-ignore\s+([\w./-]*\w)\s*:?\s*(.*)$/s;

/**
 * The `# berth-ignore CODE: reason` comments of a text, with its offsets. The reason may be missing and is then ''. The
 * target is the comment's own line or, for a comment alone on its line, the next line that is neither blank nor a
 * comment.
 */
export function findSuppressions(text: string, comments: readonly number[]): SuppressionComment[] {
  if (!text.includes(MARK)) return [];
  const offsets = [...new Set(comments)].sort((a, b) => a - b);
  const targets = targetsOf(text, offsets);
  return offsets.flatMap((start, i) => {
    const match = COMMENT.exec(text.slice(start, endOfLine(text, start)).trimEnd());
    if (match === null) return [];
    const [all, code, reason] = match;
    return [{ code: code!, reason: reason!.trim(), span: { start, end: start + all.length }, target: targets[i]! }];
  });
}

/** The target of each comment. A comment above another has the same target, so they are visited from the end. */
function targetsOf(text: string, offsets: readonly number[]): readonly Span[] {
  const targets: Span[] = [];
  for (let i = offsets.length - 1; i >= 0; i--) {
    targets[i] = targetOf(text, offsets[i]!, { at: offsets[i + 1], target: targets[i + 1] });
  }
  return targets;
}

interface NextComment {
  readonly at: number | undefined;
  readonly target: Span | undefined;
}

function targetOf(text: string, comment: number, next: NextComment): Span {
  const end = endOfLine(text, comment);
  const lineStart = startOfLine(text, comment);
  const isAlone = text.slice(lineStart, comment).trim() === '';
  if (!isAlone) return { start: lineStart, end };
  const blank = /\s*/y;
  blank.lastIndex = end;
  blank.test(text);
  const token = blank.lastIndex;
  if (token === next.at && next.target !== undefined) return next.target;
  return { start: Math.min(Math.max(startOfLine(text, token), end), token), end: endOfLine(text, token) };
}
