/** What goes wrong while a rule is worked out; each is told as the result of the rule. */

/** A variable that is not there. Upstream: go-jmespath.NotFoundError. */
export class UnknownKey extends Error {
  constructor(key: string) {
    super(`Unknown key ${JSON.stringify(key)} in path`);
  }
}

/** Kyverno would know, Berth cannot: it takes a cluster, a registry, the network or chance. */
export class Indeterminate extends Error {}

/** The rule asked for more work than one rule may do. */
export class OutOfSteps extends Error {
  constructor() {
    super('stopped: the rule takes more steps than one rule may take here');
  }
}

/** Counts the work of one rule on one object. */
export interface Budget {
  /** Throws OutOfSteps when nothing is left. */
  spend(steps: number): void;
}

/** Enough for every rule that is not made to be slow, and less than a second. */
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

/** A budget that also tells what was spent of it. */
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

/** The words of what went wrong. What nobody foresaw is thrown on: it is a bug, not a verdict. */
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

/** Kyverno's own complaint. */
export class KyvernoError extends Error {}
