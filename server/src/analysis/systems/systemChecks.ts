import { runToEnd, type Steps } from '../../base/steps';
import { type ExploredSystem, exploreSystem, openSystem } from '../../explore/system/exploreSystem';
import type { SystemProblem } from '../../explore/system/field';
import { holdsSystem } from '../../explore/system/read';
import type { ManifestFile } from '../../manifest/manifest';
import { syntaxProblems } from '../../rules/engine/syntax';
import type { Problem } from '../../rules/framework/problem';
import { findingsOf, problemAt } from './systemProblems';

/** The problems of files of kind System. What was explored is kept as long as the file is the same. */
export interface SystemChecks {
  readonly isSystem: (file: ManifestFile) => boolean;
  /** What is wrong with the text. */
  readonly problems: (file: ManifestFile) => readonly Problem[];
  /** The same, with what an exploration finds. */
  readonly problemsExplored: (file: ManifestFile) => readonly Problem[];
  /** Whether the exploration saw everything, so that there are no other findings. */
  readonly isExhausted: (file: ManifestFile) => boolean;
  /** Explores step by step, so that `problemsExplored` has the answer. */
  readonly exploring: (file: ManifestFile) => Steps<undefined>;
  /** What was explored; undefined: nothing so far. */
  readonly known: (file: ManifestFile) => ExploredSystem | undefined;
}

const LIMITS = { states: 100_000, bytes: 100_000_000, isOver: () => false };

export function createSystemChecks(): SystemChecks {
  const systems = new WeakMap<ManifestFile, boolean>();
  const explored = new WeakMap<ManifestFile, ExploredSystem>();

  function* exploring(file: ManifestFile): Steps<undefined> {
    if (!explored.has(file)) explored.set(file, yield* exploreSystem(file, LIMITS));
    return undefined;
  }

  function exploredOf(file: ManifestFile): ExploredSystem {
    runToEnd(exploring(file));
    return explored.get(file)!;
  }

  return {
    isSystem(file) {
      const known = systems.get(file) ?? holdsSystem(file);
      systems.set(file, known);
      return known;
    },
    problems: file => textProblems(file),
    problemsExplored(file) {
      const found = exploredOf(file);
      if (found.kind === 'refused') return textProblems(file);
      return found.kind === 'invalid' ? textProblems(file, found.problems) : findingsOf(file, found);
    },
    isExhausted(file) {
      const found = exploredOf(file);
      return found.kind === 'explored' && found.report.complete;
    },
    exploring,
    known: file => explored.get(file),
  };
}

/** `own`: what is wrong with the system itself, where that is known. */
function textProblems(file: ManifestFile, own: readonly SystemProblem[] = ownProblems(file)): readonly Problem[] {
  const ofText = syntaxProblems(file);
  if (ofText.some(it => it.severity === 'error')) return ofText;
  return [...ofText, ...own.map(it => problemAt(file, it))];
}

function ownProblems(file: ManifestFile): readonly SystemProblem[] {
  const system = openSystem(file);
  return 'problems' in system ? system.problems : [];
}
