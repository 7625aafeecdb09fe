import { shownProblems } from '../../analysis/problems';
import type { Severity } from '../../rules/framework/problem';
import type { RuleMeta } from '../../rules/framework/rule';
import { printable, printableSource } from '../../text/printable';
import { count, type Report } from '../report';
import type { ReportedProblem } from '../reportedProblem';
import { andMore, counted, type Paint, type Style } from './style';

const STYLES: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'blue', hint: 'dim' };

/** The server's errors and warnings say themselves what to do. */
const SAYS_WHAT_TO_DO: ReadonlySet<string> = new Set(['apiserver', 'warning']);

/** Longest part of a source line that is shown. */
const WIDTH = 120;

export interface TextOptions {
  readonly paint: Paint;
  readonly metas: readonly RuleMeta[];
  /** Text of a file, undefined when it was not read. */
  readonly textOf: (path: string) => string | undefined;
}

/** The report as a compiler writes it: place, code, message, the source line with what is meant underlined, the remedy. */
export function renderText(report: Report, options: TextOptions): string {
  const remedies = new Map(options.metas.map(it => [it.code, it.remedy]));
  const lines = linesOnce(options.textOf);
  const problems = shownProblems(report.problems);
  const blocks = problems.map(it => block(it, remedies.get(it.code), lines(it.path), options.paint));
  const silenced = report.suppressed.shown.map(it => silencedLine(it, options.paint));
  return [...blocks, ...silenced, summary({ ...report, problems }, options.paint)].join('');
}

function block(problem: ReportedProblem, remedy: string | undefined, lines: readonly string[], paint: Paint): string {
  const { code, category, severity, message, path, range, object, fieldPath, related, fixes, more } = problem;
  const place = `${path}:${range.start.line + 1}:${range.start.character + 1}`;
  const about = [object?.kind ? `${object.kind} ${identity(object)}` : undefined, fieldPath]
    .filter(it => it !== undefined && it !== '')
    .join(', ');
  const help = fixes[0]?.title ?? (SAYS_WHAT_TO_DO.has(category) ? undefined : remedy);
  return [
    `${paint('bold', printable(place))}: ${paint(STYLES[severity], severity)} ${paint('dim', code)} ${printable(message.trimEnd())}\n`,
    about === '' ? '' : `  ${paint('dim', `in ${printable(about)}`)}\n`,
    excerpt(problem, lines, paint),
    ...related.map(
      it => `  ${paint('blue', 'see')} ${printable(`${it.path}:${it.range.start.line + 1}: ${it.message}`)}\n`,
    ),
    help === undefined ? '' : `  ${paint('green', 'help')} ${printable(help)}\n`,
    more === undefined ? '' : `  ${paint('bold', andMore(more))}: ${code} in ${printable(path)}\n`,
    '\n',
  ].join('');
}

function identity({ namespace, name = '(no name)' }: NonNullable<ReportedProblem['object']>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function excerpt({ range, severity }: ReportedProblem, lines: readonly string[], paint: Paint): string {
  const { start, end } = range;
  const source = lines[start.line];
  if (source === undefined || source.trim() === '') return '';
  // A long line is shown around the place, so that the underline is always in view.
  const from = start.character > WIDTH - 20 ? start.character - 40 : 0;
  const shown = source.slice(from, from + WIDTH);
  const last = end.line === start.line ? end.character : source.length;
  const column = start.character - from;
  const length = Math.max(1, Math.min(last - start.character, shown.length - column));
  const number = String(start.line + 1);
  const gutter = ' '.repeat(number.length);
  const indent = shown.slice(0, column).replace(/[^\t]/g, ' ');
  return [
    `${paint('dim', ` ${gutter} |`)}\n`,
    `${paint('dim', ` ${number} |`)} ${printableSource(shown)}\n`,
    `${paint('dim', ` ${gutter} |`)} ${indent}${paint(STYLES[severity], '^'.repeat(length))}\n`,
  ].join('');
}

/** A silenced problem in one line, with what silences it. */
function silencedLine({ path, range, code, message, suppressed }: ReportedProblem, paint: Paint): string {
  const place = printable(`${path}:${range.start.line + 1}`);
  const why = suppressed?.by === 'baseline' ? 'known to the baseline' : `${suppressed?.by}: ${suppressed?.reason}`;
  return `${paint('dim', `${place}: silenced ${code} ${printable(message)} (${printable(why)})`)}\n`;
}

function summary(report: Report, paint: Paint): string {
  const { files, documents, problems, suppressed, notEvaluated, notRead, milliseconds } = report;
  const missing = [...new Set(notEvaluated.map(it => it.policies))].join(', ');
  const unasked = missing === '' ? '' : paint('yellow', `, policies not evaluated: ${missing}`);
  const silenced = suppressed.count === 0 ? '' : `, ${suppressed.count} silenced`;
  const alone = notRead === 0 ? '' : ` (without the ${counted(notRead, 'file')} beside ${files === 1 ? 'it' : 'them'})`;
  const what = `${counted(files, 'file')}${alone}, ${counted(documents, 'document')}`;
  const amounts = (['error', 'warning', 'info', 'hint'] as const)
    .map(severity => ({ severity, n: count(problems, severity) }))
    .filter(({ n }) => n > 0)
    .map(({ severity, n }) => paint(STYLES[severity], severity === 'info' ? `${n} info` : counted(n, severity)));
  const found = amounts.length === 0 ? paint('green', 'nothing to say') : amounts.join(', ');
  return `${what}, Kubernetes ${report.kubernetesVersion}: ${found}${silenced}${unasked} (${milliseconds} ms)\n`;
}

function linesOnce(textOf: TextOptions['textOf']): (path: string) => readonly string[] {
  const split = new Map<string, readonly string[]>();
  return path => {
    const known = split.get(path);
    if (known) return known;
    const lines = (textOf(path) ?? '').split(/\r\n|\r|\n/);
    split.set(path, lines);
    return lines;
  };
}
