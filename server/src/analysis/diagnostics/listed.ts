import { grouped } from '../../base/multiMap';
import { withFields, withNoFixes } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';

/** The default number of listed problems per file and code. */
export const LISTED_OF_A_CODE = 1_000;

/** The maximum number of problems per file, unless more of one code are asked for: policies give codes of their own. */
const LISTED_OF_A_FILE = 10_000;

/**
 * The first `limit` problems of each code in one file, or fewer of each code where there are too many in all; `more` of the
 * last one is the number of the others. Severities, consequences and suppressed problems are counted separately, so that
 * numbers stay exact after later filters.
 */
export function listedProblems(problems: readonly Problem[], limit: number): readonly Problem[] {
  if (problems.length <= limit) return problems;
  const groups = groupsOf(problems);
  return firstOfEach(problems, groups, limitFor(groups, limit));
}

const groupsOf = (problems: readonly Problem[]): readonly (readonly Problem[])[] => [
  ...grouped(problems, groupOf).values(),
];

function limitFor(groups: readonly (readonly Problem[])[], limit: number): number {
  if (limit === 1 || lengthOf(groups, limit) <= Math.max(LISTED_OF_A_FILE, limit)) return limit;
  return limitFor(groups, Math.ceil(limit / 5));
}

/** How many problems are listed where each group lists so many. */
const lengthOf = (groups: readonly (readonly Problem[])[], limit: number): number =>
  groups.reduce((sum, it) => sum + Math.min(it.length, limit), 0);

function firstOfEach(
  problems: readonly Problem[],
  groups: readonly (readonly Problem[])[],
  limit: number,
): readonly Problem[] {
  if (groups.every(it => it.length <= limit)) return problems;
  const listed = new Map<Problem, Problem>();
  for (const group of groups) for (const [it, shown] of listedOf(group, limit)) listed.set(it, shown);
  return problems.flatMap(it => listed.get(it) ?? []);
}

/** The number of problems per file and code that have fixes: to find a fix is a search through the text. */
const MENDED_OF_A_CODE = 100;

/** The same problems of one file. Beyond the first ones of each code they have no fixes. */
export function mendedProblems(problems: readonly Problem[]): readonly Problem[] {
  const counts = new Map<string, number>();
  return problems.map(it => {
    const count = (counts.get(it.code) ?? 0) + 1;
    counts.set(it.code, count);
    return count <= MENDED_OF_A_CODE ? it : withNoFixes(it);
  });
}

/** The maximum number of problems per file in an editor. */
const LISTED_IN_EDITOR = 1_000;

/** Limits per code, tried one after the other until a file has no more problems than the maximum. */
const LIMITS_IN_EDITOR = [1_000, 200, 100, 50, 20, 10, 5, 2];

/** The problems of one file for an editor. */
export function listedInEditor(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= LISTED_IN_EDITOR) return problems;
  const groups = groupsOf(problems);
  const limit = LIMITS_IN_EDITOR.find(it => lengthOf(groups, limitFor(groups, it)) <= LISTED_IN_EDITOR);
  return firstOfEach(problems, groups, limitFor(groups, limit ?? 1));
}

/** The number of problems in a list, including those that are only counted. */
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
