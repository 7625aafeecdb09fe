import type { Steps } from '../../base/steps';
import { visitComponents } from './components';
import type { StateGraph } from './stateGraph';

/** The goals that one byte a state holds. */
export const GOALS_PER_BYTE = 8;

/**
 * By state: the goals that can be reached from it, a bit each. A state that was not expanded counts as one from which
 * each can be.
 * @param goals by state: the goals that are true in it
 */
export function* reachableGoals(graph: StateGraph, goals: Uint8Array, stateCount: number): Steps<Uint8Array> {
  const reach = goals.slice(0, stateCount);
  reach.fill(0xff, graph.expanded);
  yield* visitComponents(graph, stateCount, {
    onDone: (from, to) => {
      reach[from]! |= reach[to]!;
    },
    onComponent(path, first, end) {
      let all = 0;
      for (let i = first; i < end; i++) all |= reach[path[i]!]!;
      for (let i = first; i < end; i++) reach[path[i]!] = all;
    },
  });
  return reach;
}

/** The first state on a cycle without any of some labels; undefined where there is no such cycle. */
export function* firstOnCycle(graph: StateGraph, without: Uint8Array, stateCount: number): Steps<number | undefined> {
  let found = stateCount;
  yield* visitComponents(graph, stateCount, {
    without,
    onComponent(path, first, end, hasCycle) {
      if (!hasCycle) return;
      for (let i = first; i < end; i++) found = Math.min(found, path[i]!);
    },
  });
  return found === stateCount ? undefined : found;
}

/** The states of a shortest cycle from a state back to it, the state at both ends. The state must be on one. */
export function cycleFrom(
  { expanded, starts, targets, labels }: StateGraph,
  without: Uint8Array,
  from: number,
): readonly number[] {
  const before = new Map<number, number>();
  const queue = [from];
  for (const state of queue) {
    if (state >= expanded) continue;
    for (let at = starts[state]!; at < starts[state + 1]!; at++) {
      const target = targets[at]!;
      if (without[labels[at]!] === 1) continue;
      if (target === from) return [...pathTo(state, from, before), from];
      if (before.has(target)) continue;
      before.set(target, state);
      queue.push(target);
    }
  }
  throw new Error('A state of a cycle has no way back to itself.');
}

function pathTo(state: number, from: number, before: ReadonlyMap<number, number>): readonly number[] {
  const path = [state];
  for (let it = state; it !== from; ) {
    it = before.get(it)!;
    path.push(it);
  }
  return path.reverse();
}
