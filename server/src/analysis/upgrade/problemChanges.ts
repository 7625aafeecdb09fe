import { withNoFixes } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';
import type { UpgradeChange, UpgradeEffect, Urgency } from './change';

const UNKNOWN_KIND = 'decode/unknown-kind';

/** The problems under one version. */
export interface ProblemsOfStep {
  readonly version: string;
  /** By what identifies a problem under all versions. */
  readonly problems: ReadonlyMap<string, Problem>;
  /** Those that only follow from others. */
  readonly hidden: ReadonlySet<Problem>;
}

/** Where a problem was first, with what it is in the last version that has it. */
interface Presence {
  readonly at: boolean[];
  problem: Problem;
  /** Whether it only follows from another one under some version. */
  isHidden: boolean;
}

interface ProblemChanges {
  readonly changes: readonly UpgradeChange[];
  /** How many objects are refused under the first and under the last version. */
  readonly stillRefused: number;
}

/**
 * Problems that some versions have and others do not. A text is the same under all versions, so a problem is known by its
 * place and its code.
 */
export function problemChanges(steps: readonly ProblemsOfStep[]): ProblemChanges {
  const first = steps[0]?.problems ?? new Map<string, Problem>();
  const last = steps.at(-1)?.problems ?? new Map<string, Problem>();
  const [before, after] = [refusedIn(first), refusedIn(last)];
  const changes = [...presences(steps)].flatMap(([, { at, problem, isHidden }]): readonly UpgradeChange[] => {
    if (isHidden) return [];
    // Policies of users are asked under the first and the last version.
    const isAtEnds = problem.policy !== undefined;
    const span = isAtEnds ? spanOf(endsOf(at), endsOf(steps)) : spanOf(at, steps);
    if (span === undefined) return [];
    if (span.end === 'ended') return after.undecoded.has(objectOf(problem)) ? [] : [ended(problem, span.since)];
    const change = kindOf(problem);
    const isRefused = isRefusal(problem);
    const wasRefused = isRefused && before.refused.has(objectOf(problem));
    if (span.end === 'passed') return wasRefused ? [] : [started(problem, change, span)];
    return [started(problem, wasRefused && change !== 'not-served' ? 'refused-otherwise' : change, span)];
  });
  return { changes, stillRefused: [...before.refused].filter(it => after.refused.has(it)).length };
}

/** The problems of a file, by what identifies them: the n-th of a code at a place is the n-th under any version. */
export function keyedProblems(problems: readonly Problem[]): ReadonlyMap<string, Problem> {
  const counts = new Map<string, number>();
  return new Map(
    problems.map(it => {
      const { uri, document, item, code, fieldPath, span } = it;
      // Of an unknown kind it depends on the version whether the kind or the apiVersion is underlined.
      const place = code === UNKNOWN_KIND ? '' : `${fieldPath} ${span.start} ${span.end}`;
      const key = `${uri} ${document} ${item} ${code} ${place}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return [`${key} ${count}`, it];
    }),
  );
}

function presences(steps: readonly ProblemsOfStep[]): ReadonlyMap<string, Presence> {
  const all = new Map<string, Presence>();
  for (const [index, { problems, hidden }] of steps.entries()) {
    for (const [key, problem] of problems) {
      const found = all.get(key) ?? { at: steps.map(() => false), problem, isHidden: false };
      found.at[index] = true;
      found.problem = problem;
      found.isHidden ||= hidden.has(problem);
      all.set(key, found);
    }
  }
  return all;
}

const endsOf = <T>(all: readonly T[]): readonly T[] => [...all.slice(0, 1), ...all.slice(1).slice(-1)];

interface PresenceSpan {
  readonly since: string;
  readonly until?: string;
  readonly end: 'started' | 'ended' | 'passed';
}

function spanOf(at: readonly boolean[], steps: readonly ProblemsOfStep[]): PresenceSpan | undefined {
  const versionAt = (index: number): string => steps[index]?.version ?? '';
  const [isFirst, isLast] = [at[0] === true, at.at(-1) === true];
  if (isFirst && isLast) return undefined;
  if (isLast) return { since: versionAt(at.lastIndexOf(false) + 1), end: 'started' };
  if (isFirst) return { since: versionAt(at.lastIndexOf(true) + 1), end: 'ended' };
  return { since: versionAt(at.indexOf(true)), until: versionAt(at.lastIndexOf(true) + 1), end: 'passed' };
}

function started(problem: Problem, change: UpgradeEffect, { since, until }: PresenceSpan): UpgradeChange {
  const urgency = change === 'refused-otherwise' ? 'tidy' : urgencyOf(problem, change);
  return { change, urgency, since, ...(until !== undefined && { until }), problem };
}

function ended(problem: Problem, since: string): UpgradeChange {
  const isKept = problem.category === 'dropped';
  const change = problem.category === 'known-issue' ? 'mended' : 'ended';
  return {
    change: isKept ? 'kept' : change,
    urgency: isKept ? 'silent' : 'tidy',
    since,
    problem: { ...withNoFixes(problem), severity: 'info' },
  };
}

/** Categories whose problems are changes of the same name. */
const SAME_NAME: ReadonlySet<string> = new Set<UpgradeEffect & Problem['category']>([
  'dropped',
  'warning',
  'policy',
  'placement',
  'known-issue',
]);

function kindOf({ code, category, severity }: Problem): UpgradeEffect {
  if (code === UNKNOWN_KIND) return 'not-served';
  if (code === 'warning/deprecated-api') return 'deprecated';
  if (SAME_NAME.has(category)) return category as UpgradeEffect;
  return (category === 'decode' || category === 'apiserver') && severity === 'error' ? 'refused' : 'problem';
}

function urgencyOf({ severity, category }: Problem, change: UpgradeEffect): Urgency {
  if (change === 'not-served' || change === 'refused') return 'apply';
  if (change === 'dropped') return 'silent';
  if (change === 'known-issue') return severity === 'error' || severity === 'warning' ? 'run' : 'silent';
  if (severity === 'error') return category === 'policy' ? 'apply' : 'run';
  return change === 'placement' && severity === 'warning' ? 'run' : 'tidy';
}

const isRefusal = ({ category, severity }: Problem): boolean =>
  severity === 'error' && (category === 'decode' || category === 'apiserver');

const objectOf = ({ uri, document, item }: Problem): string => `${uri} ${document} ${item}`;

interface Refused {
  /** Objects that the API server refuses. */
  readonly refused: ReadonlySet<string>;
  /** Objects that it cannot even read, so that nothing else is known of them. */
  readonly undecoded: ReadonlySet<string>;
}

function refusedIn(problems: ReadonlyMap<string, Problem>): Refused {
  const all = [...problems.values()].filter(isRefusal);
  const undecoded = all.filter(
    it => it.category === 'decode' && it.errorType !== 'UnknownField' && it.errorType !== 'DuplicateField',
  );
  return { refused: new Set(all.map(objectOf)), undecoded: new Set(undecoded.map(objectOf)) };
}
