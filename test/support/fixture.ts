import type { Problem } from '../../server/src/rules/framework/problem';

const LABEL = /^\s*#(\s*\^+|<-+) /;

/** The text without its caret labels. */
export function withoutLabels(text: string): string {
  return text
    .split('\n')
    .filter(line => !LABEL.test(line))
    .join('\n');
}

/**
 * The text with a caret label under every problem: `# ^^^^ severity[code]: message`, or `#<--- …` for a span that
 * starts in the first two columns. A span of several lines is labelled under its first.
 */
export function withLabels(text: string, problems: readonly Problem[]): string {
  const lines = text.split('\n');
  return lines
    .flatMap((line, i) => {
      const start = lines.slice(0, i).reduce((sum, it) => sum + it.length + 1, 0);
      const here = problems.filter(it => it.span.start >= start && it.span.start <= start + line.length);
      return [line, ...here.map(it => label(it, start, line.length))];
    })
    .join('\n');
}

function label({ span, severity, code, message, follows }: Problem, lineStart: number, lineLength: number): string {
  const from = span.start - lineStart;
  const width = Math.max(1, Math.min(span.end - lineStart, lineLength) - from);
  const text = `${severity}[${code}]${follows === true ? ' (follows)' : ''}: ${message}`;
  if (from < 2) return `#<${'-'.repeat(from + width)} ${text}`;
  return `#${' '.repeat(from - 1)}${'^'.repeat(width)} ${text}`;
}
