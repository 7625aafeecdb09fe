import type { Steps } from '../../base/steps';
import { nearestCycle } from './cycles';
import { GOALS_PER_BYTE, reachableGoals } from './liveness';
import { type ModelProperty, type ModelStep, stepsById } from './model';
import type { SavedSearch } from './savedSearch';
import { type FoundFailure, type SearchRequest, type SearchResult, type StopReason, search } from './search';
import { valuesOf } from './successors';
import { stepsLike } from './symmetry';
import { cycleFrom, failingStep, type ModelTrace, type SearchedStates, traceTo } from './traces';

/** All that an exploration found. */
export interface Exploration {
  readonly states: number;
  /** How many of them were visited: of those that differ in the places of equal processes alone, one. */
  readonly visited: number;
  /** The processes that are equal, a list each. */
  readonly equal: readonly (readonly number[])[];
  readonly transitions: number;
  /** The greatest number of steps that a shortest way to an expanded state has. */
  readonly depth: number;
  /** Why the search ended early; undefined: it did not. */
  readonly stopped: StopReason | undefined;
  /** Whether states were left out because they make no difference; `states` are then those of all searches together. */
  readonly isReduced: boolean;
  readonly acceptingEnds: number;
  readonly deadlocks: { readonly count: number; readonly shortest?: ModelTrace };
  /** In the order of the properties. */
  readonly properties: readonly PropertyVerdict[];
  /**
   * The sources of steps that no process takes in any state; undefined: not known, since the search ended early or left
   * out states.
   */
  readonly unreachable: readonly number[] | undefined;
  /** Values of some accepting ends. */
  readonly ends: readonly Int32Array[];
  /** What a search needs to go on; absent: it ended, left out states, or met a failure. */
  readonly saved?: () => SavedSearch;
  /** An expression without a value; nothing else counts then. */
  readonly failure?: ExplorationFailure;
}

/** `unknown`: the search ended early and found no violation. */
export type PropertyVerdict =
  | { readonly verdict: 'holds' | 'unknown' }
  | { readonly verdict: 'violated'; readonly trace: ModelTrace; readonly cycle?: readonly ModelStep[] };

export interface ExplorationFailure {
  readonly reason: string;
  readonly at: { readonly property: number } | { readonly step: ModelStep; readonly part: number | 'guard' };
  /** The steps to the failure; the last one is the step that fails, or leads to the state in which the property does. */
  readonly steps: readonly ModelStep[];
}

/** Explores a model in full: breadth first, so that each trace but that of a cycle is a shortest one. */
export function* explore(request: SearchRequest): Steps<Exploration> {
  const { model, properties, symmetry = [] } = request;
  const found = yield* search(request);
  const { store, failure, firstDeadlock } = found;
  const goals = yield* unreachableGoals(properties, found);
  const searched = { model, store, symmetry };
  const verdicts: PropertyVerdict[] = [];
  for (const [i, property] of properties.entries()) {
    if (failure !== undefined) verdicts.push({ verdict: 'unknown' });
    else if (property.kind === 'progress') verdicts.push(yield* progressVerdict(searched, property, found));
    else verdicts.push(verdictOf(searched, found, found.violations[i] ?? goals[i]));
  }
  return {
    // Of a reduced search nobody knows how many states it left out.
    states: request.select === undefined ? found.states : store.count(),
    visited: store.count(),
    equal: symmetry.map(it => it.processes),
    transitions: found.transitions,
    depth: found.depth,
    stopped: found.stopped,
    isReduced: request.select !== undefined,
    acceptingEnds: found.acceptingEnds,
    deadlocks: {
      count: found.deadlocks,
      ...(firstDeadlock !== undefined && { shortest: traceTo(searched, firstDeadlock) }),
    },
    properties: verdicts,
    unreachable: unreachableIn(request, found),
    ends: found.ends.map(it => valuesOf(store, it, model.slots.length)),
    ...(found.stopped !== undefined && failure === undefined && request.select === undefined && { saved: found.saved }),
    ...(failure !== undefined && {
      failure: failureOf(searched, failure),
    }),
  };
}

function failureOf(searched: SearchedStates, { reason, at, state }: FoundFailure): ExplorationFailure {
  const trace = traceTo(searched, state);
  if ('property' in at) return { reason, at, steps: trace.steps };
  const step = failingStep(searched, trace.state, at.step);
  return { reason, at: { step, part: at.part }, steps: [...trace.steps, step] };
}

function unreachableIn(
  { model, select, onCycles, symmetry = [] }: SearchRequest,
  { stopped, failure, taken }: SearchResult,
): readonly number[] | undefined {
  // Where no step is left out for ever, each that is possible somewhere is taken somewhere.
  const isKnown = select === undefined || onCycles === 'takeAll';
  if (!isKnown || stopped !== undefined || failure !== undefined) return undefined;
  const all = stepsById(model);
  const own = new Map(all.filter(it => taken[it.id] === 1).map(it => [it.source, it]));
  const reached = new Set([...own.values()].flatMap(it => stepsLike(model, symmetry, it)).map(it => it.source));
  return [...new Set(all.map(it => it.source))].filter(it => !reached.has(it)).sort((a, b) => a - b);
}

function verdictOf(
  searched: SearchedStates,
  { stopped }: SearchResult,
  violation: number | undefined,
): PropertyVerdict {
  if (violation !== undefined) return { verdict: 'violated', trace: traceTo(searched, violation) };
  return { verdict: stopped === undefined ? 'holds' : 'unknown' };
}

/** By property, for `canAlwaysReach` alone: the first state from which it cannot be reached. */
function* unreachableGoals(
  properties: readonly ModelProperty[],
  { graph, goals, store, failure }: SearchResult,
): Steps<readonly (number | undefined)[]> {
  const first: (number | undefined)[] = properties.map(() => undefined);
  if (graph === undefined || failure !== undefined) return first;
  const asked = properties.flatMap((it, i) => (it.kind === 'canAlwaysReach' ? [i] : []));
  for (let from = 0; from < asked.length; from += GOALS_PER_BYTE) {
    const group = asked.slice(from, from + GOALS_PER_BYTE);
    const own = new Uint8Array(store.count());
    for (const [bit, i] of group.entries()) {
      const ofGoal = goals[i]!;
      for (let state = 0; state < own.length; state++) own[state]! |= ofGoal[state]! << bit;
    }
    const reach = yield* reachableGoals(graph, own, store.count());
    for (const [bit, i] of group.entries()) {
      const state = reach.findIndex(it => (it & (1 << bit)) === 0);
      if (state >= 0) first[i] = state;
    }
  }
  return first;
}

function* progressVerdict(
  searched: SearchedStates,
  { labels, fairness }: Extract<ModelProperty, { readonly kind: 'progress' }>,
  { graph, store, stopped }: SearchResult,
): Steps<PropertyVerdict> {
  if (graph === undefined) throw new Error('Progress was asked for, and no transitions are kept.');
  const steps = stepsById(searched.model);
  const without = Uint8Array.from(steps, it => (labels.has(it.label) ? 1 : 0));
  const processOf = fairness && Int32Array.from(steps, it => it.process);
  const found = yield* nearestCycle(graph, { without, ...(processOf && { processOf }) }, store.count());
  if (found === undefined) return { verdict: stopped === undefined ? 'holds' : 'unknown' };
  const trace = traceTo(searched, found.state);
  const states = found.steps.map(it => it.to);
  // Where processes are equal, any of them may take a step of the cycle; none of the fair cycles is then looked for.
  const isOn = (step: ModelStep, index: number): boolean =>
    searched.symmetry.length > 0 ? without[step.id] !== 1 : step.id === found.steps[index]!.step;
  return { verdict: 'violated', trace, cycle: cycleFrom(searched, trace.state, states, isOn) };
}
