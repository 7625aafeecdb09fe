import type { Checked } from '../checker/check';
import type { Expr } from '../checker/nodes';
import { CelUnknown } from '../undecided';
import type { Frame } from './attributes';
import { PlanError } from './constants';
import { CostExceeded, InternalError, type Meter } from './meter';
import { planOf } from './plan';
import { type CelValue, isFailure } from './values';

/** The end of an evaluation: a value or an error, or that the cost exceeded the limit. */
export type Outcome =
  | { readonly value: CelValue; readonly cost: number }
  | { readonly error: string; readonly cost: number }
  | { readonly undecided: string; readonly cost: number }
  | { readonly exceeds: 'the limit'; readonly cost: number };

export interface Program {
  /** `limit` is the largest cost, in upstream's units. */
  run(variables: Readonly<Record<string, CelValue>>, limit: number): Outcome;
}

/** `problem` is why upstream cannot make one. */
export type Programmed = Program | { readonly problem: string } | { readonly undecided: string };

/** Upstream: cel.Env.Program. */
export function programOf(root: Expr, checked: Checked): Programmed {
  try {
    const step = planOf(root, checked);
    return { run: (variables, limit) => outcomeOf(frame => step.run(frame), variables, limit) };
  } catch (error) {
    if (error instanceof PlanError) return { problem: error.message };
    if (error instanceof CelUnknown) return { undecided: error.message };
    throw error;
  }
}

function outcomeOf(
  run: (frame: Frame) => CelValue,
  variables: Readonly<Record<string, CelValue>>,
  limit: number,
): Outcome {
  const meter: Meter = { cost: 0, limit };
  const lookup = (name: string): CelValue | undefined => (Object.hasOwn(variables, name) ? variables[name] : undefined);
  try {
    const value = run({ meter, lookup });
    return isFailure(value) ? { error: value.message, cost: meter.cost } : { value, cost: meter.cost };
  } catch (error) {
    if (error instanceof InternalError) return { error: `internal error: ${error.message}`, cost: meter.cost };
    if (error instanceof CostExceeded) return { exceeds: 'the limit', cost: meter.cost };
    if (error instanceof CelUnknown) return { undecided: error.message, cost: meter.cost };
    throw error;
  }
}
