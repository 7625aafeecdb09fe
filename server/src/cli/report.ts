import type { Analysis } from '../analysis/analysis';
import { countOf, layersOf } from '../analysis/problems';
import type { Fix, Problem, Severity } from '../rules/framework/problem';
import { type LineIndex, type LinePosition, lineIndex } from '../text/lineIndex';
import type { Span } from '../text/span';
import type { NotEvaluated } from './input/workspace';
import type { Range, ReportedFix, ReportedProblem } from './reportedProblem';
import type { Skipped } from './world';

/** What `berth check` found, ready to be written in any format. */
export interface Report {
  readonly kubernetesVersion: string;
  readonly files: number;
  readonly documents: number;
  readonly milliseconds: number;
  readonly problems: readonly ReportedProblem[];
  /** Problems that comments, annotations or a baseline silence: how many, and those that were asked for. */
  readonly suppressed: { readonly count: number; readonly shown: readonly ReportedProblem[] };
  readonly notEvaluated: readonly NotEvaluated[];
  /** How many YAML files beside the ones that were named were not read: what those refer to may be in them. */
  readonly notRead: number;
  /** Links that lead out of what was asked for. */
  readonly skipped: readonly Skipped[];
  /** One sentence when the command could not do all of its work. */
  readonly error?: string;
}

/** Line index of a file's text. */
export type LinesOf = (path: string) => LineIndex;

/** Line indexes of the files of an analysis, each made once. */
export function linesOf(analysis: Analysis): LinesOf {
  const made = new Map<string, LineIndex>();
  return path => {
    const known = made.get(path);
    if (known) return known;
    const lines = lineIndex(analysis.text(path) ?? '');
    made.set(path, lines);
    return lines;
  };
}

/** Translates a problem, offsets becoming lines and characters. */
export function reported(problem: Problem, lines: LinesOf): ReportedProblem {
  const { uri, span, related, fixes, unnecessary: _, document, ...same } = problem;
  return {
    ...same,
    ...layersOf(problem),
    path: uri,
    document: document ?? 0,
    range: rangeOf(span, lines(uri)),
    related: related.map(it => ({ path: it.uri, range: rangeOf(it.span, lines(it.uri)), message: it.message })),
    fixes: fixes.filter(changesObject).map(({ title, safety }) => ({ title, safety })),
  };
}

/** Its fixes with what they write; one that makes files is left out, as no edit says that. */
export function reportedFixes({ fixes }: Problem, lines: LinesOf): readonly ReportedFix[] {
  return fixes
    .filter(it => changesObject(it) && it.newFiles === undefined)
    .map(({ title, safety, edits }) => ({
      title,
      safety,
      edits: edits.map(({ uri, span, newText }) => ({ path: uri, range: rangeOf(span, lines(uri)), newText })),
    }));
}

/** Whether a fix changes the object; a comment that silences the problem is for editors, where a reason can be typed. */
function changesObject(fix: Fix): boolean {
  return !fix.edits.some(it => it.newText.includes('# berth-ignore '));
}

const TOP: LinePosition = { line: 0, character: 0 };

/** A file that gave no text, or not the text its author meant, as a problem at its beginning. */
export function fileProblem(code: string, path: string, message: string): ReportedProblem {
  const range = { start: TOP, end: TOP };
  return {
    code,
    category: 'syntax',
    severity: 'error',
    message,
    ...layersOf({ message }),
    path,
    document: 0,
    range,
    related: [],
    fixes: [],
  };
}

/** How many problems have a severity, those that are not listed included. */
export function count(problems: readonly ReportedProblem[], severity: Severity): number {
  return countOf(problems.filter(it => it.severity === severity));
}

function rangeOf(span: Span, lines: LineIndex): Range {
  return { start: lines.position(span.start), end: lines.position(span.end) };
}
