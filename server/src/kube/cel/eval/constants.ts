import type { Literal } from '../checker/nodes';
import type { Frame, PlannedStep } from './attributes';
import { spend } from './meter';
import { CelFailure, CelUint, type CelValue } from './values';

/** Thrown for an expression that upstream compiles, but does not make a program of. */
export class PlanError extends Error {}

/** A constant costs nothing. */
export const constantStep = (value: CelValue): PlannedStep => ({ constant: value, run: () => value });

export function literalValue({ type, value }: Literal): CelValue {
  return type.kind === 'uint' && typeof value === 'bigint' ? new CelUint(value) : value;
}

/** A list or a map: one of constants is made once. Upstream: maybeBuildListLiteral, maybeBuildMapLiteral. */
export function constructed(
  parts: readonly PlannedStep[],
  cost: number,
  make: (frame: Frame) => CelValue,
): PlannedStep {
  if (parts.every(it => it.constant !== undefined)) return constantStep(make(NO_FRAME));
  return {
    run(frame) {
      const value = make(frame);
      spend(frame.meter, cost);
      return value;
    },
  };
}

const NO_FRAME: Frame = { meter: { cost: 0, limit: Number.POSITIVE_INFINITY }, lookup: () => undefined };

export const notOptional = (what: string): CelFailure =>
  new CelFailure(`cannot initialize optional ${what} from non-optional value`);
