/**
 * How many CEL rules of one schema are checked: those of the inner schemas come first. Known definitions have some
 * hundred; a file of 1 MB can have a hundred thousand. The server has no such limit.
 */
export const MOST_RULES = 10_000;

/** How many rules of a schema are still to be checked; counted down on the way through the schema. */
export interface RuleBudget {
  left: number;
}

export const newRuleBudget = (): RuleBudget => ({ left: MOST_RULES });

/** Takes as many rules as are left of the budget. */
export function takeRules(budget: RuleBudget, wanted: number): number {
  const taken = Math.min(budget.left, wanted);
  budget.left -= taken;
  return taken;
}
