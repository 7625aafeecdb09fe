import { grouped } from '../../base/multiMap';
import { withNoFixes } from '../../rules/framework/fixes';
import type { Problem } from '../../rules/framework/problem';
import type { UpgradeChange, UpgradeEffect, Urgency } from './change';

const UNKNOWN_KIND = 'decode/unknown-kind';
const TYPE_MISMATCH = 'decode/type-mismatch';

/** The problems under one version. */
export interface ProblemsOfStep {
  readonly version: string;
  /** Those of one place and code together, in the order of the server. */
  readonly problems: ReadonlyMap<string, readonly Problem[]>;
  /** Those that only follow from others. */
  readonly hidden: ReadonlySet<Problem>;
}

/** Under which versions there is a problem, with what it is in the last one that has it. */
interface Presence {
  readonly at: boolean[];
  problem: Problem;
  /** Whether it only follows from another one under some version. */
  isHidden: boolean;
  /** Whether it is worded otherwise under some version. */
  isReworded: boolean;
}

interface ProblemChanges {
  readonly changes: readonly UpgradeChange[];
  /** How many objects are refused under the first and under the last version. */
  readonly stillRefused: number;
}

/**
 * Problems that some versions have and others do not. A text is the same under all versions, so a problem is known by its
 * place, its code and, among several of these, its words.
 */
export function problemChanges(steps: readonly ProblemsOfStep[]): ProblemChanges {
  const [before, after] = [refusedIn(steps[0]), refusedIn(steps.at(-1))];
  const all = groupsOf(steps).flatMap(it => presences(it, steps));
  const changes = all.flatMap(({ at, problem, isHidden, isToldTwice, staysOtherwise }): readonly UpgradeChange[] => {
    if (isHidden || isToldTwice) return [];
    // Policies of users are asked under the first and the last version.
    const isAtEnds = problem.policy !== undefined;
    const span = isAtEnds ? spanOf(endsOf(at), endsOf(steps)) : spanOf(at, steps);
    if (span === undefined) return [];
    if (span.end === 'ended') {
      return staysOtherwise || after.undecoded.has(objectOf(problem)) ? [] : [ended(problem, span.since)];
    }
    const change = kindOf(problem);
    const isRefused = isRefusal(problem);
    const wasRefused = isRefused && before.refused.has(objectOf(problem));
    if (span.end === 'passed') return wasRefused ? [] : [started(problem, change, span)];
    return [started(problem, wasRefused && change !== 'not-served' ? 'refused-otherwise' : change, span)];
  });
  return { changes, stillRefused: [...before.refused].filter(it => after.refused.has(it)).length };
}

/** The problems of a file by place and code. */
export function problemsByPlace(problems: readonly Problem[]): ReadonlyMap<string, readonly Problem[]> {
  return grouped(problems, ({ uri, document, item, code, fieldPath, span }) => {
    return `${uri} ${document} ${item} ${code} ${placeOf(code, fieldPath, span)}`;
  });
}

function placeOf(code: string, fieldPath: string | undefined, { start, end }: Problem['span']): string {
  // Of an unknown kind it depends on the version whether the kind or the apiVersion is underlined.
  if (code === UNKNOWN_KIND) return '';
  // Decoders of some minors name embedded structs in the path of a value.
  return code === TYPE_MISMATCH ? `${start} ${end}` : `${fieldPath} ${start} ${end}`;
}

const NO_PROBLEMS: readonly Problem[] = [];

/** Of each place and code its problems under each version. */
function groupsOf(steps: readonly ProblemsOfStep[]): readonly (readonly (readonly Problem[])[])[] {
  const keys = new Set(steps.flatMap(it => [...it.problems.keys()]));
  return [...keys].map(key => steps.map(it => it.problems.get(key) ?? NO_PROBLEMS));
}

interface TracedPresence extends Presence {
  /** Whether a problem that is worded otherwise under some version stays at the place: it may be this one. */
  readonly staysOtherwise: boolean;
  /** Whether the same words are told of the place under all versions: some minors tell one mistake twice. */
  readonly isToldTwice: boolean;
}

/**
 * The problems of one place and code from version to version: first those of the same words, then the others in their order,
 * since minors word some problems otherwise.
 */
function presences(
  group: readonly (readonly Problem[])[],
  steps: readonly ProblemsOfStep[],
): readonly TracedPresence[] {
  const traced: Presence[] = [];
  for (const [index, problems] of group.entries()) {
    const hidden = steps[index]?.hidden;
    const free = new Set(traced);
    const worded = new Map([...grouped(traced, it => it.problem.message)].map(([words, its]) => [words, its.values()]));
    // There may be thousands of one place: the next one is taken without a look at the others.
    const takeNext = (left: Iterator<Presence> | undefined): Presence | undefined => {
      const next = left?.next();
      if (next === undefined || next.done === true) return undefined;
      free.delete(next.value);
      return next.value;
    };
    const same = problems.map(it => takeNext(worded.get(it.message)));
    const others = [...free].values();
    for (const [i, problem] of problems.entries()) {
      const known = same[i] ?? takeNext(others);
      const presence = known ?? { at: steps.map(() => false), problem, isHidden: false, isReworded: false };
      if (known === undefined) traced.push(presence);
      presence.at[index] = true;
      presence.isReworded ||= presence.problem.message !== problem.message;
      presence.problem = problem;
      presence.isHidden ||= hidden?.has(problem) === true;
    }
  }
  const staysOtherwise = traced.some(it => it.isReworded && it.at.at(-1) === true);
  const lasting = new Set(traced.flatMap(it => (it.at.every(Boolean) ? [it.problem.message] : [])));
  return traced.map(it => ({ ...it, staysOtherwise, isToldTwice: lasting.has(it.problem.message) }));
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

function refusedIn(step: ProblemsOfStep | undefined): Refused {
  const all = [...(step?.problems.values() ?? [])].flat().filter(isRefusal);
  const undecoded = all.filter(
    it => it.category === 'decode' && it.errorType !== 'UnknownField' && it.errorType !== 'DuplicateField',
  );
  return { refused: new Set(all.map(objectOf)), undecoded: new Set(undecoded.map(objectOf)) };
}
