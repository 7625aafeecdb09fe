import { lineEnd } from '../../../text/lineEnd';
import { type Checked, checkTypes, type Declarations } from './check';
import { literalIssues } from './literals';
import type { Macros } from './macros';
import { CelSyntaxError, type Expr, type Issue } from './nodes';
import { parseExpression } from './parser';
import type { Type } from './types';
import { TooLong } from './unify';

/**
 * The type of an expression that compiles; `problem` is upstream's text. Nothing is said of an expression whose check
 * takes too long.
 */
export type CompileResult =
  | { readonly type: Type; readonly root: Expr; readonly checked: Checked }
  | { readonly problem: string }
  | { readonly undecided: 'it takes too many steps' };

/** Parses and checks an expression. Upstream: cel.Env.Compile. */
export function compileExpression(text: string, macros: Macros, declarations: Declarations): CompileResult {
  try {
    const root = parseExpression(text, macros);
    const checked = checkTypes(root, declarations);
    const issues = checked.issues.length > 0 ? checked.issues : literalIssues(root, checked);
    return issues.length > 0 ? { problem: problemText(text, issues) } : { type: checked.type, root, checked };
  } catch (error) {
    if (error instanceof CelSyntaxError) return { problem: problemText(text, [{ at: error.at, text: error.message }]) };
    if (error instanceof TooLong) return { undecided: 'it takes too many steps' };
    throw error;
  }
}

/** Upstream: common.Errors prints this many. */
const MOST_ISSUES = 100;
/** Upstream: common.maxSnippetLength; a longer line is not printed. */
const LONGEST_LINE = 16_384;

/** Upstream: common.Errors.ToDisplayString, each error with its line and a caret. */
function problemText(text: string, issues: readonly Issue[]): string {
  const sorted = issues.toSorted((a, b) => a.at - b.at);
  const shown = sorted.slice(0, MOST_ISSUES).map(it => issueText(text, it));
  const more = sorted.length > shown.length ? [`${sorted.length - shown.length} more errors were truncated`] : [];
  return `compilation failed: ${[...shown, ...more].join('\n')}`;
}

function issueText(whole: string, { at, text }: Issue): string {
  if (at < 0) return `ERROR: <input>:-1:0: ${text}`;
  const start = whole.lastIndexOf('\n', at - 1) + 1;
  const line = whole.slice(start, lineEnd(whole, start));
  const before = [...whole.slice(start, at)];
  const place = `${whole.slice(0, start).split('\n').length}:${before.length + 1}`;
  const snippet = line.length > LONGEST_LINE ? '' : snippetOf(line, before, line.slice(at - start));
  return `ERROR: <input>:${place}: ${text}${snippet}`;
}

function snippetOf(line: string, before: readonly string[], after: string): string {
  const dots = before.map(it => (isWide(it) ? '．' : '.')).join('');
  return `\n | ${line.replaceAll('\t', ' ')}\n | ${dots}${isWide(after) ? '＾' : '^'}`;
}

/** Whether the first character takes more than a byte. */
const isWide = (text: string): boolean => text.charCodeAt(0) > 0x7f;
