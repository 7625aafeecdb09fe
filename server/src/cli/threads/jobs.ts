import type { Collected } from '../input/collected';
import { readJobs } from '../input/options';
import type { SettingFlags } from '../input/settingFlags';
import type { OpenedWorkspace } from '../input/workspace';
import type { ReportedProblem } from '../reportedProblem';
import type { CliWorld } from '../world';
import { checkUntaken } from './checking';
import type { CheckingAnswer, RequestedFile } from './checkingMessages';

/** Each thread reads the whole workspace again: with less text than this for each, it would cost more time than it saves. */
const CHARACTERS_PER_JOB = 500_000;

/**
 * The problems of files in their order, found by as many threads as `--jobs` allows and the work is worth. What a thread
 * does not answer is found here.
 */
export async function problemsOfAll(
  files: readonly Collected[],
  opened: OpenedWorkspace,
  { flags, limit }: { readonly flags: SettingFlags & { readonly jobs?: string }; readonly limit: number },
  world: CliWorld,
): Promise<readonly (readonly ReportedProblem[])[]> {
  const { analysis } = opened;
  const jobs = jobsFor(files, opened, flags.jobs);
  const asked = files.map(withoutText);
  const taken = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const changes = opened.plainChanges ?? [];
  const input = { changes, flags: settingFlags(flags), limit, files: asked, taken };
  const others = Array.from({ length: jobs - 1 }, () => world.checkInThread(input));
  const progress = (n: number) => world.progress?.(`Checked ${n} of ${asked.length} files`);
  const found = new Map(checkUntaken(asked, taken, { analysis, limit, progress }));
  world.progress?.('');
  for (const { checked, said } of (await Promise.all(others.map(answered))).flatMap(it => it ?? [])) {
    for (const [index, problems] of checked) found.set(index, problems);
    for (const it of said) world.err(it);
  }
  const left = asked.filter((_, index) => !found.has(index));
  const late = new Map(checkUntaken(left, new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT), { analysis, limit }));
  const lateOf = new Map(left.map((it, index) => [it, late.get(index)]));
  return asked.map((it, index) => found.get(index) ?? lateOf.get(it) ?? []);
}

/** A thread that ends without an answer, as one without memory does, leaves its files to others. */
async function answered(answer: Promise<CheckingAnswer>): Promise<CheckingAnswer | undefined> {
  try {
    return await answer;
  } catch {
    return undefined;
  }
}

/**
 * One where the threads would do the same work again: policies are asked and Pods are placed for all files together, and
 * clusters and renderings were fetched once.
 */
function jobsFor(
  files: readonly Collected[],
  { analysis, plainChanges, hasPolicies }: OpenedWorkspace,
  wanted: string | undefined,
): number {
  // Each thread parses and indexes everything once more, which on two cores costs more than it saves.
  const most = wanted === undefined ? 1 : readJobs(wanted);
  if (most === 1) return 1;
  const characters = files.reduce((sum, it) => sum + ('text' in it ? it.text.length : 0), 0);
  const worth = Math.min(most, Math.floor(characters / CHARACTERS_PER_JOB));
  if (worth <= 1 || plainChanges === undefined || hasPolicies()) return 1;
  return files.some(it => analysis.asksScheduler(it.path)) ? 1 : worth;
}

function withoutText(file: Collected): RequestedFile {
  if ('failure' in file) return file;
  const { path, problem } = file;
  return problem === undefined ? { path } : { path, problem };
}

/** Of all flags those that settings are made of. */
function settingFlags(flags: SettingFlags): SettingFlags {
  const { baseline, preset, kubernetesVersion, featureGates, podSecurity, cluster } = flags;
  const given = Object.entries({ baseline, preset, kubernetesVersion, featureGates, podSecurity, cluster });
  return Object.fromEntries(given.filter(([, it]) => it !== undefined));
}
