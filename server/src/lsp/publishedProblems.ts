import type { Analysis } from '../analysis/analysis';
import { listedInEditor, movedProblems, shownProblems } from '../analysis/problems';
import type { Problem } from '../rules/framework/problem';

/** What is told of files: with and without asking the scheduler. */
export interface PublishedProblems {
  /** What is quick to find, and what the scheduler said last of a text that still stands. */
  quick(uri: string): readonly Problem[];
  /** All, with what the scheduler says now; undefined where `quick` has told all, as the file asks it nothing. */
  whole(uri: string): readonly Problem[] | undefined;
}

/** What the scheduler said of a text, to be shown on until it is asked anew. */
interface Said {
  readonly text: string;
  readonly problems: readonly Problem[];
}

export function createPublishedProblems(analysis: () => Analysis): PublishedProblems {
  const said = new Map<string, Said>();

  function quick(uri: string): readonly Problem[] {
    const found = analysis().quickDiagnostics(uri);
    return listedInEditor(shownProblems([...found, ...kept(uri, found)]));
  }

  /** What the scheduler said last, where the text that it spoke of still stands. */
  function kept(uri: string, found: readonly Problem[]): readonly Problem[] {
    const text = analysis().text(uri);
    const last = said.get(uri);
    if (text === undefined || last === undefined) return [];
    const told = new Set(found.map(placeOf));
    const shown = movedProblems(last.problems, last.text, text);
    said.set(uri, { text, problems: shown });
    return shown.filter(it => !told.has(placeOf(it)));
  }

  function whole(uri: string): readonly Problem[] | undefined {
    const now = analysis();
    const text = now.text(uri);
    if (text === undefined || !now.asksScheduler(uri)) return said.delete(uri) ? quick(uri) : undefined;
    const problems = now.diagnostics(uri);
    const found = new Set(now.quickDiagnostics(uri).map(placeOf));
    said.set(uri, { text, problems: problems.filter(it => !found.has(placeOf(it))) });
    return listedInEditor(shownProblems(problems));
  }

  return { quick, whole };
}

const placeOf = ({ code, span }: Problem): string => `${code} ${span.start} ${span.end}`;
