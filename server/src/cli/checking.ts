import { type Analysis, defaultSettings } from '../analysis/analysis';
import { listedProblems, mendedProblems } from '../analysis/listed';
import type { Collected } from './collect';
import { aboveOf, type SettingFlags } from './options';
import { fileProblem, linesOf, type ReportedProblem, reported } from './report';
import { type HostWorld, judgePolicies, newHost, type PlainChange } from './workspace';

/** What a thread needs to find the same problems as the command itself, as plain data. */
export interface CheckingInput {
  /** What made the analysis of the command, in its order. */
  readonly changes: readonly PlainChange[];
  readonly flags: SettingFlags;
  /** How many problems of a file have the same code at most. */
  readonly limit: number;
  /** The files to look at. */
  readonly files: readonly Asked[];
  /** Shared: how many of the files some thread has taken, as one 32-bit integer. */
  readonly taken: SharedArrayBuffer;
}

/** A file that was asked for, without its text, which the changes have. */
export type Asked =
  | { readonly path: string; readonly problem?: string }
  | Extract<Collected, { readonly failure: string }>;

/** The problems of a file by its index. */
export type Checked = readonly [index: number, problems: readonly ReportedProblem[]];

export interface CheckingAnswer {
  readonly checked: readonly Checked[];
  /** Texts for standard error. */
  readonly said: readonly string[];
}

/** Few enough that threads end at nearly the same time. */
const FILES_AT_ONCE = 4;

/** Takes files that nobody has taken yet, until there are none, and finds their problems. */
export function checkUntaken(
  files: readonly Asked[],
  taken: SharedArrayBuffer,
  { analysis, limit }: { readonly analysis: Analysis; readonly limit: number },
): readonly Checked[] {
  const count = new Int32Array(taken);
  const lines = linesOf(analysis);
  const checked: Checked[] = [];
  for (
    let first = Atomics.add(count, 0, FILES_AT_ONCE);
    first < files.length;
    first = Atomics.add(count, 0, FILES_AT_ONCE)
  ) {
    for (const [i, file] of files.slice(first, first + FILES_AT_ONCE).entries()) {
      checked.push([first + i, problemsOf(file, analysis, lines, limit)]);
    }
  }
  return checked;
}

/** What one thread does: makes the analysis of the command once more, and checks files that no other thread has taken. */
export async function checkInThread(
  { changes, flags, limit, files, taken }: CheckingInput,
  world: Omit<HostWorld, 'err'>,
): Promise<CheckingAnswer> {
  const said: string[] = [];
  const own = { ...world, err: (text: string) => void said.push(text) };
  const host = newHost(own);
  const above = aboveOf(flags);
  for (const change of changes) host.apply(change.settings === undefined ? change : { ...change, above });
  const settings = changes.find(it => it.settings !== undefined)?.settings ?? defaultSettings;
  // There are no policies here, and the analysis is to know that.
  await judgePolicies(host, settings, own);
  return { checked: checkUntaken(files, taken, { analysis: host.analysis(), limit }), said };
}

/** A file that could not be read is told whatever was asked for: leaving it out would look like a clean answer. */
function problemsOf(
  file: Asked,
  analysis: Analysis,
  lines: ReturnType<typeof linesOf>,
  limit: number,
): readonly ReportedProblem[] {
  if ('failure' in file) return [fileProblem('syntax/unreadable', file.path, file.failure)];
  const listed = mendedProblems(listedProblems(analysis.diagnostics(file.path), limit));
  const own = listed.map(it => reported(it, lines));
  // The parser says itself what it finds binary, but not for text that does not look like a manifest.
  if (file.problem === undefined || own.some(it => it.code === 'syntax/binary')) return own;
  return [fileProblem('syntax/encoding', file.path, file.problem), ...own];
}
