import type { Steps } from '../../base/steps';
import { EvaluationFailure, type ModelProperty, type ModelStep, type ProcessModel, stepsById } from './model';
import { createGraphBuilder, type GraphBuilder, type StateGraph } from './stateGraph';
import { createStateStore, type StateStore } from './stateStore';
import { createStateCursor, isAccepting, type StateCursor } from './successors';

/** How far a search may go. */
export interface SearchLimits {
  readonly states: number;
  /** Of the states and transitions that are kept. */
  readonly bytes: number;
  /** Whether the time is over. */
  readonly isOver: () => boolean;
  /** The search ends when so many of these are found: a deadlock, and properties of kind never and atEnd; absent: it goes on. */
  readonly findings?: number;
}

export type StopReason = 'states' | 'memory' | 'time' | 'findings';

/** Chooses those of the enabled steps of a state that are taken. */
export type SelectSteps = (values: Int32Array, enabled: readonly ModelStep[]) => readonly ModelStep[];

export interface SearchRequest {
  readonly model: ProcessModel;
  readonly properties: readonly ModelProperty[];
  readonly limits: SearchLimits;
  /** absent: all are taken */
  readonly select?: SelectSteps;
  /** Whether the first violation ends the search; absent: it goes on. */
  readonly until?: 'violation';
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
}

const MOST_ENDS = 20;
/** Between two looks at the limits; a state is one, and so are 64 words of its successors. */
const WORK_PER_STEP = 512;
/** Between two looks at the memory within one state, in transitions. */
const TRANSITIONS_PER_LOOK = 256;

/** The successors of one state alone exceed the limit of memory. */
class MemoryUsed extends Error {}

/** Searches all states that can be reached, or as many as the limits allow. */
export function* search(request: SearchRequest): Steps<SearchResult> {
  const run = startSearch(request);
  const { limits } = request;
  for (;;) {
    const stopped = run.advance(WORK_PER_STEP);
    if (stopped === 'end') return run.result(undefined);
    if (stopped !== undefined) return run.result(stopped);
    if (limits.isOver()) return run.result('time');
    yield;
  }
}

interface SearchRun {
  readonly advance: (work: number) => 'end' | StopReason | undefined;
  readonly result: (stopped: StopReason | undefined) => SearchResult;
}

function startSearch({ model, properties, limits, select, until }: SearchRequest): SearchRun {
  const store = createStateStore(model.slots);
  const cursor = createStateCursor(model, store);
  store.add(packedInitial(model, store), -1);
  const steps = stepsById(model);
  const wantsGraph = properties.some(it => it.kind === 'canAlwaysReach' || it.kind === 'progress');
  const graph = wantsGraph ? createGraphBuilder(steps.length) : undefined;
  const watch = watchProperties(properties, cursor);
  const taken = new Uint8Array(steps.length);
  const isFull = (): boolean => store.bytes() + (graph?.bytes() ?? 0) > limits.bytes;
  const take = takeSteps({ cursor, store, graph, select, taken, isFull });
  const found = { next: 0, depth: 0, layerEnd: 1, transitions: 0, deadlocks: 0, acceptingEnds: 0 };
  const ends: number[] = [];
  let firstDeadlock: number | undefined;
  let failure: FoundFailure | undefined;

  /** Gives the number of enabled steps. */
  function expand(state: number): number {
    cursor.moveTo(state);
    watch.everywhere(state);
    const enabled = take(state);
    found.transitions += enabled;
    if (enabled === 0) {
      if (isAccepting(model, cursor.values)) {
        found.acceptingEnds++;
        if (ends.length < MOST_ENDS) ends.push(state);
        watch.atEnd(state);
      } else {
        found.deadlocks++;
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
      if (found.next === found.layerEnd) {
        found.depth++;
        found.layerEnd = store.count();
      }
      // No failure with fewer steps can come any more.
      if (failure !== undefined && found.depth >= failure.length) return 'end';
      if (until === 'violation' && watch.violations.some(it => it !== undefined)) return 'end';
      if (isEnough()) return 'findings';
      if (store.count() > limits.states) return 'states';
      const state = found.next++;
      try {
        left -= Math.floor((expand(state) * layout.wordCount) / 64);
      } catch (error) {
        if (error instanceof MemoryUsed) return 'memory';
        fail(error, state);
      }
    }
    return isFull() ? 'memory' : undefined;
  }

  return {
    advance,
    result: stopped => ({
      ...found,
      store,
      graph: graph?.graph(),
      goals: watch.goals(store.count()),
      stopped,
      firstDeadlock,
      ends,
      violations: watch.violations,
      failure,
      taken,
    }),
  };
}

function packedInitial({ initial, slots }: ProcessModel, store: StateStore): Int32Array {
  const { wordCount, word, shift, base } = store.layout();
  const packed = new Int32Array(wordCount);
  for (let slot = 0; slot < slots.length; slot++) {
    packed[word[slot]!]! |= (initial[slot]! - base[slot]!) << shift[slot]!;
  }
  return packed;
}

interface StepTaking {
  readonly cursor: StateCursor;
  readonly store: StateStore;
  readonly graph: GraphBuilder | undefined;
  readonly select: SelectSteps | undefined;
  /** Written: 1 at the id of each step that is taken. */
  readonly taken: Uint8Array;
  /** Whether the limit of memory is exceeded. */
  readonly isFull: () => boolean;
}

/** Takes the steps of the state that the cursor is on; gives the number of those that are enabled. */
function takeSteps({ cursor, store, graph, select, taken, isFull }: StepTaking): (state: number) => number {
  let count = 0;
  let from = 0;
  const take = (step: ModelStep): void => {
    count++;
    taken[step.id] = 1;
    if (count % TRANSITIONS_PER_LOOK === 0 && isFull()) throw new MemoryUsed();
    const to = store.add(cursor.successor(step), from);
    graph?.push(to, step.id);
  };
  if (select === undefined)
    return state => {
      count = 0;
      from = state;
      cursor.eachEnabled(take);
      return count;
    };
  return state => {
    const enabled: ModelStep[] = [];
    count = 0;
    from = state;
    cursor.eachEnabled(it => enabled.push(it));
    if (enabled.length > 0) for (const it of select(cursor.values, enabled)) take(it);
    return enabled.length;
  };
}

interface PropertyWatch {
  readonly everywhere: (state: number) => void;
  readonly atEnd: (state: number) => void;
  /** The index of the property that is being evaluated. */
  readonly evaluated: () => number | undefined;
  readonly violations: readonly (number | undefined)[];
  readonly goals: (stateCount: number) => readonly (Uint8Array | undefined)[];
}

function watchProperties(properties: readonly ModelProperty[], { values }: StateCursor): PropertyWatch {
  const violations: (number | undefined)[] = properties.map(() => undefined);
  const goals: (Uint8Array<ArrayBuffer> | undefined)[] = properties.map(it =>
    it.kind === 'canAlwaysReach' ? new Uint8Array(1024) : undefined,
  );
  let evaluated = -1;

  function look(kind: 'never' | 'atEnd' | 'canAlwaysReach', state: number): void {
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i]!;
      if (property.kind !== kind) continue;
      evaluated = i;
      const isTrue = property.test(values) !== 0;
      if (kind === 'canAlwaysReach') note(i, state, isTrue);
      else if (isTrue === (kind === 'never')) violations[i] ??= state;
    }
    evaluated = -1;
  }

  function note(i: number, state: number, isTrue: boolean): void {
    let own = goals[i]!;
    if (state >= own.length) {
      const next = new Uint8Array(Math.ceil(state * 1.5));
      next.set(own);
      own = next;
      goals[i] = own;
    }
    own[state] = isTrue ? 1 : 0;
  }

  return {
    everywhere(state) {
      look('never', state);
      look('canAlwaysReach', state);
    },
    atEnd: state => look('atEnd', state),
    evaluated: () => (evaluated < 0 ? undefined : evaluated),
    violations,
    goals: stateCount => goals.map(it => it && sized(it, stateCount)),
  };
}

function sized(array: Uint8Array<ArrayBuffer>, length: number): Uint8Array {
  if (array.length >= length) return array.subarray(0, length);
  const next = new Uint8Array(length);
  next.set(array);
  return next;
}
