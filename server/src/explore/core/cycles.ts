import type { Steps } from '../../base/steps';
import { visitComponents } from './components';
import type { StateGraph } from './stateGraph';

/** Which cycles are looked for. */
export interface CycleQuestion {
  /** By the id of a step: 1 where it is on none of them. */
  readonly without: Uint8Array;
  /**
   * By the id of a step its process: a cycle counts when each process moves on it or has no enabled step in one of its
   * states (weak fairness); absent: every cycle counts.
   */
  readonly processOf?: Int32Array;
}

/** A transition, by the id of its step. */
export interface CycleStep {
  readonly step: number;
  readonly to: number;
}

/** A state, and the steps from there back to it, one at least. */
export interface StateCycle {
  readonly state: number;
  readonly steps: readonly CycleStep[];
}

/**
 * A cycle through the first state that is on one. Without fairness it is a shortest one. All cycles of a strongly connected
 * component can be joined to one, so that a component has a fair cycle unless some process is enabled in all of its
 * states and moves in none.
 */
export function* nearestCycle(
  graph: StateGraph,
  question: CycleQuestion,
  stateCount: number,
): Steps<StateCycle | undefined> {
  const { without, processOf } = question;
  const isFair = processOf && fairnessTest(graph, without, processOf, stateCount);
  let state = stateCount;
  let members: Int32Array | undefined;
  yield* visitComponents(graph, stateCount, {
    without,
    onComponent(path, first, end, hasCycle) {
      if (!hasCycle) return;
      let least = stateCount;
      for (let i = first; i < end; i++) least = Math.min(least, path[i]!);
      if (least > state || isFair?.(path, first, end) === false) return;
      state = least;
      if (processOf !== undefined) members = path.slice(first, end);
    },
  });
  if (state === stateCount) return undefined;
  if (processOf !== undefined) return yield* fairCycle(graph, { without, processOf }, new Set(members), state);
  const back = (_: number, to: number): boolean => to === state;
  return { state, steps: yield* shortestPath(graph, without, () => true, state, back) };
}

/** Whether a component has a fair cycle. */
function fairnessTest(
  { expanded, starts, targets, steps }: StateGraph,
  without: Uint8Array,
  processOf: Int32Array,
  stateCount: number,
): (path: Int32Array, first: number, end: number) => boolean {
  const processCount = processOf.reduce((most, it) => Math.max(most, it + 1), 0);
  const componentOf = new Int32Array(stateCount);
  const lastState = new Int32Array(processCount).fill(-1);
  /** By process: in how many states of the component it is enabled. */
  const enabled = new Int32Array(processCount);
  const moves = new Uint8Array(processCount);
  let component = 0;
  return (path, first, end) => {
    component++;
    for (let i = first; i < end; i++) componentOf[path[i]!] = component;
    enabled.fill(0);
    moves.fill(0);
    for (let i = first; i < end; i++) {
      const state = path[i]!;
      if (state >= expanded) continue;
      for (let at = starts[state]!; at < starts[state + 1]!; at++) {
        const step = steps[at]!;
        const process = processOf[step]!;
        if (lastState[process] !== state) enabled[process]!++;
        lastState[process] = state;
        if (without[step] !== 1 && componentOf[targets[at]!] === component) moves[process] = 1;
      }
    }
    const size = end - first;
    return enabled.every((count, process) => count < size || moves[process] === 1);
  };
}

/** A fair cycle within a component that has one: on to what is fair to some process, until nothing is left, and back. */
function* fairCycle(
  graph: StateGraph,
  { without, processOf }: Required<CycleQuestion>,
  members: ReadonlySet<number>,
  state: number,
): Steps<StateCycle> {
  const isMember = (it: number): boolean => members.has(it);
  const enabledIn = (it: number): ReadonlySet<number> => enabledProcesses(graph, processOf, it);
  const left = new Set(enabledIn(state));
  const steps: CycleStep[] = [];
  let from = state;
  while (left.size > 0) {
    const part = yield* shortestPath(graph, without, isMember, from, (step, to) => {
      if (left.has(processOf[step]!)) return true;
      const enabled = enabledIn(to);
      return [...left].some(it => !enabled.has(it));
    });
    for (const { step, to } of part) {
      left.delete(processOf[step]!);
      const enabled = enabledIn(to);
      for (const it of left) if (!enabled.has(it)) left.delete(it);
      from = to;
    }
    for (const each of part) steps.push(each);
  }
  if (from === state && steps.length > 0) return { state, steps };
  const back = yield* shortestPath(graph, without, isMember, from, (_, to) => to === state);
  return { state, steps: [...steps, ...back] };
}

function enabledProcesses(
  { expanded, starts, steps }: StateGraph,
  processOf: Int32Array,
  state: number,
): ReadonlySet<number> {
  if (state >= expanded) return new Set();
  return new Set(Array.from(steps.subarray(starts[state]!, starts[state + 1]!), it => processOf[it]!));
}

/** States that are visited between two pauses. */
const STATES_PER_STEP = 10_000;

/** The fewest steps from a state, one at least, of which the last one is the goal. There must be such a way. */
function* shortestPath(
  { expanded, starts, targets, steps }: StateGraph,
  without: Uint8Array,
  isMember: (state: number) => boolean,
  from: number,
  isGoal: (step: number, to: number) => boolean,
): Steps<readonly CycleStep[]> {
  const before = new Map<number, { readonly state: number; readonly step: number }>();
  const queue = [from];
  for (const [i, state] of queue.entries()) {
    if (i % STATES_PER_STEP === STATES_PER_STEP - 1) yield;
    if (state >= expanded) continue;
    for (let at = starts[state]!; at < starts[state + 1]!; at++) {
      const to = targets[at]!;
      const step = steps[at]!;
      if (without[step] === 1 || !isMember(to)) continue;
      if (isGoal(step, to)) return [...pathTo(state, from, before), { step, to }];
      if (to === from || before.has(to)) continue;
      before.set(to, { state, step });
      queue.push(to);
    }
  }
  throw new Error('A state of a cycle has no way back to itself.');
}

function pathTo(
  state: number,
  from: number,
  before: ReadonlyMap<number, { readonly state: number; readonly step: number }>,
): readonly CycleStep[] {
  const path: CycleStep[] = [];
  for (let to = state; to !== from; ) {
    const { state: last, step } = before.get(to)!;
    path.push({ step, to });
    to = last;
  }
  return path.reverse();
}
