/** The transitions of the states that were expanded, in the order of the states. */
export interface StateGraph {
  /** The number of states that were expanded: all with transitions have lower numbers. */
  readonly expanded: number;
  /** By state: the index of its first transition; one more entry ends the last. */
  readonly starts: Int32Array;
  /** By transition: the state it leads to. */
  readonly targets: Int32Array;
  /** By transition: the id of its step. */
  readonly steps: Uint8Array | Uint16Array | Uint32Array;
}

/** Receives the transitions of one state after the other. */
export interface GraphBuilder {
  readonly push: (target: number, step: number) => void;
  /** Ends the transitions of the next state. */
  readonly end: () => void;
  readonly graph: () => StateGraph;
  /** Forgets the transitions of the state that has not ended. */
  readonly undo: () => void;
  readonly bytes: () => number;
}

const FIRST_CAPACITY = 4096;

/** @param saved the transitions of an earlier search */
export function createGraphBuilder(
  stepCount: number,
  saved?: Pick<StateGraph, 'starts' | 'targets' | 'steps'>,
): GraphBuilder {
  const Ids = stepCount <= 0x100 ? Uint8Array : stepCount <= 0x10000 ? Uint16Array : Uint32Array;
  let starts = new Int32Array(FIRST_CAPACITY);
  let targets = new Int32Array(FIRST_CAPACITY);
  let steps: StateGraph['steps'] = new Ids(FIRST_CAPACITY);
  let states = 0;
  let count = 0;
  if (saved !== undefined) {
    states = saved.starts.length - 1;
    count = saved.targets.length;
    starts = new Int32Array(Math.max(FIRST_CAPACITY, states + 1));
    starts.set(saved.starts);
    targets = new Int32Array(Math.max(FIRST_CAPACITY, count));
    targets.set(saved.targets);
    steps = new Ids(Math.max(FIRST_CAPACITY, count));
    steps.set(saved.steps);
  }

  function grow(): void {
    const length = Math.ceil(targets.length * 1.5);
    const nextTargets = new Int32Array(length);
    nextTargets.set(targets);
    targets = nextTargets;
    const nextSteps = new Ids(length);
    nextSteps.set(steps);
    steps = nextSteps;
  }

  return {
    push(target, step) {
      if (count === targets.length) grow();
      targets[count] = target;
      steps[count] = step;
      count++;
    },
    end() {
      states++;
      if (states >= starts.length) {
        const next = new Int32Array(Math.ceil(starts.length * 1.5));
        next.set(starts);
        starts = next;
      }
      starts[states] = count;
    },
    graph: () => ({ expanded: states, starts, targets, steps }),
    undo() {
      count = starts[states]!;
    },
    bytes: () => starts.byteLength + targets.byteLength + steps.byteLength,
  };
}
