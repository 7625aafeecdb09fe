import { CelUnknown } from '../undecided';

/** The parts of a value that may still be visited: a short expression can make one with billions of parts. */
export interface PartsLeft {
  left: number;
}

const MOST_PARTS = 5_000_000;

export const allParts = (): PartsLeft => ({ left: MOST_PARTS });

export function take(steps: PartsLeft, count = 1): void {
  steps.left -= count;
  if (steps.left < 0) throw new CelUnknown(`a value with more than ${MOST_PARTS} parts is not simulated`);
}
