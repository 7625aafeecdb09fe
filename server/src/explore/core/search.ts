import type { Steps } from '../../base/steps';
import { type AheadChoice, expandAhead } from './ahead';
import { EvaluationFailure, type ModelProperty, type ModelStep, type ProcessModel, stepsById } from './model';
import { type PropertyWatch, watchProperties } from './propertyWatch';
import { type SavedSearch, type SearchCounts, savedSlots } from './savedSearch';
import { createGraphBuilder, type GraphBuilder, type StateGraph } from './stateGraph';
import { createStateStore, type StateStore } from './stateStore';
import { createStateCursor, isAccepting, type StateCursor } from './successors';
import { type ModelSymmetry, statesLike } from './symmetry';
import { MemoryUsed, type SelectSteps, takeSteps } from './taking';

/** How far a search may go. */
export interface SearchLimits {
  readonly states: number;
  /** Of the states and transitions that are kept. */
  readonly bytes: number;
  /** Whether the time is over. */
  readonly isOver: () => boolean;
  /** Receives now and then how many states were found so far. */
  readonly onStates?: (states: number) => void;
  /** The search ends when so many of these are found: a deadlock, and properties of kind never and atEnd; absent: it goes on. */
  readonly findings?: number;
}

export type StopReason = 'states' | 'memory' | 'time' | 'findings';

export interface SearchRequest {
  readonly model: ProcessModel;
  readonly properties: readonly ModelProperty[];
  readonly limits: SearchLimits;
  /** absent: all are taken */
  readonly select?: SelectSteps;
  /**
   * Whether all steps are taken where a selected one leads back to a state that was expanded: each cycle then has a state
   * in which all were taken, so that none is left out for ever; absent: they are not.
   */
  readonly onCycles?: 'takeAll';
  /** absent: no processes are equal */
  readonly symmetry?: ModelSymmetry;
  /** Where an earlier search of the same request stopped; absent: the search begins. */
  readonly saved?: SavedSearch;
  /** Whether the first violation ends the search; absent: it goes on. */
  readonly until?: 'violation';
  /** Who expands states before the search comes to them, where all steps are taken; absent: nobody. */
  readonly ahead?: AheadChoice;
}

/** What failed, and after how many steps. */
export interface FoundFailure {
  readonly reason: string;
  readonly at: { readonly property: number } | { readonly step: ModelStep; readonly part: number | 'guard' };
  readonly state: number;
  readonly length: number;
}

/** What a breadth-first search found. Of each state, the number of steps to it is the least. */
export interface SearchResult {
  readonly store: StateStore;
  readonly graph: StateGraph | undefined;
  /** By property, for `canAlwaysReach` alone: by state, whether its expression is true. */
  readonly goals: readonly (Uint8Array | undefined)[];
  /** How many states those of the store stand for. */
  readonly states: number;
  readonly transitions: number;
  /** The number of steps to the deepest state that was expanded. */
  readonly depth: number;
  readonly stopped: StopReason | undefined;
  readonly deadlocks: number;
  readonly firstDeadlock: number | undefined;
  readonly acceptingEnds: number;
  /** Some accepting ends. */
  readonly ends: readonly number[];
  /** By property, for `never` and `atEnd` alone: the first state that violates it. */
  readonly violations: readonly (number | undefined)[];
  readonly failure: FoundFailure | undefined;
  /** By the id of a step: 1 when it was taken in some state. */
  readonly taken: Uint8Array;
  /** What another search needs to go on from here. It has the memory of this one. */
  readonly saved: () => SavedSearch;
}

const MOST_ENDS = 20;
/** Between two looks at the limits; a state is one, and so are 64 words of its successors. */
const WORK_PER_STEP = 512;
/** Searches all states that can be reached, or as many as the limits allow. */
export function* search(request: SearchRequest): Steps<SearchResult> {
  const run = startSearch(request);
  const { limits } = request;
  try {
    for (;;) {
      const stopped = run.advance(WORK_PER_STEP);
      if (stopped === 'end') return run.result(undefined);
      if (stopped !== undefined) return run.result(stopped);
      limits.onStates?.(run.states());
      if (limits.isOver()) return run.result('time');
      yield;
    }
  } finally {
    run.end();
  }
}

interface SearchRun {
  readonly advance: (work: number) => 'end' | StopReason | undefined;
  readonly states: () => number;
  readonly result: (stopped: StopReason | undefined) => SearchResult;
  readonly end: () => void;
}

const FIRST_COUNTS: SearchCounts = { next: 0, depth: 0, layerEnd: 1, transitions: 0, deadlocks: 0, acceptingEnds: 0 };

function startSearch(request: SearchRequest): SearchRun {
  const { model, properties, limits, select, symmetry = [], saved, until } = request;
  const store = createStateStore(saved === undefined ? model.slots : savedSlots(saved, model), saved);
  const cursor = createStateCursor(model, store);
  if (saved === undefined) store.add(packedInitial(model, store), -1);
  const steps = stepsById(model);
  const wantsGraph = properties.some(it => it.kind === 'canAlwaysReach' || it.kind === 'progress');
  const graph = wantsGraph ? createGraphBuilder(steps.length, saved?.graph) : undefined;
  const watch = watchProperties(properties, cursor, saved);
  const taken = saved === undefined ? new Uint8Array(steps.length) : saved.taken.slice();
  const isFull = (): boolean => store.bytes() + (graph?.bytes() ?? 0) > limits.bytes;
  const ahead = request.ahead && select === undefined ? expandAhead(request.ahead, store) : undefined;
  const take = takeSteps({ ...request, ahead, symmetry, cursor, store, graph, taken, isFull });
  const found = { ...(saved?.counts ?? FIRST_COUNTS) };
  const ends: number[] = [...(saved?.ends ?? [])];
  let firstDeadlock = saved?.firstDeadlock;
  let failure: FoundFailure | undefined;

  /** Gives the number of enabled steps. */
  function expand(state: number): number {
    cursor.moveTo(state);
    watch.everywhere(state);
    const enabled = take(state);
    const like = statesLike(symmetry, cursor.values);
    // Of a reduced search nobody knows how many steps it left out.
    found.transitions += select === undefined ? like * enabled : enabled;
    if (enabled === 0) {
      if (isAccepting(model, cursor.values)) {
        found.acceptingEnds += like;
        if (ends.length < MOST_ENDS) ends.push(state);
        watch.atEnd(state);
      } else {
        found.deadlocks += like;
        firstDeadlock ??= state;
      }
    }
    graph?.end();
    return enabled;
  }

  function fail(error: unknown, state: number): void {
    if (!(error instanceof EvaluationFailure)) throw error;
    const property = watch.evaluated();
    const { step, part } = cursor.last();
    const known = failure?.length ?? Number.POSITIVE_INFINITY;
    if (property !== undefined) {
      if (found.depth < known) failure = { reason: error.message, at: { property }, state, length: found.depth };
    } else if (step !== undefined && found.depth + 1 < known) {
      failure = { reason: error.message, at: { step, part }, state, length: found.depth + 1 };
    }
  }

  function isEnough(): boolean {
    if (limits.findings === undefined) return false;
    const violated = watch.violations.filter(it => it !== undefined).length;
    return violated + (firstDeadlock === undefined ? 0 : 1) >= limits.findings;
  }

  function advance(work: number): 'end' | StopReason | undefined {
    const layout = store.layout();
    // To pack all states anew is work enough for one step.
    for (let left = work; left > 0 && store.layout() === layout; left--) {
      if (found.next === store.count()) return 'end';
      if (isEnough()) return 'findings';
      if (store.count() > limits.states) return 'states';
      if (found.next === found.layerEnd) {
        found.depth++;
        found.layerEnd = store.count();
      }
      // No failure with fewer steps can come any more.
      if (failure !== undefined && found.depth >= failure.length) return 'end';
      if (until === 'violation' && watch.violations.some(it => it !== undefined)) return 'end';
      const state = found.next++;
      try {
        left -= Math.floor((expand(state) * layout.wordCount) / 64);
      } catch (error) {
        if (error instanceof MemoryUsed) {
          // Who goes on elsewhere takes all steps of the state again.
          found.next--;
          graph?.undo();
          return 'memory';
        }
        fail(error, state);
      }
    }
    return isFull() ? 'memory' : undefined;
  }

  return {
    advance,
    states: store.count,
    end: () => ahead?.end(),
    result: stopped => ({
      ...found,
      states: statesIn(store, cursor, symmetry),
      store,
      graph: graph?.graph(),
      goals: watch.goals(store.count()),
      stopped,
      firstDeadlock,
      ends,
      violations: watch.violations,
      failure,
      taken,
      saved: () => savedFrom({ store, graph, watch, taken, counts: found, firstDeadlock, ends }),
    }),
  };
}

function savedFrom({
  store,
  graph,
  watch,
  counts,
  ...others
}: Pick<SavedSearch, 'taken' | 'counts' | 'firstDeadlock' | 'ends'> & {
  readonly store: StateStore;
  readonly graph: GraphBuilder | undefined;
  readonly watch: PropertyWatch;
}): SavedSearch {
  const { next } = counts;
  const { starts, targets, steps } = graph?.graph() ?? {};
  const last = starts?.[next];
  return {
    ...store.kept(),
    graph: starts &&
      targets &&
      steps && {
        starts: starts.subarray(0, next + 1),
        targets: targets.subarray(0, last),
        steps: steps.subarray(0, last),
      },
    goals: watch.goals(next),
    violations: watch.violations,
    counts: { ...counts },
    ...others,
  };
}

/** How many states those of a store stand for. */
function statesIn(store: StateStore, { values }: StateCursor, symmetry: ModelSymmetry): number {
  if (symmetry.length === 0) return store.count();
  let count = 0;
  for (let state = 0; state < store.count(); state++) {
    store.read(state, values);
    count += statesLike(symmetry, values);
  }
  return count;
}

function packedInitial({ initial, slots }: ProcessModel, store: StateStore): Int32Array {
  const { wordCount, word, shift, base } = store.layout();
  const packed = new Int32Array(wordCount);
  for (let slot = 0; slot < slots.length; slot++) {
    packed[word[slot]!]! |= (initial[slot]! - base[slot]!) << shift[slot]!;
  }
  return packed;
}
