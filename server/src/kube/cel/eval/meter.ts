/** The cost of an evaluation so far. Upstream: interpreter.CostTracker. */
export interface Meter {
  cost: number;
  readonly limit: number;
}

/** Thrown where the cost exceeds the limit. */
export class CostExceeded extends Error {}

/** Thrown where upstream's own code fails, which ends the evaluation. */
export class InternalError extends Error {}

export function spend(meter: Meter, cost: number): void {
  meter.cost += cost;
  if (meter.cost > meter.limit) throw new CostExceeded();
}
