import type { Analysis } from '../../analysis/analysis';
import { listedProblems, mendedProblems } from '../../analysis/problems';
import { defaultSettings } from '../../analysis/settings';
import { aboveOf } from '../input/options';
import { type HostWorld, judgePolicies, newHost } from '../input/workspace';
import { fileProblem, linesOf, reported } from '../report';
import type { ReportedProblem } from '../reportedProblem';
import type { CheckedFile, CheckingAnswer, CheckingInput, RequestedFile } from './checkingMessages';

/** Few enough that threads end at nearly the same time. */
const FILES_AT_ONCE = 4;

interface CheckingOptions {
  readonly analysis: Analysis;
  readonly limit: number;
  /** Receives the number of files that were taken. */
  readonly progress?: (taken: number) => void;
}

/** Takes files that no other thread has taken, until there are none, and finds their problems. */
export function checkUntaken(
  files: readonly RequestedFile[],
  taken: SharedArrayBuffer,
  { analysis, limit, progress = () => undefined }: CheckingOptions,
): readonly CheckedFile[] {
  const count = new Int32Array(taken);
  const lines = linesOf(analysis);
  const checked: CheckedFile[] = [];
  for (
    let first = Atomics.add(count, 0, FILES_AT_ONCE);
    first < files.length;
    first = Atomics.add(count, 0, FILES_AT_ONCE)
  ) {
    progress(first);
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

/** A file that could not be read is always reported: leaving it out would look like a clean answer. */
function problemsOf(
  file: RequestedFile,
  analysis: Analysis,
  lines: ReturnType<typeof linesOf>,
  limit: number,
): readonly ReportedProblem[] {
  if ('failure' in file) return [fileProblem('syntax/unreadable', file.path, file.failure)];
  const listed = mendedProblems(listedProblems(analysis.diagnostics(file.path), limit));
  const own = listed.map(it => reported(it, lines));
  // Nothing asks for them again, and of a large workspace they take more memory than its text.
  analysis.release(file.path);
  // The parser says itself what it finds binary, but not for text that does not look like a manifest.
  if (file.problem === undefined || own.some(it => it.code === 'syntax/binary')) return own;
  return [fileProblem('syntax/encoding', file.path, file.problem), ...own];
}
