/** The errors of rule evaluation. Each becomes the outcome of the rule. */

/** A variable that does not exist. Upstream: go-jmespath.NotFoundError. */
export class UnknownKey extends Error {
  constructor(key: string) {
    super(`Unknown key ${JSON.stringify(key)} in path`);
  }
}

/** Kyverno can evaluate this, Berth cannot: it needs a cluster, a registry, the network or randomness. */
export class Indeterminate extends Error {}

/** The rule exceeded its step budget. */
export class OutOfSteps extends Error {
  constructor() {
    super('stopped: the rule takes more steps than one rule may take here');
  }
}

/** The step budget of one rule on one resource. */
export interface Budget {
  /** Throws OutOfSteps when the budget is used up. */
  spend(steps: number): void;
}

/** Enough for every realistic rule, and less than a second of work. */
export const STEPS_OF_ONE_RULE = 1_000_000;

export function budgetOf(steps: number): Budget {
  let left = steps;
  return {
    spend: taken => {
      left -= taken;
      if (left < 0) throw new OutOfSteps();
    },
  };
}

/** A budget that also counts what was spent. */
export function countedBudget(budget: Budget): Budget & { readonly spent: () => number } {
  let sum = 0;
  return {
    spend: taken => {
      sum += taken;
      budget.spend(taken);
    },
    spent: () => sum,
  };
}

/** The message of an expected error. Every other error is a bug and is thrown again. */
export function reasonOf(error: unknown): string {
  if (
    error instanceof KyvernoError ||
    error instanceof UnknownKey ||
    error instanceof Indeterminate ||
    error instanceof OutOfSteps
  ) {
    return error.message;
  }
  throw error;
}

/** An error that Kyverno itself would report. */
export class KyvernoError extends Error {}
