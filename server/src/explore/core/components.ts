import type { Steps } from '../../base/steps';
import type { StateGraph } from './stateGraph';

/** What a visit of a graph's strongly connected components is told. */
export interface ComponentVisitor {
  /** By the id of a step: 1 where its transitions are left out; absent: all count. */
  readonly without?: Uint8Array;
  /** A transition between two states, of which the second has been left for good. */
  readonly onDone?: (from: number, to: number) => void;
  /** The states of a component, `path[first]` to `path[end - 1]`; it has a cycle. `hasCycle` also counts a loop of one state. */
  readonly onComponent: (path: Int32Array, first: number, end: number, hasCycle: boolean) => void;
}

/** States that are visited between two pauses. */
const STATES_PER_STEP = 50_000;

/**
 * Tarjan's algorithm without recursion: each component is told after all that can be reached from it. States that were not
 * expanded count as without transitions.
 */
export function* visitComponents(
  { expanded, starts, targets, steps }: StateGraph,
  stateCount: number,
  { without, onDone, onComponent }: ComponentVisitor,
): Steps<void> {
  const DONE = 0x7fffffff;
  /** By state: 0 unvisited, then its number, then DONE. */
  const order = new Int32Array(stateCount);
  const low = new Int32Array(stateCount);
  const next = new Int32Array(stateCount);
  const path = new Int32Array(stateCount);
  const calls = new Int32Array(stateCount);
  const loops = new Uint8Array(stateCount);
  let number = 0;
  let pathLength = 0;
  let depth = 0;

  function enter(state: number): void {
    number++;
    order[state] = number;
    low[state] = number;
    next[state] = state < expanded ? starts[state]! : 0;
    path[pathLength++] = state;
    calls[depth++] = state;
  }

  function leave(state: number): void {
    depth--;
    if (low[state] === order[state]) {
      const end = pathLength;
      while (path[pathLength - 1] !== state) order[path[--pathLength]!] = DONE;
      order[path[--pathLength]!] = DONE;
      onComponent(path, pathLength, end, end - pathLength > 1 || loops[state] === 1);
    }
    if (depth === 0) return;
    const before = calls[depth - 1]!;
    if (low[state]! < low[before]!) low[before] = low[state]!;
    if (order[state] === DONE) onDone?.(before, state);
  }

  for (let root = 0; root < stateCount; root++) {
    if (root % STATES_PER_STEP === 0) yield;
    if (order[root] !== 0) continue;
    enter(root);
    let visited = 0;
    while (depth > 0) {
      if (++visited % STATES_PER_STEP === 0) yield;
      const state = calls[depth - 1]!;
      const end = state < expanded ? starts[state + 1]! : 0;
      let at = next[state]!;
      let entered = false;
      while (at < end) {
        const target = targets[at]!;
        const isOut = without !== undefined && without[steps[at]!] === 1;
        at++;
        if (isOut) continue;
        const seen = order[target]!;
        if (seen === 0) {
          next[state] = at;
          enter(target);
          entered = true;
          break;
        }
        if (seen === DONE) onDone?.(state, target);
        else if (target === state) loops[state] = 1;
        else if (seen < low[state]!) low[state] = seen;
      }
      if (entered) continue;
      leave(state);
    }
  }
}
