import { shownProblems } from '../../analysis/problems';
import type { Severity } from '../../rules/framework/problem';
import { printable } from '../../text/printable';
import type { Report } from '../report';
import { withMore } from './style';

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  info: 'notice',
  hint: 'notice',
};

/** The report as workflow commands, which GitHub Actions shows as annotations of the changed lines. */
export function renderGithub(report: Report): string {
  const lines = shownProblems(report.problems).map(({ severity, path, range, code, headline, detail, more }) => {
    const properties = {
      file: path,
      line: range.start.line + 1,
      endLine: range.end.line + 1,
      // GitHub wants columns only for a range within one line.
      ...(range.start.line === range.end.line && {
        col: range.start.character + 1,
        endColumn: range.end.character + 1,
      }),
      title: code,
    };
    const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
    return `::${COMMANDS[severity]} ${list.join(',')}::${paragraphs([withMore(headline, more), detail])}\n`;
  });
  const missing = report.notEvaluated.map(
    it => `::warning title=policies not evaluated::${escapeData(`${it.policies}: ${it.reason}`)}\n`,
  );
  const skipped = report.skipped.map(
    it => `::notice file=${escapeProperty(it.path)},title=link skipped::${escapeData(`${it.path} ${it.reason}.`)}\n`,
  );
  return [...lines, ...missing, ...skipped].join('');
}

/** Each text in lines of its own: GitHub shows %0A as a line break. */
function paragraphs(texts: readonly (string | undefined)[]): string {
  const lines = texts.flatMap(it => it?.split('\n') ?? []);
  return lines.map(escapeData).join('%0A');
}

/** Line breaks cannot come up: `printable` shows them as `\\n`, since the log shows %0A as a line of its own. */
function escapeData(text: string): string {
  return printable(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
