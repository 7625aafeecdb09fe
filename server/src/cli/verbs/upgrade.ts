import { allMetas, knownVersion, supportedMinors } from '../../analysis/metadata';
import { defaultSettings } from '../../analysis/settings';
import { type UpgradeChange, type UpgradeReport, upgradeVersions } from '../../analysis/upgrade';
import { upgradeMarkdown } from '../../analysis/upgradeReport';
import type { Severity } from '../../rules/framework/problem';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import {
  aboveOf,
  CHECK_LIMITS,
  countsFor,
  oneOf,
  readCategories,
  UPGRADE_FORMATS,
  type UpgradeFormat,
} from '../input/options';
import { withUnsaved } from '../input/unsaved';
import { type OpenedWorkspace, openWorkspace } from '../input/workspace';
import { renderSarif } from '../render/sarif';
import { colourful, failureOf, plain } from '../render/style';
import { type ReportedUpgrade, upgradeJson, upgradeReport, upgradeText } from '../render/upgrade';
import { fitted } from '../render/width';
import { linesOf, reported, reportedFixes } from '../report';
import { type CliWorld, UsageError } from '../world';

/** The options of `berth upgrade` as commander hands them over. */
export interface UpgradeFlags {
  readonly from?: string;
  readonly to: string;
  readonly featureGates?: string;
  readonly only?: string;
  readonly podSecurity?: string;
  readonly cluster?: string;
  readonly config?: string;
  readonly environment?: string;
  readonly render?: boolean;
  readonly unsaved?: boolean;
  readonly format: string;
  readonly failOn: string;
}

/** Says what an upgrade of Kubernetes changes for manifests. Never throws for bad input: that is exit code 2 and a sentence. */
export async function upgrade(paths: readonly string[], flags: UpgradeFlags, world: CliWorld): Promise<ExitCode> {
  const start = world.now();
  const format = UPGRADE_FORMATS.find(it => it === flags.format) ?? 'text';
  const report = await foundOrRefused(paths, flags, world, start);
  if (report.error !== undefined) complain(world, report.error);
  write(format, report, world);
  if (report.error !== undefined) return EXIT.failed;
  const counting: readonly Severity[] = countsFor(oneOf('--fail-on', flags.failOn, CHECK_LIMITS));
  return report.changes.some(it => isWorse(it) && counting.includes(it.severity)) ? EXIT.found : EXIT.clean;
}

/** What ends is no reason to stop, and neither is what was refused before. */
const isWorse = ({ change }: Pick<UpgradeChange, 'change'>): boolean => !NO_REASON.has(change);

const NO_REASON: ReadonlySet<UpgradeChange['change']> = new Set(['ended', 'mended', 'kept', 'refused-otherwise']);

async function foundOrRefused(
  paths: readonly string[],
  flags: UpgradeFlags,
  world: CliWorld,
  start: number,
): Promise<ReportedUpgrade> {
  try {
    return await found(paths, flags, world, start);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const nothing = { versions: [], files: 0, documents: 0, changes: [], stillRefused: 0, notes: [], notEvaluated: [] };
    const skipped = world.borders.skipped();
    const milliseconds = Math.round(world.now() - start);
    return { ...nothing, skipped, milliseconds, error: error.message };
  }
}

async function found(
  paths: readonly string[],
  flags: UpgradeFlags,
  saved: CliWorld,
  start: number,
): Promise<ReportedUpgrade> {
  const world = flags.unsaved === true ? await withUnsaved(saved) : saved;
  oneOf('--format', flags.format, UPGRADE_FORMATS);
  oneOf('--fail-on', flags.failOn, CHECK_LIMITS);
  const { from, to } = flags;
  for (const it of [from, to]) if (it !== undefined) checkVersion(it);
  const above = aboveOf({ ...flags, ...(from !== undefined && { kubernetesVersion: from }) });
  const only = flags.only === undefined ? undefined : readCategories(flags.only);
  const opened = await openWorkspace(paths, { ...flags, settings: defaultSettings, above, policies: 'later' }, world);
  const { asked, analysis, failure } = opened;
  const [wrong] = analysis.status.problems;
  if (wrong !== undefined) throw new UsageError(wrong);
  const versions = walkOf(analysis.settings.kubernetesVersion, to);
  const upgraded = await opened.upgrade({ versions, ...(only && { only }) });
  const unread = asked.flatMap(it => ('failure' in it ? [it] : []));
  return {
    versions,
    files: asked.length - unread.length,
    documents: asked.reduce((sum, it) => sum + analysis.documentCount(it.path), 0),
    changes: reportedChanges(upgraded, opened),
    stillRefused: upgraded.stillRefused,
    notes: upgraded.notes,
    notEvaluated: opened.notEvaluated,
    skipped: world.borders.skipped(),
    milliseconds: Math.round(world.now() - start),
    ...(failure !== undefined && { error: failure }),
    ...(unread.length > 0 && { error: failureOf(unread) }),
  };
}

function checkVersion(version: string): void {
  if (knownVersion(version) !== undefined) return;
  throw new UsageError(`Kubernetes "${version}" is not known to Berth; it knows ${supportedMinors.join(', ')}.`);
}

/** Throws UsageError. */
function walkOf(from: string, to: string): readonly string[] {
  const versions = upgradeVersions(from, to);
  if (versions !== undefined) return versions;
  throw new UsageError(`Kubernetes ${to} is not later than ${from}; berth upgrade goes from --from to --to.`);
}

function reportedChanges({ changes }: UpgradeReport, { analysis }: OpenedWorkspace): ReportedUpgrade['changes'] {
  const lines = linesOf(analysis);
  return changes.map(({ problem, ...it }) => ({
    ...it,
    ...reported(problem, lines),
    fixes: reportedFixes(problem, lines),
  }));
}

function write(format: UpgradeFormat, report: ReportedUpgrade, world: CliWorld): void {
  if (format === 'json') world.out(upgradeJson(report));
  else if (format === 'sarif') world.out(renderSarif(upgradeReport(report), world.version, allMetas()));
  else if (report.versions.length === 0) return;
  else if (format === 'markdown') world.out(upgradeMarkdown(report));
  else world.out(fitted(upgradeText(report, world.colours ? colourful : plain), world.columns));
}
