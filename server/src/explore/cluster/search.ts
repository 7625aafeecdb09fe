import type { Steps } from '../../base/steps';
import { visitComponents } from '../core/components';
import type { StateGraph } from '../core/stateGraph';

/** One thing that happens in a cluster, and who does it. */
export interface ClusterStep {
  readonly actor: string;
  readonly step: string;
}

export interface Move<State> {
  readonly by: ClusterStep;
  readonly to: State;
}

/** States and what may happen in each of them. */
export interface Space<State> {
  /** Many of them are best made one by one, as a limit may leave some out. */
  readonly starts: Iterable<State>;
  /** Equal for states with the same future. */
  readonly keyOf: (state: State) => string;
  /** Equal for states that are the same to the names of their nodes; absent: `keyOf` is. */
  readonly exactKeyOf?: (state: State) => string;
  readonly movesFrom: (state: State) => readonly Move<State>[];
}

export interface SpaceLimits {
  readonly states: number;
  /** The share of the time that is used up; the search ends soon after it is 1. */
  readonly timeUsed: () => number;
}

/** The limits of the next of some searches that are left: an equal share of the time that is left. */
export function shareOf(limits: SpaceLimits, left: number): SpaceLimits {
  const before = limits.timeUsed();
  const share = (1 - before) / Math.max(1, left);
  const timeUsed = (): number => (share > 0 ? (limits.timeUsed() - before) / share : Number.POSITIVE_INFINITY);
  return { ...limits, timeUsed };
}

interface Edge {
  readonly by: ClusterStep;
  /** Number of the state. */
  readonly to: number;
}

/** The states that were reached, numbered by their distance from the start. */
export interface SearchedSpace<State> {
  readonly space: Space<State>;
  readonly states: readonly State[];
  /** By state; shorter than `states` where a limit ended the search. */
  readonly edges: readonly (readonly Edge[])[];
  /** By state: how it was reached first; undefined: it is a start. */
  readonly from: readonly ({ readonly state: number; readonly by: ClusterStep } | undefined)[];
  readonly isComplete: boolean;
}

/** Breadth-first: the way to each state is a shortest one. */
export function* searchSpace<State>(
  space: Space<State>,
  { states: most, timeUsed }: SpaceLimits,
): Steps<SearchedSpace<State>> {
  const { starts, keyOf, movesFrom } = space;
  const states: State[] = [];
  const from: SearchedSpace<State>['from'][number][] = [];
  const numbers = new Map<string, number>();
  const numberOf = (state: State, way: (typeof from)[number]): number => {
    const key = keyOf(state);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    from.push(way);
    return states.push(state) - 1;
  };
  const edges: (readonly Edge[])[] = [];
  const isOver = (): boolean => states.length > most || timeUsed() > 1;
  for (const it of starts) {
    numberOf(it, undefined);
    if (isOver()) break;
    yield;
  }
  while (edges.length < states.length) {
    if (isOver()) return { space, states, edges, from, isComplete: false };
    const state = edges.length;
    const its: Edge[] = [];
    for (const { by, to } of movesFrom(states[state]!)) {
      its.push({ by, to: numberOf(to, { state, by }) });
      // There may be one for each of thousands of nodes.
      if (timeUsed() > 1) return { space, states, edges, from, isComplete: false };
    }
    edges.push(its);
    yield;
  }
  return { space, states, edges, from, isComplete: true };
}

/** A shortest way from a start to a state. */
export function wayTo<State>({ from }: Pick<SearchedSpace<State>, 'from'>, state: number): readonly ClusterStep[] {
  const steps: ClusterStep[] = [];
  for (let it = from[state]; it !== undefined; it = from[it.state]) steps.push(it.by);
  return steps.reverse();
}

/** The states of that way, the start first. */
export function statesTo<State>(
  { states, from }: Pick<SearchedSpace<State>, 'states' | 'from'>,
  state: number,
): readonly State[] {
  const found: State[] = [states[state]!];
  for (let it = from[state]; it !== undefined; it = from[it.state]) found.push(states[it.state]!);
  return found.reverse();
}

/**
 * The nearest state from which no state is reachable for which `isGoal` holds; `end`: one without a move before all others; undefined:
 * there is none. States that the limits left out count as goals.
 */
export function nearestWithout<State>(
  { states, edges }: SearchedSpace<State>,
  isGoal: (state: State) => boolean,
  wanted: 'first' | 'end',
): number | undefined {
  const before: number[][] = states.map(() => []);
  for (const [state, its] of edges.entries()) for (const { to } of its) before[to]!.push(state);
  const reaches = new Uint8Array(states.length);
  const left = [...states.keys()].filter(it => it >= edges.length || isGoal(states[it]!));
  for (const it of left) reaches[it] = 1;
  while (left.length > 0) {
    for (const it of before[left.pop()!]!) {
      if (reaches[it] === 1) continue;
      reaches[it] = 1;
      left.push(it);
    }
  }
  const stuck = [...states.keys()].filter(it => reaches[it] === 0);
  return (wanted === 'end' ? stuck.find(it => edges[it]!.length === 0) : undefined) ?? stuck[0];
}

/** Steps that may repeat for ever. */
export interface Repetition<State> {
  readonly steps: readonly ClusterStep[];
  /** From the state after `steps` back to it. */
  readonly cycle: readonly ClusterStep[];
  /** hopeless: from there it never ends; luck: it ends where another choice is made. */
  readonly end: 'hopeless' | 'luck';
  /** The state after `cycle` is that before it with the names of equal nodes exchanged; absent: it is the same one. */
  readonly upToNames?: true;
  /** Before the first step, and after each one of `steps` and `cycle`. */
  readonly states: readonly State[];
}

/** A cycle with a step of one of these actors, one without an end first, then the nearest one; undefined: there is none. */
export function* nearestCycle<State>(
  searched: SearchedSpace<State>,
  isMeant: (by: ClusterStep) => boolean,
): Steps<Repetition<State> | undefined> {
  const { states, edges } = searched;
  const { component, ends } = yield* componentsOf(searched);
  const found: { readonly from: number; readonly edge: Edge; readonly isHopeless: boolean }[] = [];
  for (const [from, its] of edges.entries()) {
    const edge = its.find(it => component[it.to] === component[from] && isMeant(it.by));
    if (edge) found.push({ from, edge, isHopeless: !ends.has(component[from]!) });
  }
  const best = found.find(it => it.isHopeless) ?? found[0];
  if (best === undefined || states.length === 0) return undefined;
  const merged = [best.edge, ...wayWithin(best.edge.to, best.from, edges, component)];
  const cycle = asItHappens(best.from, merged, searched);
  const { exactKeyOf = searched.space.keyOf } = searched.space;
  const isSame = exactKeyOf(cycle.at(-1)!.to) === exactKeyOf(states[best.from]!);
  return {
    steps: wayTo(searched, best.from),
    cycle: cycle.map(it => it.by),
    end: best.isHopeless ? 'hopeless' : 'luck',
    ...(!isSame && { upToNames: true }),
    states: [...statesTo(searched, best.from), ...cycle.map(it => it.to)],
  };
}

/** The moves of a way from a state: the states that were merged along it differ from what really happens in names of equal nodes. */
function asItHappens<State>(
  start: number,
  way: readonly Edge[],
  { space, states }: Pick<SearchedSpace<State>, 'space' | 'states'>,
): readonly Move<State>[] {
  const moves: Move<State>[] = [];
  for (const { by, to } of way) {
    const key = space.keyOf(states[to]!);
    const possible = space.movesFrom(moves.at(-1)?.to ?? states[start]!);
    const move = possible.find(it => it.by.actor === by.actor && space.keyOf(it.to) === key);
    moves.push(move ?? { by, to: states[to]! });
  }
  return moves;
}

/** `component`: by state, the number of its strongly connected component; `ends`: components that lead out of all cycles. */
function* componentsOf<State>({
  states,
  edges,
}: SearchedSpace<State>): Steps<{ readonly component: Int32Array; readonly ends: ReadonlySet<number> }> {
  const starts = new Int32Array(edges.length + 1);
  for (const [i, its] of edges.entries()) starts[i + 1] = starts[i]! + its.length;
  const targets = Int32Array.from(edges.flatMap(its => its.map(it => it.to)));
  const graph: StateGraph = { expanded: edges.length, starts, targets, steps: new Uint8Array(targets.length) };
  const component = new Int32Array(states.length);
  const ends = new Set<number>();
  let count = 0;
  yield* visitComponents(graph, states.length, {
    onComponent(path, first, end, hasCycle) {
      count += 1;
      const members = path.subarray(first, end);
      for (const it of members) component[it] = count;
      // Components that can be reached from this one have been told before it.
      const leads = (state: number): boolean =>
        (edges[state] ?? []).some(({ to }) => component[to] !== count && ends.has(component[to]!));
      if (!hasCycle && (edges[members[0]!]?.length ?? 0) === 0) ends.add(count);
      else if (members.some(leads)) ends.add(count);
    },
  });
  return { component, ends };
}

/** A shortest way between two states of one component. */
function wayWithin(
  start: number,
  end: number,
  edges: SearchedSpace<unknown>['edges'],
  component: Int32Array,
): readonly Edge[] {
  const came = new Map<number, { readonly state: number; readonly by: ClusterStep } | undefined>([[start, undefined]]);
  for (const state of came.keys()) {
    if (state === end) break;
    for (const { by, to } of edges[state] ?? []) {
      if (component[to] === component[end] && !came.has(to)) came.set(to, { state, by });
    }
  }
  const way: Edge[] = [];
  for (let at = end, it = came.get(end); it !== undefined; at = it.state, it = came.get(at))
    way.push({ by: it.by, to: at });
  return way.reverse();
}
