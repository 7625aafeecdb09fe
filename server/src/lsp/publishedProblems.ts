import type { Analysis } from '../analysis/analysis';
import { listedInEditor, movedProblems, shownProblems } from '../analysis/problems';
import type { Problem } from '../rules/framework/problem';

/** Problems to publish, with and without running the scheduler. */
export interface PublishedProblems {
  /** Those that are found in the file alone: what another one holds may not be read yet. */
  own(uri: string): readonly Problem[];
  /** Problems without a scheduler run, plus the scheduler's last problems where their text is unchanged. */
  quick(uri: string): readonly Problem[];
  /** All problems, with a scheduler run; undefined: the file needs none, so that `quick` has all problems. */
  whole(uri: string): readonly Problem[] | undefined;
}

/** The scheduler's problems of a text, shown until the next run. */
interface SchedulerProblems {
  readonly text: string;
  readonly problems: readonly Problem[];
}

export function createPublishedProblems(analysis: () => Analysis): PublishedProblems {
  const lastRuns = new Map<string, SchedulerProblems>();

  function quick(uri: string): readonly Problem[] {
    const found = analysis().quickDiagnostics(uri);
    return listedInEditor(shownProblems([...found, ...kept(uri, found)]));
  }

  /** The scheduler's last problems, moved to their places in the current text. */
  function kept(uri: string, found: readonly Problem[]): readonly Problem[] {
    const text = analysis().text(uri);
    const last = lastRuns.get(uri);
    if (text === undefined || last === undefined) return [];
    const foundKeys = new Set(found.map(keyOf));
    const shown = movedProblems(last.problems, last.text, text);
    lastRuns.set(uri, { text, problems: shown });
    return shown.filter(it => !foundKeys.has(keyOf(it)));
  }

  function whole(uri: string): readonly Problem[] | undefined {
    const now = analysis();
    const text = now.text(uri);
    if (text === undefined || !now.asksScheduler(uri)) return lastRuns.delete(uri) ? quick(uri) : undefined;
    const problems = now.diagnostics(uri);
    const found = new Set(now.quickDiagnostics(uri).map(keyOf));
    lastRuns.set(uri, { text, problems: problems.filter(it => !found.has(keyOf(it))) });
    return listedInEditor(shownProblems(problems));
  }

  const own = (uri: string): readonly Problem[] => listedInEditor(shownProblems(analysis().ownDiagnostics(uri)));
  return { own, quick, whole };
}

const keyOf = ({ code, span }: Problem): string => `${code} ${span.start} ${span.end}`;
