import type { Frame, PlannedStep } from './attributes';
import { CelFailure, CelList, CelMap, type CelValue, isFailure, typeName } from './values';

/** A loop, planned. Upstream: interpreter.evalFold. */
export interface Fold {
  readonly range: PlannedStep;
  readonly variables: readonly string[];
  readonly accumulator: string;
  readonly init: PlannedStep;
  readonly condition: PlannedStep;
  readonly step: PlannedStep;
  readonly result: PlannedStep;
}

/** The accumulator begins when it is first read: a binding that nothing reads costs nothing. */
export function foldStep(fold: Fold): PlannedStep {
  return {
    run(frame) {
      const range = fold.range.run(frame);
      if (isFailure(range)) return range;
      const rounds = roundsOf(range, fold.variables.length);
      return rounds instanceof CelFailure ? rounds : folded(fold, rounds, frame);
    },
  };
}

interface Rounds {
  readonly size: number;
  first(i: number): CelValue;
  second(i: number): CelValue | undefined;
}

function roundsOf(range: CelValue, variables: number): Rounds | CelFailure {
  if (range instanceof CelList) {
    const item = (i: number): CelValue => range.at(i);
    if (variables === 1) return { size: range.size, first: item, second: () => undefined };
    return { size: range.size, first: i => BigInt(i), second: item };
  }
  if (range instanceof CelMap) {
    const keys = range.keys();
    const first = (i: number): CelValue => keys[i] ?? null;
    return {
      size: keys.length,
      first,
      second: i => (variables === 1 ? undefined : (range.find(first(i)) ?? null)),
    };
  }
  return new CelFailure(
    variables === 1
      ? `got '${typeName(range)}', expected iterable type`
      : `unsupported comprehension range type: ${typeName(range)}`,
  );
}

function folded(fold: Fold, rounds: Rounds, outer: Frame): CelValue {
  const { accumulator, variables, condition, step, result } = fold;
  const [name = '', otherName] = variables;
  let accumulated: CelValue | undefined;
  let first: CelValue | undefined;
  let second: CelValue | undefined;
  const frame: Frame = {
    meter: outer.meter,
    lookup(wanted) {
      if (wanted === accumulator) {
        accumulated ??= fold.init.run(outer);
        return accumulated;
      }
      if (first !== undefined && wanted === name) return first;
      if (second !== undefined && wanted === otherName) return second;
      return outer.lookup(wanted);
    },
  };
  for (let i = 0; i < rounds.size; i++) {
    first = rounds.first(i);
    second = rounds.second(i);
    const goesOn = condition.run(frame);
    if (typeof goesOn === 'boolean' && !goesOn) break;
    accumulated = step.run(frame);
  }
  first = undefined;
  second = undefined;
  return result.run(frame);
}
