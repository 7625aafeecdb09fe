import { t } from '@vscode/l10n';
import type { UnknownObject } from '../../base/json';
import { createRunMemory, type RunMemory } from '../incremental/runCache';
import type { RunOptions } from '../scenario';
import type { ChangeKind } from './candidate';
import type { Edit } from './edits';
import type { ChangeOutcome } from './outcome';
import { hasPreferences, meetPreferences } from './preferences';
import { cost, search, type Verified } from './search';
import { completeRun, runRecording, runStudy, type StudyRun, situationIn, unscheduledPods } from './study';
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
}

/** A run that records what a study starts from. Where the time was over, its result is cut. */
export interface RecordedRun {
  readonly run: StudyRun;
  readonly objects: readonly UnknownObject[];
  readonly options: RunOptions & { readonly memory: RunMemory };
}

export function recordedRun(objects: readonly UnknownObject[], given: RunOptions): RecordedRun {
  const options = { ...given, memory: given.memory ? { ...given.memory } : createRunMemory() };
  return { run: runRecording(objects, options, { wanted: undefined }), objects, options };
}

export const studyOf = (objects: readonly UnknownObject[], options: RunOptions): Study =>
  studyFrom(recordedRun(objects, options));

/** The study of a run without changes. Throws OutOfTime where the run was cut. */
export function studyFrom({ run, objects, options }: RecordedRun): Study {
  const { memory } = options;
  const base = completeRun(run);
  const runFor = (pod: string): StudyRun =>
    base.lastCycles.has(pod) ? base : runStudy(objects, { ...options, memory: { ...memory } }, { wanted: pod });
  const cache = new Map<string, Counterfactuals>();
  return {
    base,
    runFor,
    get stuck() {
      return unscheduledPods(base);
    },
    counterfactuals(pod, node) {
      const key = `${pod} ${node ?? ''}`;
      const answer =
        cache.get(key) ?? counterfactuals(pod, search(node === undefined ? base : runFor(pod), options, pod, { node }));
      cache.set(key, answer);
      return answer;
    },
    preferences(pod) {
      const situation = situationIn(base, pod);
      if (situation === undefined || !hasPreferences(situation.holder)) return { pod, suggestions: [] };
      const key = `${pod} wishes`;
      const answer = cache.get(key) ?? counterfactuals(pod, meetPreferences(runFor(pod), options, pod));
      cache.set(key, answer);
      return answer;
    },
  };
}

/** Each evicted Pod adds to the cost. */
const EVICTION_COST = 0.5;
const LOSS_COST = 2;
/** The cost of each Pod of the workload that still has no node. */
const STILL_COST = 0.5;
const MAX_STILL_COST = 2;

function counterfactuals(pod: string, found: ReturnType<typeof search>): Counterfactuals {
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
