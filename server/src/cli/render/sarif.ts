import { posix } from 'node:path';
import { shownProblems } from '../../analysis/problems';
import type { Severity } from '../../rules/framework/problem';
import type { RuleMeta } from '../../rules/framework/rule';
import { printableJson } from '../../text/printable';
import type { Report } from '../report';
import type { Range, ReportedProblem } from '../reportedProblem';
import { withMore } from './style';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
  hint: 'note',
};

/**
 * The report as one SARIF 2.1.0 log with one run, without what only follows from another problem: an alert for each
 * consequence would be opened and closed with that of the cause. `metas` tell about the codes;
 * a code without one has its name only.
 */
export function renderSarif(report: Report, version: string, metas: readonly RuleMeta[]): string {
  const problems = [...shownProblems(report.problems), ...report.suppressed.shown];
  const codes = [...new Set(problems.map(it => it.code))].sort();
  const indexOf = new Map(codes.map((code, index) => [code, index]));
  const notifications = [
    ...report.notEvaluated.map(it =>
      notificationOf('warning', `Policies of ${it.policies} were not evaluated: ${it.reason}`),
    ),
    ...report.skipped.map(it => notificationOf('note', `${it.path} ${it.reason}.`)),
    ...(report.error === undefined ? [] : [notificationOf('error', report.error)]),
  ];
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Berth', version, rules: codes.map(code => ruleOf(code, metas)) } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: report.error === undefined,
            ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
          },
        ],
        results: problems.map(it => resultOf(it, indexOf.get(it.code)!)),
      },
    ],
  };
  return `${printableJson(log, 2)}\n`;
}

const notificationOf = (level: 'note' | 'warning' | 'error', text: string): object => ({
  level,
  message: messageOf(text),
});

function ruleOf(code: string, metas: readonly RuleMeta[]): object {
  const meta = metas.find(it => it.code === code);
  if (!meta) return { id: code };
  return {
    id: code,
    shortDescription: { text: meta.summary },
    fullDescription: { text: meta.why },
    help: { text: meta.remedy },
    ...(meta.url !== undefined && { helpUri: meta.url }),
    defaultConfiguration: { level: LEVELS[meta.severity] },
    properties: { category: meta.category },
  };
}

function resultOf(problem: ReportedProblem, ruleIndex: number): object {
  const { code, severity, headline, detail, path, range, related, object, fieldPath, suppressed, more } = problem;
  const logical = [object && `${object.kind}/${object.name ?? ''}`, fieldPath]
    .filter(it => it !== undefined && it !== '')
    .join(' ');
  return {
    ruleId: code,
    ruleIndex,
    level: LEVELS[severity],
    message: messageOf([withMore(headline, more), ...(detail === undefined ? [] : [detail])].join('\n')),
    locations: [
      { ...locationOf(path, range), ...(logical !== '' && { logicalLocations: [{ fullyQualifiedName: logical }] }) },
    ],
    ...(suppressed && { suppressions: [suppressionOf(suppressed)] }),
    ...(related.length > 0 && {
      relatedLocations: related.map((it, index) => ({
        id: index,
        ...locationOf(it.path, it.range),
        message: messageOf(it.message),
      })),
    }),
  };
}

/** Viewers make a link of `[text](target)` in a plain text (section 3.11.6): one that a manifest holds is none. */
const messageOf = (text: string): object => ({ text: text.replace(/\](?=\()/g, '] ') });

function suppressionOf({ by, reason }: NonNullable<ReportedProblem['suppressed']>): object {
  const kind = by === 'baseline' ? 'external' : 'inSource';
  return { kind, ...(reason !== undefined && { justification: reason }) };
}

function locationOf(path: string, { start, end }: Range): object {
  const region = {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
  return { physicalLocation: { artifactLocation: { uri: uriOf(path) }, region } };
}

/** A relative path stays a relative reference, so that a viewer resolves it against the checkout. */
function uriOf(path: string): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  if (posix.isAbsolute(path)) return `file://${encoded}`;
  return /^[A-Za-z]:\//.test(path) ? `file:///${encoded}` : encoded;
}
