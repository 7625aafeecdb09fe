import { countOf, SEVERITIES, shownProblems } from '../../analysis/problems';
import { compareText } from '../../base/compareText';
import { grouped } from '../../base/multiMap';
import type { Severity } from '../../rules/framework/problem';
import type { RuleMeta } from '../../rules/framework/rule';
import { printable, printablePath, printableSource } from '../../text/printable';
import { count, type Report } from '../report';
import type { ReportedProblem } from '../reportedProblem';
import { andMore, counted, type Paint, type Style, withMore } from './style';
import { fitted } from './width';

const STYLES: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'blue', hint: 'dim' };

/** The server's errors and warnings say themselves what to do. */
const SAYS_WHAT_TO_DO: ReadonlySet<string> = new Set(['apiserver', 'warning']);

/** Columns beside the number of a source line. */
const GUTTER = 4;
/** Longest part of a source line that is shown. */
const WIDTH = 120;
/** With more problems than this the end of the report counts them by code and by file. */
const MANY = 50;
/** How many codes and files the counts name. */
const MOST_COUNTED = 10;

export interface TextOptions {
  readonly paint: Paint;
  /** Of the terminal; undefined: lines may have any length. */
  readonly columns?: number | undefined;
  /** verbose: with what stands behind each headline. */
  readonly detail: 'brief' | 'verbose';
  readonly metas: readonly RuleMeta[];
  /** Text of a file, undefined when it was not read. */
  readonly textOf: (path: string) => string | undefined;
}

/** The report as a compiler writes it: place, code, message, the source line with what is meant underlined, the remedy. */
export function renderText(report: Report, options: TextOptions): string {
  const remedies = new Map(options.metas.map(it => [it.code, it.remedy]));
  const lines = linesOnce(options.textOf);
  const problems = shownProblems(report.problems);
  const blocks = problems.map(it => block(it, remedies.get(it.code), lines(it.path), options));
  const silenced = report.suppressed.shown.map(it => fitted(silencedLine(it, options.paint), options.columns));
  const counts = problems.length > MANY ? fitted(countsOf(problems, options.paint), options.columns) : '';
  return [
    ...blocks,
    ...silenced,
    counts,
    fitted(summary({ ...report, problems }, options.paint), options.columns),
  ].join('');
}

/** Each problem in one line and nothing else. */
export function renderQuiet(report: Report, { paint }: TextOptions): string {
  return shownProblems(report.problems)
    .map(it => headLine(it, withMore(it.headline, it.more), paint))
    .join('');
}

function headLine({ path, range, severity, code }: ReportedProblem, message: string, paint: Paint): string {
  const place = paint('bold', printablePath(`${path}:${range.start.line + 1}:${range.start.character + 1}`));
  const said = printable(message.trimEnd());
  return `${place}: ${paint(STYLES[severity], severity)} ${paint('dim', code)} ${said}\n`;
}

/** Which codes and which files have most of the problems. */
function countsOf(problems: readonly ReportedProblem[], paint: Paint): string {
  return [
    ...tally('Most frequent codes', problems, it => it.code, paint),
    ...tally('Files with most problems', problems, it => printable(it.path), paint),
    '',
  ].join('\n');
}

function tally(
  title: string,
  problems: readonly ReportedProblem[],
  nameOf: (problem: ReportedProblem) => string,
  paint: Paint,
): readonly string[] {
  const groups = [...grouped(problems, nameOf)].map(([name, own]) => ({ name, n: countOf(own) }));
  const sorted = groups.sort((a, b) => b.n - a.n || compareText(a.name, b.name));
  const rest = sorted.slice(MOST_COUNTED).reduce((sum, it) => sum + it.n, 0);
  const width = String(Math.max(rest, sorted[0]?.n ?? 0)).length;
  return [
    `${paint('bold', title)}:`,
    ...sorted.slice(0, MOST_COUNTED).map(({ name, n }) => `  ${String(n).padStart(width)}  ${name}`),
    ...(rest === 0 ? [] : [`  ${String(rest).padStart(width)}  in ${sorted.length - MOST_COUNTED} others`]),
    '',
  ];
}

function block(
  problem: ReportedProblem,
  remedy: string | undefined,
  lines: readonly string[],
  { paint, columns, detail }: TextOptions,
): string {
  const { code, category, path, object, fieldPath, related, fixes, more } = problem;
  const about = [object?.kind ? `${object.kind} ${identity(object)}` : undefined, fieldPath]
    // The server prints the path of a whole object as <nil>.
    .filter(it => it !== undefined && it !== '' && it !== '<nil>')
    .join(', ');
  const help = fixes[0]?.title ?? (SAYS_WHAT_TO_DO.has(category) ? undefined : remedy);
  const [above, below] = [
    [
      headLine(problem, problem.headline, paint),
      ...(detail === 'verbose' ? detailLines(problem, paint) : []),
      about === '' ? '' : `  ${paint('dim', `in ${printable(about)}`)}\n`,
    ],
    [
      ...related.map(
        it => `  ${paint('blue', 'see')} ${printable(`${it.path}:${it.range.start.line + 1}: ${it.message}`)}\n`,
      ),
      help === undefined ? '' : `  ${paint('green', 'help')} ${printable(help)}\n`,
      more === undefined ? '' : `  ${paint('bold', andMore(more))}: ${code} in ${printable(path)}\n`,
      '\n',
    ],
  ];
  return [
    fitted(above.join(''), columns),
    excerpt(problem, lines, paint, columns),
    fitted(below.join(''), columns),
  ].join('');
}

/** What stands behind the headline. */
function detailLines({ detail = '' }: ReportedProblem, paint: Paint): readonly string[] {
  const lines = detail.split('\n').filter(it => it.trim() !== '');
  return lines.map(it => `  ${paint('blue', 'more')} ${printable(it)}\n`);
}

function identity({ namespace, name = '(no name)' }: NonNullable<ReportedProblem['object']>): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function excerpt(
  { range, severity }: ReportedProblem,
  lines: readonly string[],
  paint: Paint,
  columns = Number.POSITIVE_INFINITY,
): string {
  const { start, end } = range;
  const source = lines[start.line];
  if (source === undefined || source.trim() === '') return '';
  // A long line is shown around the place, so that the underline is always in view.
  const number = String(start.line + 1);
  const most = Math.min(WIDTH, columns - number.length - GUTTER);
  const from = start.character > most - 20 ? Math.max(0, start.character - Math.min(40, most >> 1)) : 0;
  const shown = source.slice(from, from + most);
  const last = end.line === start.line ? end.character : source.length;
  const column = start.character - from;
  const length = Math.max(1, Math.min(last - start.character, shown.length - column));
  const gutter = ' '.repeat(number.length);
  const indent = shown.slice(0, column).replace(/[^\t]/g, ' ');
  return [
    `${paint('dim', ` ${gutter} |`)}\n`,
    `${paint('dim', ` ${number} |`)} ${printableSource(shown)}\n`,
    `${paint('dim', ` ${gutter} |`)} ${indent}${paint(STYLES[severity], '^'.repeat(length))}\n`,
  ].join('');
}

/** A silenced problem in one line, with what silences it. */
function silencedLine({ path, range, code, headline, suppressed }: ReportedProblem, paint: Paint): string {
  const place = printablePath(`${path}:${range.start.line + 1}`);
  const why = suppressed?.by === 'baseline' ? 'known to the baseline' : `${suppressed?.by}: ${suppressed?.reason}`;
  return `${paint('dim', `${place}: silenced ${code} ${printable(headline)} (${printable(why)})`)}\n`;
}

function summary(report: Report, paint: Paint): string {
  const { files, documents, problems, suppressed, notEvaluated, notRead, milliseconds } = report;
  const missing = [...new Set(notEvaluated.map(it => it.policies))].join(', ');
  const unasked = missing === '' ? '' : paint('yellow', `, policies not evaluated: ${missing}`);
  const silenced = suppressed.count === 0 ? '' : `, ${suppressed.count} silenced`;
  const alone = notRead === 0 ? '' : ` (without the ${counted(notRead, 'file')} beside ${files === 1 ? 'it' : 'them'})`;
  const what = `${counted(files, 'file')}${alone}, ${counted(documents, 'document')}`;
  const amounts = SEVERITIES.map(severity => ({ severity, n: count(problems, severity) }))
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
