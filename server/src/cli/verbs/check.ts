import { allMetas } from '../../analysis/metadata';
import { countOf, isAtLeastAsBad, LISTED_OF_A_CODE, SEVERITIES } from '../../analysis/problems';
import { defaultSettings, versionMeant } from '../../analysis/settings';
import type { Severity } from '../../rules/framework/problem';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import { filesBeside } from '../input/beside';
import {
  aboveOf,
  CHECK_FORMATS,
  CHECK_LIMITS,
  type CheckFormat,
  countsFor,
  oneOf,
  REQUIRED,
  readCategories,
  readCount,
  readJobs,
  readShard,
} from '../input/options';
import { type OpenedWorkspace, openWorkspace } from '../input/workspace';
import { renderGithub } from '../render/github';
import { renderJson } from '../render/json';
import { renderSarif } from '../render/sarif';
import { colourful, counted, failureOf, plain } from '../render/style';
import { renderQuiet, renderText } from '../render/text';
import type { Report } from '../report';
import { problemsOfAll } from '../threads/jobs';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth check` as commander hands them over. */
export interface CheckFlags {
  readonly kubernetesVersion?: string;
  readonly featureGates?: string;
  readonly podSecurity?: string;
  readonly only?: string;
  readonly config?: string;
  readonly environment?: string;
  readonly format: string;
  readonly failOn: string;
  readonly jobs?: string;
  readonly shard?: string;
  readonly render?: boolean;
  readonly preset?: string;
  readonly baseline?: string;
  readonly showSuppressed?: boolean;
  readonly require?: string;
  readonly maxProblems?: string;
  readonly minSeverity?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const NONE: Report['suppressed'] = { count: 0, shown: [] };

interface Found {
  readonly report: Report;
  readonly textOf: (path: string) => string | undefined;
}

/** Says what is wrong with the manifests of the paths. Never throws for bad input: that is exit code 2 and a sentence. */
export async function check(paths: readonly string[], flags: CheckFlags, world: CliWorld): Promise<ExitCode> {
  const start = world.now();
  // Without a known format there is no better one to complain in than text.
  const format = CHECK_FORMATS.find(it => it === flags.format) ?? 'text';
  const { report, textOf } = await found(paths, flags, world, start);
  if (report.error !== undefined) complain(world, report.error);
  write(format, { ...report, problems: listed(report.problems, flags) }, { textOf, flags }, world);
  if (report.error !== undefined) return EXIT.failed;
  const counting: readonly Severity[] = countsFor(oneOf('--fail-on', flags.failOn, CHECK_LIMITS));
  return report.problems.some(it => counting.includes(it.severity)) ? EXIT.found : EXIT.clean;
}

/** The problems of the severities that were asked for; the others count for the exit code all the same. */
function listed(problems: Report['problems'], { minSeverity }: CheckFlags): Report['problems'] {
  const least = SEVERITIES.find(it => it === minSeverity) ?? 'hint';
  return problems.filter(it => isAtLeastAsBad(it.severity, least));
}

async function found(paths: readonly string[], flags: CheckFlags, world: CliWorld, start: number): Promise<Found> {
  try {
    return await findProblems(paths, flags, world, start);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const nothing = {
      files: 0,
      documents: 0,
      problems: [],
      suppressed: NONE,
      notEvaluated: [],
      notRead: 0,
      skipped: world.borders.skipped(),
      kubernetesVersion: versionMeant(defaultSettings.kubernetesVersion, undefined),
    };
    return {
      report: { ...nothing, milliseconds: elapsed(world, start), error: error.message },
      textOf: () => undefined,
    };
  }
}

async function findProblems(
  paths: readonly string[],
  flags: CheckFlags,
  world: CliWorld,
  start: number,
): Promise<Found> {
  oneOf('--format', flags.format, CHECK_FORMATS);
  oneOf('--fail-on', flags.failOn, CHECK_LIMITS);
  if (flags.minSeverity !== undefined) oneOf('--min-severity', flags.minSeverity, SEVERITIES);
  if (flags.require !== undefined) oneOf('--require', flags.require, REQUIRED);
  const limit = flags.maxProblems === undefined ? LISTED_OF_A_CODE : readCount('--max-problems', flags.maxProblems);
  const only = flags.only === undefined ? undefined : readCategories(flags.only);
  const shard = flags.shard === undefined ? { index: 0, of: 1 } : readShard(flags.shard, 1);
  if (flags.jobs !== undefined) readJobs(flags.jobs);
  const settings = { ...defaultSettings, suppressed: 'report' as const, ...(only && { only }) };
  const opened = await openWorkspace(paths, { ...flags, settings, above: aboveOf(flags) }, world);
  const { asked: files, analysis, failure, notEvaluated } = opened;
  const [wrong] = analysis.status.problems;
  if (wrong !== undefined) throw new UsageError(wrong);
  for (const note of analysis.status.notes) complain(world, note);
  if (flags.render !== true) tellCharts(opened, world);

  // References reach over all files, so that a shard reads them all and only speaks of its own.
  const own = files.filter((_, index) => index % shard.of === shard.index);
  const checked = await problemsOfAll(own, opened, { flags, limit }, world);
  const all = checked.flat().filter(it => only?.includes(it.category) ?? true);
  const suppressed = all.filter(it => it.suppressed !== undefined);
  const problems = all.filter(it => it.suppressed === undefined);
  const unread = own.flatMap(it => ('failure' in it ? [it] : []));
  const report: Report = {
    kubernetesVersion: analysis.settings.kubernetesVersion,
    files: own.length - unread.length,
    documents: own.reduce((sum, it) => sum + analysis.documentCount(it.path), 0),
    problems,
    suppressed: { count: countOf(suppressed), shown: flags.showSuppressed === true ? suppressed : [] },
    milliseconds: elapsed(world, start),
    notEvaluated,
    notRead: await filesBeside(paths, new Set(analysis.uris), world),
    skipped: world.borders.skipped(),
    ...(notEvaluated.length > 0 && flags.require === 'policies' && { error: notEvaluatedInWords(notEvaluated) }),
    ...(failure !== undefined && { error: failure }),
    ...(unread.length > 0 && { error: failureOf(unread) }),
  };
  return { report, textOf: path => analysis.text(path) };
}

/** A template is no YAML: without Helm nothing of it is checked. */
function tellCharts({ asked, analysis }: Pick<OpenedWorkspace, 'asked' | 'analysis'>, world: CliWorld): void {
  const charts = analysis.renderJobs.filter(it => it.tool === 'helm' && asked.some(({ path }) => it.reads(path)));
  if (charts.length === 0) return;
  const named = charts.slice(0, MOST_CHARTS).map(it => (it.folder === '.' ? it.source : it.folder));
  const more = charts.length > named.length ? ` and ${counted(charts.length - named.length, 'other')}` : '';
  const these = charts.length === 1 ? 'this Helm chart' : 'these Helm charts';
  complain(world, `The templates of ${these} are not checked, as --render is not given: ${named.join(', ')}${more}.`);
}

const MOST_CHARTS = 3;

function notEvaluatedInWords(notEvaluated: Report['notEvaluated']): string {
  const reasons = notEvaluated.map(it => `${it.policies}: ${it.reason}`);
  return `--require policies: some policies were not evaluated. ${reasons.join(' ')}`;
}

function write(
  format: CheckFormat,
  report: Report,
  { textOf, flags }: Pick<Found, 'textOf'> & { readonly flags: CheckFlags },
  world: CliWorld,
): void {
  if (format === 'json') world.out(renderJson(report));
  else if (format === 'sarif') world.out(renderSarif(report, world.version, allMetas()));
  else if (format === 'github') world.out(renderGithub(report));
  else if (report.files > 0 || report.error === undefined) {
    const paint = world.colours ? colourful : plain;
    const render = flags.quiet === true ? renderQuiet : renderText;
    const detail = flags.verbose === true ? 'verbose' : 'brief';
    world.out(render(report, { textOf, metas: allMetas(), paint, columns: world.columns, detail }));
  }
}

const elapsed = (world: CliWorld, start: number): number => Math.round(world.now() - start);
