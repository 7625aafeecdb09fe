import { withFields, withNoFixes } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';

/** So many problems of one file with the same code are listed where nobody asks for another number. */
export const LISTED_OF_A_CODE = 1_000;

/**
 * The first `limit` problems of each code in one file; the last of them tells in `more` how many others there are.
 * Severities, consequences and silenced problems are counted apart, so that whatever is filtered later stays exact.
 */
export function listedProblems(problems: readonly Problem[], limit: number): readonly Problem[] {
  if (problems.length <= limit) return problems;
  const groups = new Map<string, Problem[]>();
  for (const problem of problems) {
    const key = groupOf(problem);
    const group = groups.get(key);
    if (group) group.push(problem);
    else groups.set(key, [problem]);
  }
  const listed = new Map<Problem, Problem>();
  for (const group of groups.values()) for (const [it, shown] of listedOf(group, limit)) listed.set(it, shown);
  return problems.flatMap(it => listed.get(it) ?? []);
}

/** So many problems of a file with one code tell how to mend them: each fix is a search through the text. */
const MENDED_OF_A_CODE = 100;

/** The same problems of one file; behind the first of each code they come without fixes. */
export function mendedProblems(problems: readonly Problem[]): readonly Problem[] {
  const counts = new Map<string, number>();
  return problems.map(it => {
    const count = (counts.get(it.code) ?? 0) + 1;
    counts.set(it.code, count);
    return count <= MENDED_OF_A_CODE ? it : withNoFixes(it);
  });
}

/** So many problems of one file an editor is given at most. */
const LISTED_IN_EDITOR = 1_000;

/** Tried in turn until a file has no more problems than an editor is given. */
const LIMITS_IN_EDITOR = [1_000, 200, 100, 50, 20, 10, 5, 2];

/** What an editor is given of the problems of one file. */
export function listedInEditor(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= LISTED_IN_EDITOR) return problems;
  const limit = LIMITS_IN_EDITOR.find(it => listedProblems(problems, it).length <= LISTED_IN_EDITOR);
  return listedProblems(problems, limit ?? 1);
}

/** How many problems a list stands for, those that it only counts included. */
export function countOf(problems: readonly Pick<Problem, 'more'>[]): number {
  return problems.reduce((sum, it) => sum + 1 + (it.more ?? 0), 0);
}

function listedOf(group: readonly Problem[], limit: number): readonly (readonly [Problem, Problem])[] {
  const shown = group.slice(0, limit);
  const last = shown.at(-1);
  const left = countOf(group.slice(limit));
  if (last === undefined || left === 0) return shown.map(it => [it, it]);
  const telling = withFields(last, { more: left + (last.more ?? 0) });
  return shown.map(it => [it, it === last ? telling : it]);
}

const groupOf = ({ code, severity, follows, suppressed }: Problem): string =>
  `${code} ${severity} ${follows === true} ${suppressed?.by}`;
