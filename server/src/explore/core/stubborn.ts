import type { StepDependence } from './dependence';
import type { Conjunct, ModelStep } from './model';
import type { SelectSteps } from './search';

/**
 * Stubborn sets (Valmari): in each state a set of steps such that no other step, however often, makes one of them possible
 * or disturbs an enabled one. Only the enabled steps of the set are taken.
 */
interface StubbornSets {
  /** Takes the closure of some steps in a state; gives those of the enabled steps that are in it. */
  readonly closure: (values: Int32Array, seeds: readonly number[], enabled: readonly number[]) => readonly number[];
  readonly indexOf: (step: ModelStep) => number;
}

/** Keeps every state without enabled steps: deadlocks and ends. */
export function keepingEnds(dependence: StepDependence): SelectSteps {
  const sets = stubbornSets(dependence);
  return (values, enabled) => {
    if (enabled.length === 1) return enabled;
    const own = enabled.map(sets.indexOf);
    let best: readonly number[] = own;
    for (const seed of own) {
      const taken = sets.closure(values, [seed], own);
      if (taken.length < best.length) best = taken;
      if (best.length === 1) break;
    }
    return best.map(it => dependence.steps[it]!);
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
    closure(values, seeds, enabled) {
      stamp++;
      for (const it of enabled) isEnabled[it] = 1;
      add(seeds);
      for (let step = open.pop(); step !== undefined; step = open.pop()) {
        if (isEnabled[step] === 1) add(conflicts(step));
        else add(enablers(conditions[step]!.find(it => it.test(values) === 0)!));
      }
      for (const it of enabled) isEnabled[it] = 0;
      return enabled.filter(it => stamps[it] === stamp);
    },
  };
}
