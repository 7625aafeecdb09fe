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
