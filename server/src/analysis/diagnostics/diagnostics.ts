import type { Steps } from '../../base/steps';
import { RULES } from '../../rules/engine/registry';
import type { Problem } from '../../rules/framework/problem';
import type { AnalysisContext } from './analysisContext';
import type { Pace } from './environmentAnalysis';

/** The problems of files. */
export interface Diagnostics {
  diagnostics(uri: string): readonly Problem[];
  /** The same without the rules that ask the scheduler and without explorations, so that typing does not wait for them. */
  quickDiagnostics(uri: string): readonly Problem[];
  /** Those of them that are found in a file alone, whatever other files hold. */
  ownDiagnostics(uri: string): readonly Problem[];
  /** Computes what these functions answer, in steps; the same question is then answered at once. */
  diagnosticsInSteps(uri: string, pace: Pace): Steps<readonly Problem[]>;
  /** Whether `diagnostics` of a file may have more problems than `quickDiagnostics`. */
  asksScheduler(uri: string): boolean;
  /**
   * Forgets the problems and the positions of a file that is not open. Every question has the same answer as before, and
   * the first one computes it again.
   */
  release(uri: string): void;
}

/** The codes of rules that look at other files, too. */
const OF_OTHER_FILES: ReadonlySet<string> = new Set(
  RULES.flatMap(({ meta }) => (meta.cost === 'typing' ? [] : [meta.code])),
);

/** Those that are found in a file alone. */
export const ownProblems = (problems: readonly Problem[]): readonly Problem[] =>
  problems.filter(it => !OF_OTHER_FILES.has(it.code));

export const diagnostics = ({
  problemsOf,
  problemsInSteps,
  environmentsOf,
  release,
  state,
  systems,
}: AnalysisContext): Diagnostics => ({
  diagnosticsInSteps: problemsInSteps,
  diagnostics: uri => problemsOf(uri, 'whole'),
  quickDiagnostics: uri => problemsOf(uri, 'quick'),
  ownDiagnostics: uri => ownProblems(problemsOf(uri, 'quick')),
  asksScheduler(uri) {
    const file = state.files.get(uri);
    if (file !== undefined && systems.isSystem(file)) return true;
    return environmentsOf(uri).some(it => it.placements.knowsNodes(uri));
  },
  release,
});
