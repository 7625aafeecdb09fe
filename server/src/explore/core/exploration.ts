import type { Steps } from '../../base/steps';
import { nearestCycle } from './cycles';
import { GOALS_PER_BYTE, reachableGoals } from './liveness';
import { type ModelProperty, type ModelStep, type ProcessModel, stepsById } from './model';
import { type SearchLimits, type SearchRequest, type SearchResult, type StopReason, search } from './search';
import { valuesOf } from './successors';
import { type ModelTrace, traceTo } from './traces';

/** All that an exploration found. */
export interface Exploration {
  readonly states: number;
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
export function* explore(
  model: ProcessModel,
  properties: readonly ModelProperty[],
  limits: SearchLimits,
): Steps<Exploration> {
  return yield* explorationOf({ model, properties, limits });
}

export function* explorationOf(request: SearchRequest): Steps<Exploration> {
  const { model, properties } = request;
  const found = yield* search(request);
  const { store, failure, firstDeadlock } = found;
  const goals = yield* unreachableGoals(properties, found);
  const verdicts: PropertyVerdict[] = [];
  for (const [i, property] of properties.entries()) {
    if (failure !== undefined) verdicts.push({ verdict: 'unknown' });
    else if (property.kind === 'progress') verdicts.push(yield* progressVerdict(model, property, found));
    else verdicts.push(verdictOf(model, found, found.violations[i] ?? goals[i]));
  }
  return {
    states: store.count(),
    transitions: found.transitions,
    depth: found.depth,
    stopped: found.stopped,
    isReduced: request.select !== undefined,
    acceptingEnds: found.acceptingEnds,
    deadlocks: {
      count: found.deadlocks,
      ...(firstDeadlock !== undefined && { shortest: traceTo(model, store, firstDeadlock) }),
    },
    properties: verdicts,
    unreachable: unreachableIn(request, found),
    ends: found.ends.map(it => valuesOf(store, it, model.slots.length)),
    ...(failure !== undefined && {
      failure: {
        reason: failure.reason,
        at: failure.at,
        steps: [...traceTo(model, store, failure.state).steps, ...('step' in failure.at ? [failure.at.step] : [])],
      },
    }),
  };
}

function unreachableIn(
  { model, select }: SearchRequest,
  { stopped, failure, taken }: SearchResult,
): readonly number[] | undefined {
  if (select !== undefined || stopped !== undefined || failure !== undefined) return undefined;
  const all = stepsById(model);
  const reached = new Set(all.filter(it => taken[it.id] === 1).map(it => it.source));
  return [...new Set(all.map(it => it.source))].filter(it => !reached.has(it)).sort((a, b) => a - b);
}

function verdictOf(
  model: ProcessModel,
  { store, stopped }: SearchResult,
  violation: number | undefined,
): PropertyVerdict {
  if (violation !== undefined) return { verdict: 'violated', trace: traceTo(model, store, violation) };
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
  model: ProcessModel,
  { labels, fairness }: Extract<ModelProperty, { readonly kind: 'progress' }>,
  { graph, store, stopped }: SearchResult,
): Steps<PropertyVerdict> {
  if (graph === undefined) throw new Error('Progress was asked for, and no transitions are kept.');
  const steps = stepsById(model);
  const without = Uint8Array.from(steps, it => (labels.has(it.label) ? 1 : 0));
  const processOf = fairness && Int32Array.from(steps, it => it.process);
  const found = yield* nearestCycle(graph, { without, ...(processOf && { processOf }) }, store.count());
  if (found === undefined) return { verdict: stopped === undefined ? 'holds' : 'unknown' };
  const cycle = found.steps.map(it => steps[it.step]!);
  return { verdict: 'violated', trace: traceTo(model, store, found.state), cycle };
}
