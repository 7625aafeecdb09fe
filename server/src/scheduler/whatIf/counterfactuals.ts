import type { UnknownObject } from '../../base/json';
import { t } from '../../base/l10n';
import { runToEnd, type Steps } from '../../base/steps';
import { createRunMemory, type RunMemory } from '../incremental/runCache';
import type { RunOptions } from '../scenario';
import type { ChangeKind } from './candidate';
import type { Edit } from './edits';
import type { ChangeOutcome } from './outcome';
import { hasPreferences, meetPreferences } from './preferences';
import { cost, type Found, searchSteps, type Verified } from './search';
import { completeRun, runRecordingSteps, runStudySteps, type StudyRun, situationIn, unscheduledPods } from './study';
import { changesInWords, outcomeInWords } from './words';

export type { ChangeKind } from './candidate';
export type { Edit, ObjectRef } from './edits';
export type { ChangeOutcome } from './outcome';
export { MAX_CHANGES } from './search';
export type { StudyRun } from './study';

/** One change, or a smallest set of changes, that gives a Pod a node; verified by a complete run. */
export interface Suggestion {
  /** "Tolerate the taint dedicated=gpu:NoSchedule". */
  readonly title: string;
  /** "opens 3 nodes (n1, n2, n3), and the Pod lands on n1". */
  readonly effect: string;
  readonly changes: readonly { readonly kind: ChangeKind; readonly plugin: string; readonly words: string }[];
  /** To be applied in order. */
  readonly edits: readonly Edit[];
  readonly outcome: ChangeOutcome;
}

export interface Counterfactuals {
  /** NAMESPACE/NAME */
  readonly pod: string;
  /** The smallest change first. */
  readonly suggestions: readonly Suggestion[];
  /** One sentence about what was not tried. */
  readonly cut?: string;
}

/** Answers about Pods of one scenario; the run without changes is made once. */
export interface Study {
  readonly base: StudyRun;
  /** The Pods without a node; of several from the same holder only the first. */
  readonly stuck: readonly string[];
  /** The same run, recording the last cycle of this Pod even if it has a node. */
  runFor(pod: string): StudyRun;
  /** `node`: the Pod must fit there, though it may be placed elsewhere. */
  counterfactuals(pod: string, node?: string): Counterfactuals;
  /** For a Pod that has a node: changes that bring it to a node where an unmet preference is met. */
  preferences(pod: string): Counterfactuals;
  /** Works out either in steps, so that it is there when asked for. */
  working(question: 'counterfactuals' | 'preferences', pod: string): Steps<undefined>;
}

/** A run that records what a study starts from. Where the time was over, its result is cut. */
export interface RecordedRun {
  readonly run: StudyRun;
  readonly objects: readonly UnknownObject[];
  readonly options: RunOptions & { readonly memory: RunMemory };
}

export const recordedRun = (objects: readonly UnknownObject[], given: RunOptions): RecordedRun =>
  runToEnd(recordedRunSteps(objects, given));

function* recordedRunSteps(objects: readonly UnknownObject[], given: RunOptions): Steps<RecordedRun> {
  const options = { ...given, memory: given.memory ? { ...given.memory } : createRunMemory() };
  return { run: yield* runRecordingSteps(objects, options, { wanted: undefined }), objects, options };
}

export function* studySteps(objects: readonly UnknownObject[], options: RunOptions): Steps<Study> {
  return studyFrom(yield* recordedRunSteps(objects, options));
}

/** The study of a run without changes. Throws OutOfTime where the run was cut. */
export function studyFrom({ run, objects, options }: RecordedRun): Study {
  const { memory } = options;
  const base = completeRun(run);
  function* runForSteps(pod: string): Steps<StudyRun> {
    if (base.lastCycles.has(pod)) return base;
    return yield* runStudySteps(objects, { ...options, memory: { ...memory } }, { wanted: pod });
  }
  const cache = new Map<string, Counterfactuals>();
  function* counterfactualsSteps(pod: string, node: string | undefined): Steps<Counterfactuals> {
    const key = `${pod} ${node ?? ''}`;
    const known = cache.get(key);
    if (known) return known;
    const from = node === undefined ? base : yield* runForSteps(pod);
    const answer = counterfactuals(pod, yield* searchSteps(from, options, pod, { node }));
    cache.set(key, answer);
    return answer;
  }
  function* preferencesSteps(pod: string): Steps<Counterfactuals> {
    const situation = situationIn(base, pod);
    if (situation === undefined || !hasPreferences(situation.holder)) return { pod, suggestions: [] };
    const key = `${pod} wishes`;
    const answer =
      cache.get(key) ?? counterfactuals(pod, yield* meetPreferences(yield* runForSteps(pod), options, pod));
    cache.set(key, answer);
    return answer;
  }
  return {
    base,
    runFor: pod => runToEnd(runForSteps(pod)),
    get stuck() {
      return unscheduledPods(base);
    },
    counterfactuals: (pod, node) => runToEnd(counterfactualsSteps(pod, node)),
    preferences: pod => runToEnd(preferencesSteps(pod)),
    *working(question, pod) {
      yield* question === 'counterfactuals' ? counterfactualsSteps(pod, undefined) : preferencesSteps(pod);
      return undefined;
    },
  };
}

/** Each evicted Pod adds to the cost. */
const EVICTION_COST = 0.5;
const LOSS_COST = 2;
/** The cost of each Pod of the workload that still has no node. */
const STILL_COST = 0.5;
const MAX_STILL_COST = 2;

function counterfactuals(pod: string, found: Found | undefined): Counterfactuals {
  if (found === undefined) return { pod, suggestions: [], cut: t('The Pod is written nowhere that could be changed.') };
  const { verified, untried } = found;
  const rank = ({ candidates, outcome }: Verified): number =>
    cost(candidates) +
    outcome.evicted.length * EVICTION_COST +
    outcome.noLongerPlaced.length * LOSS_COST +
    Math.min(MAX_STILL_COST, outcome.stillWithout.length * STILL_COST);
  const suggestions = [...verified]
    .sort((a, b) => rank(a) - rank(b) || b.outcome.opens.length - a.outcome.opens.length)
    .map(
      ({ candidates, outcome }): Suggestion => ({
        title: changesInWords(candidates.map(it => it.words)),
        effect: outcomeInWords(outcome),
        changes: candidates.map(({ kind, plugin, words }) => ({ kind, plugin, words })),
        edits: candidates.flatMap(it => it.edits),
        outcome,
      }),
    );
  return {
    pod,
    suggestions,
    ...(untried > 0 && {
      cut: untried === 1 ? t('1 more change was not tried.') : t`${untried} more changes were not tried.`,
    }),
  };
}
