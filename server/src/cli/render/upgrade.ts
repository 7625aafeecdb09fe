import type { UpgradeChange } from '../../analysis/upgrade';
import { changeInWords, sinceInWords, URGENCIES, urgencyTitle } from '../../analysis/upgradeReport';
import { printable, printableJson } from '../../text/printable';
import type { NotEvaluated } from '../input/workspace';
import type { Report } from '../report';
import type { ReportedFix, ReportedProblem } from '../reportedProblem';
import type { Skipped } from '../world';
import { CONTRACT } from './json';
import { counted, type Paint } from './style';

/** A change with its place in lines. */
export type ReportedChange = Omit<UpgradeChange, 'problem'> &
  Omit<ReportedProblem, 'fixes'> & { readonly fixes: readonly ReportedFix[] };

/** What `berth upgrade` found, ready to be written in any format. */
export interface ReportedUpgrade {
  readonly versions: readonly string[];
  readonly files: number;
  readonly documents: number;
  readonly milliseconds: number;
  readonly changes: readonly ReportedChange[];
  readonly stillRefused: number;
  readonly notes: readonly string[];
  readonly notEvaluated: readonly NotEvaluated[];
  readonly skipped: readonly Skipped[];
  /** One sentence when the command could not do all of its work. */
  readonly error?: string;
}

const countsOf = (changes: readonly ReportedChange[]): Readonly<Record<string, number>> =>
  Object.fromEntries(URGENCIES.map(urgency => [urgency, changes.filter(it => it.urgency === urgency).length]));

/** The report as the contract says, one JSON document. */
export function upgradeJson(report: ReportedUpgrade): string {
  const { versions, files, documents, milliseconds, changes, stillRefused } = report;
  const { notes, notEvaluated, skipped, error } = report;
  const document = {
    contract: CONTRACT,
    from: versions[0] ?? '',
    to: versions.at(-1) ?? '',
    versions,
    summary: { files, documents, ...countsOf(changes), stillRefused, milliseconds },
    changes,
    ...(notes.length > 0 && { notes }),
    ...(notEvaluated.length > 0 && { notEvaluated }),
    ...(skipped.length > 0 && { skipped }),
    ...(error !== undefined && { error }),
  };
  return `${printableJson(document)}\n`;
}

/** The report as lines, by urgency. */
export function upgradeText(report: ReportedUpgrade, paint: Paint): string {
  const { versions, files, documents, milliseconds, changes, stillRefused, notes } = report;
  const sections = URGENCIES.flatMap(urgency => {
    const own = changes.filter(it => it.urgency === urgency);
    if (own.length === 0) return [];
    return [`${paint('bold', urgencyTitle(urgency))}\n`, ...own.map(it => changeLines(it, paint)), '\n'];
  });
  const amounts = Object.entries(countsOf(changes)).flatMap(([name, n]) => (n === 0 ? [] : [`${n} ${name}`]));
  const found = amounts.length === 0 ? paint('green', 'nothing changes') : amounts.join(', ');
  const what = `${counted(files, 'file')}, ${counted(documents, 'document')}`;
  const same =
    stillRefused === 0
      ? ''
      : `${counted(stillRefused, 'object')} ${stillRefused === 1 ? 'is' : 'are'} refused before and after: \`berth check\` says why\n`;
  const said = notes.map(it => `${paint('yellow', 'note')} ${printable(it)}\n`).join('');
  return `${sections.join('')}${same}${said}${what}, Kubernetes ${versions.join(' → ')}: ${found} (${milliseconds} ms)\n`;
}

const STYLES = { error: 'red', warning: 'yellow', info: 'blue', hint: 'dim' } as const;

function changeLines(change: ReportedChange, paint: Paint): string {
  const { path, range, object, code, fixes, severity, pods } = change;
  const place = `${path}:${range.start.line + 1}:${range.start.character + 1}`;
  const about = object === undefined ? '' : ` ${`${object.kind} ${object.name ?? ''}`.trim()}`;
  const [fix] = fixes;
  return [
    `  ${paint('bold', printable(place))}${printable(about)} ${paint('dim', `${code}, ${sinceInWords(change)}`)}\n`,
    `    ${paint(STYLES[severity], printable(changeInWords(change)))}\n`,
    ...(pods ?? []).slice(0, SHOWN_PODS).map(it => `      ${printable(podLine(it))}\n`),
    fix === undefined ? '' : `    ${paint('green', 'help')} ${printable(fix.title)}\n`,
  ].join('');
}

/** How many Pods of one workload are listed. */
const SHOWN_PODS = 5;

function podLine({ pod, before, after }: NonNullable<UpgradeChange['pods']>[number]): string {
  return `${pod}: ${before.node ?? 'no node'} → ${after.node ?? 'no node'}`;
}

/** The changes as problems of a check, for formats that know nothing else. Each says from which version on it holds. */
export function upgradeReport(report: ReportedUpgrade): Report {
  const { files, documents, milliseconds, changes, notEvaluated, skipped, versions, error } = report;
  const problems = changes.map(({ headline, ...it }) => ({
    ...it,
    message: `${changeInWords(it)} (${sinceInWords(it)})`,
    headline: `${changeInWords({ ...it, headline })} (${sinceInWords(it)})`,
  }));
  return {
    kubernetesVersion: versions.at(-1) ?? '',
    files,
    documents,
    milliseconds,
    problems,
    suppressed: { count: 0, shown: [] },
    notEvaluated,
    notRead: 0,
    skipped,
    ...(error !== undefined && { error }),
  };
}
