import type { StepDependence } from './dependence';
import type { Conjunct, ModelStep } from './model';
import type { SelectSteps } from './taking';

/**
 * Stubborn sets (Valmari): in each state a set of steps such that no other step, however often, makes one of them possible
 * or disturbs an enabled one. Only the enabled steps of the set are taken.
 */
interface StubbornSets {
  /** Takes the closure of some steps in a state; gives those of the enabled steps that are in it, or all once they are `most`. */
  readonly closure: (
    values: Int32Array,
    seeds: readonly number[],
    enabled: readonly number[],
    most?: number,
  ) => readonly number[];
  readonly indexOf: (step: ModelStep) => number;
}

/** Keeps every state without enabled steps: deadlocks and ends. */
export function keepingEnds(dependence: StepDependence): SelectSteps {
  return smallestSets(dependence, () => false);
}

/**
 * Keeps, where all steps are taken on cycles, ways that go on for ever with the order of visible steps, and from where
 * which values of slots can be reached that visible steps alone write.
 * - A cycle without visible steps: a way that never takes a step of the set may take one before, which is not visible, and
 *   go on as it did.
 * - A state from which no goal can be reached any more: no step makes that better, so that one of the set may come first. By
 *   the rule for cycles the first step of the way is taken in the end, and the way gets shorter.
 * - From where a goal can be reached: a step that comes first does not change whether the goal is true at the end.
 * @param isVisible by the id of a step
 */
export function keepingWays(dependence: StepDependence, isVisible: Uint8Array): SelectSteps {
  return smallestSets(dependence, it => isVisible[it.id] === 1);
}

/** The smallest set that the closure of an enabled step gives, without sets that have an enabled step which is kept out. */
function smallestSets(dependence: StepDependence, isKeptOut: (step: ModelStep) => boolean): SelectSteps {
  const sets = stubbornSets(dependence);
  const { steps } = dependence;
  return (values, enabled) => {
    if (enabled.length === 1) return enabled;
    const own = enabled.map(sets.indexOf);
    let best: readonly number[] = own;
    for (const seed of own) {
      const taken = sets.closure(values, [seed], own, best.length);
      if (taken.length < best.length && !taken.some(it => isKeptOut(steps[it]!))) best = taken;
      if (best.length === 1) break;
    }
    return best.map(it => steps[it]!);
  };
}

/**
 * Keeps whether a state can be reached in which a conjunction is true: the set holds every step that can make the first
 * false part of it true, so that each way there begins with one of its steps, or has one that can be taken first.
 */
export function keepingGoal(dependence: StepDependence, goal: readonly Conjunct[]): SelectSteps {
  const sets = stubbornSets(dependence);
  return (values, enabled) => {
    const missing = goal.find(it => it.test(values) === 0);
    if (missing === undefined) return enabled;
    const taken = sets.closure(values, dependence.enablers(missing), enabled.map(sets.indexOf));
    return taken.map(it => dependence.steps[it]!);
  };
}

function stubbornSets({ steps, conditions, conflicts, enablers }: StepDependence): StubbornSets {
  const index = new Map(steps.map((it, i) => [it, i]));
  const stamps = new Int32Array(steps.length);
  const isEnabled = new Uint8Array(steps.length);
  const open: number[] = [];
  let stamp = 0;

  function add(all: readonly number[]): void {
    for (const it of all) {
      if (stamps[it] === stamp) continue;
      stamps[it] = stamp;
      open.push(it);
    }
  }

  return {
    indexOf: step => index.get(step)!,
    closure(values, seeds, enabled, most = Number.POSITIVE_INFINITY) {
      stamp++;
      let count = 0;
      for (const it of enabled) isEnabled[it] = 1;
      add(seeds);
      for (let step = open.pop(); step !== undefined; step = open.pop()) {
        if (isEnabled[step] === 1) {
          count++;
          if (count >= most) break;
          add(conflicts(step));
        } else add(enablers(conditions[step]!.find(it => it.test(values) === 0)!));
      }
      open.length = 0;
      for (const it of enabled) isEnabled[it] = 0;
      return count >= most ? enabled : enabled.filter(it => stamps[it] === stamp);
    },
  };
}
